#include "result/weightings.hpp"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "base/contract.hpp"
#include "result/checking.hpp"

namespace cohort::result {

using nlohmann::json;

namespace {

// Sums of products of such numbers stay far below 2^127.
constexpr std::int64_t most_weight = std::int64_t{1} << 62U;
constexpr std::uint64_t most_threads = std::uint64_t{1} << 32U;

std::int64_t weight_from(const json& number) {
  return static_cast<std::int64_t>(natural(number, "a weight", static_cast<std::uint64_t>(most_weight)));
}

void read_members(const json& list, std::vector<bool>& members, std::size_t size) {
  members.assign(size, false);
  for (const json& number : elements(list, "the members of a trap")) {
    members[index_below(number, size, "a member of a trap")] = true;
  }
}

// A state or trap with its weight.
std::pair<std::uint32_t, std::int64_t> weighted_from(const json& cell, std::size_t size) {
  const auto& pair = elements(cell, "a weight with its place");
  if (pair.size() != 2) misshapen("a weight with its place: expected two elements");
  return {index_below(pair[0], size, "the place of a weight"), weight_from(pair[1])};
}

void read_weights(const json& list, std::vector<std::int64_t>& weights, std::size_t size) {
  weights.assign(size, 0);
  for (const json& cell : elements(list, "the weights")) {
    const auto [place, weight] = weighted_from(cell, size);
    weights[place] = weight;
  }
}

}  // namespace

json traps_to_json(const std::vector<WeightedTrap>& traps) {
  json result = json::array();
  for (const WeightedTrap& trap : traps) result.push_back({{"locals", trap.locals}, {"controls", trap.controls}});
  return result;
}

json weightings_to_json(const std::vector<Weighting>& weightings) {
  json result = json::array();
  for (const Weighting& weighting : weightings) {
    result.push_back({{"locals", weighting.locals}, {"controls", weighting.controls}, {"traps", weighting.traps}});
  }
  return result;
}

WeightingChecker::WeightingChecker(Env& env, const json& traps, const json& weightings, std::size_t locals,
                                   std::size_t controls) {
  for (const json& entry : elements(traps, "the traps")) {
    env.poll("check-weightings");
    expect_members(entry, {"locals", "controls"});
    DenseTrap& trap = traps_.emplace_back();
    read_members(member(entry, "locals"), trap.locals, locals);
    read_members(member(entry, "controls"), trap.controls, controls);
  }
  for (const json& entry : elements(weightings, "the weightings")) {
    env.poll("check-weightings");
    expect_members(entry, {"locals", "controls", "traps"});
    read_weighting(entry, locals, controls);
  }
}

void WeightingChecker::read_weighting(const json& entry, std::size_t locals, std::size_t controls) {
  DenseWeighting& weighting = weightings_.emplace_back();
  read_weights(member(entry, "locals"), weighting.locals, locals);
  read_weights(member(entry, "controls"), weighting.controls, controls);
  std::vector<Sum> least_locals(locals, 0);
  std::vector<Sum> least_controls(controls, 0);
  for (const json& cell : elements(member(entry, "traps"), "the traps of a weighting")) {
    const auto [trap, factor] = weighted_from(cell, traps_.size());
    const DenseTrap& members = traps_[trap];
    weighting.factors.emplace_back(trap, factor);
    for (std::size_t i = 0; i < locals; ++i) least_locals[i] += members.locals[i] ? factor : 0;
    for (std::size_t i = 0; i < controls; ++i) least_controls[i] += members.controls[i] ? factor : 0;
  }
  const auto at_least = [](const std::vector<std::int64_t>& weights, const std::vector<Sum>& least) {
    return std::equal(weights.begin(), weights.end(), least.begin(), [](Sum have, Sum need) { return have >= need; });
  };
  COHORT_EXPECT(weighting.locals.size() == locals && weighting.controls.size() == controls, "every state has a weight");
  if (!at_least(weighting.locals, least_locals) || !at_least(weighting.controls, least_controls)) {
    refute("a member of a trap weighs less than the trap counts");
  }
}

bool WeightingChecker::touches(const DenseTrap& trap, std::uint32_t control, const Multiset& threads) {
  COHORT_EXPECT(control < trap.controls.size(), "of every control state it is known whether the trap has it");
  return trap.controls[control] || std::any_of(threads.begin(), threads.end(), [&](const auto& cell) {
           return cell.second > 0 && trap.locals[cell.first];
         });
}

WeightingChecker::Sum WeightingChecker::weight_of(const DenseWeighting& weighting, std::uint32_t control,
                                                  const Multiset& threads) {
  COHORT_EXPECT(control < weighting.controls.size(), "the control state has a weight");
  Sum sum = weighting.controls[control];
  for (const auto& [local, count] : threads) {
    if (count > most_threads) refute("a configuration has too many threads to be weighed");
    sum += Sum{weighting.locals[local]} * count;
  }
  return sum;
}

void WeightingChecker::add_initial(std::uint32_t control, const Multiset& threads,
                                   const std::vector<std::uint32_t>& any_number) {
  for (const DenseTrap& trap : traps_) {
    if (!touches(trap, control, threads)) refute("a trap is empty in an initial configuration");
  }
  for (DenseWeighting& weighting : weightings_) {
    for (const std::uint32_t local : any_number) {
      if (weighting.locals[local] > 0) refute("initial configurations weigh any amount");
    }
    weighting.start = std::max(weighting.start, weight_of(weighting, control, threads));
  }
}

void WeightingChecker::check_step(std::uint32_t from, const Multiset& used, std::uint32_t to,
                                  const Multiset& made) const {
  for (const DenseTrap& trap : traps_) {
    if (touches(trap, from, used) && !touches(trap, to, made)) refute("a step may empty a trap");
  }
  for (const DenseWeighting& weighting : weightings_) {
    if (weight_of(weighting, to, made) > weight_of(weighting, from, used)) refute("a step adds weight");
  }
}

void WeightingChecker::check_moved(std::uint32_t from, std::uint32_t to) const {
  COHORT_EXPECT(
      std::all_of(traps_.begin(), traps_.end(),
                  [&](const DenseTrap& trap) { return from < trap.locals.size() && to < trap.locals.size(); }),
      "threads move between local states that are listed");
  for (const DenseTrap& trap : traps_) {
    if (trap.locals[from] && !trap.locals[to]) refute("a step may empty a trap");
  }
  for (const DenseWeighting& weighting : weightings_) {
    if (weighting.locals[to] > weighting.locals[from]) refute("a step adds weight");
  }
}

bool WeightingChecker::refutes(std::uint32_t control, const Multiset& threads) const {
  for (const DenseWeighting& weighting : weightings_) {
    Sum sum = weight_of(weighting, control, threads);
    for (const auto& [trap, factor] : weighting.factors) {
      if (!touches(traps_[trap], control, threads)) sum += factor;
    }
    COHORT_EXPECT(weighting.start >= 0, "no configuration weighs less than nothing");
    if (sum > weighting.start) return true;
  }
  return false;
}

}  // namespace cohort::result
