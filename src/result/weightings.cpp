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

// Nested deeper than this is nothing that a search finds.
constexpr std::size_t most_depth = 100;
constexpr std::uint64_t most_firings = std::uint64_t{1} << 32U;

std::map<std::uint32_t, std::int64_t> changes_from(const json& list, std::size_t size) {
  std::map<std::uint32_t, std::int64_t> changes;
  for (const json& cell : elements(list, "what a step changes")) {
    const auto& pair = elements(cell, "a change with its place");
    if (pair.size() != 2 || !pair[1].is_number_integer()) misshapen("a change with its place: expected two numbers");
    const auto place = index_below(pair[0], size, "the place of a change");
    if (!changes.emplace(place, pair[1].get<std::int64_t>()).second) misshapen("a change is listed twice");
  }
  return changes;
}

json case_to_json(const WeightingCases& one) {
  if (one.cases.empty()) {
    return {{"locals", one.weighting.locals},
            {"controls", one.weighting.controls},
            {"traps", one.weighting.traps},
            {"factors", one.factors}};
  }
  return {{"locals", one.locals}, {"controls", one.controls}, {"most", one.most}, {"cases", cases_to_json(one.cases)}};
}

}  // namespace

json cases_to_json(const std::vector<WeightingCases>& cases) {
  json result = json::array();
  for (const WeightingCases& one : cases) result.push_back(case_to_json(one));
  return result;
}

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
                                   std::size_t controls)
    : locals_(locals), controls_(controls), any_number_(locals, false) {
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
    weightings_.push_back(weighting_from(entry));
  }
}

WeightingChecker::DenseWeighting WeightingChecker::weighting_from(const json& entry) const {
  DenseWeighting weighting;
  read_weights(member(entry, "locals"), weighting.locals, locals_);
  read_weights(member(entry, "controls"), weighting.controls, controls_);
  std::vector<Sum> least_locals(locals_, 0);
  std::vector<Sum> least_controls(controls_, 0);
  for (const json& cell : elements(member(entry, "traps"), "the traps of a weighting")) {
    const auto [trap, factor] = weighted_from(cell, traps_.size());
    const DenseTrap& members = traps_[trap];
    weighting.factors.emplace_back(trap, factor);
    for (std::size_t i = 0; i < locals_; ++i) least_locals[i] += members.locals[i] ? factor : 0;
    for (std::size_t i = 0; i < controls_; ++i) least_controls[i] += members.controls[i] ? factor : 0;
  }
  const auto at_least = [](const std::vector<std::int64_t>& weights, const std::vector<Sum>& least) {
    return std::equal(weights.begin(), weights.end(), least.begin(), [](Sum have, Sum need) { return have >= need; });
  };
  COHORT_EXPECT(weighting.locals.size() == locals_ && weighting.controls.size() == controls_,
                "every state has a weight");
  if (!at_least(weighting.locals, least_locals) || !at_least(weighting.controls, least_controls)) {
    refute("a member of a trap weighs less than the trap counts");
  }
  return weighting;
}

void WeightingChecker::read_cases(Env& env, const json& cases) {
  for (const json& entry : elements(cases, "the case distinctions")) cases_.push_back(cases_from(env, entry, 0));
}

WeightingChecker::DenseCases WeightingChecker::cases_from(Env& env, const json& entry, std::size_t depth) const {
  env.poll("check-weightings");
  if (depth > most_depth) misshapen("cases are nested too deeply");
  DenseCases result;
  if (entry.is_object() && entry.contains("cases")) {
    expect_members(entry, {"locals", "controls", "most", "cases"});
    result.effect = {changes_from(member(entry, "locals"), locals_),
                     changes_from(member(entry, "controls"), controls_)};
    result.most = natural(member(entry, "most"), "how often a step is taken", most_firings);
    for (const json& inner : elements(member(entry, "cases"), "the cases")) {
      result.cases.push_back(cases_from(env, inner, depth + 1));
    }
    if (result.cases.size() != 2) misshapen("a case distinction: expected two cases");
    return result;
  }
  expect_members(entry, {"locals", "controls", "traps", "factors"});
  result.weighting = weighting_from(entry);
  for (const json& factor : elements(member(entry, "factors"), "the factors")) {
    result.factors.push_back(weight_from(factor));
  }
  if (result.factors.size() != depth) misshapen("the factors: expected one for each case");
  return result;
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
  for (DenseWeighting& weighting : weightings_) start(weighting, control, threads, any_number);
  for (DenseCases& cases : cases_) start(cases, control, threads, any_number);
  for (const std::uint32_t local : any_number) {
    if (!any_number_.empty()) any_number_[local] = true;
  }
}

void WeightingChecker::start(DenseWeighting& weighting, std::uint32_t control, const Multiset& threads,
                             const std::vector<std::uint32_t>& any_number) {
  for (const std::uint32_t local : any_number) {
    if (weighting.locals[local] > 0) refute("initial configurations weigh any amount");
  }
  weighting.start = std::max(weighting.start, weight_of(weighting, control, threads));
}

void WeightingChecker::start(DenseCases& cases, std::uint32_t control, const Multiset& threads,
                             const std::vector<std::uint32_t>& any_number) {
  if (cases.cases.empty()) start(cases.weighting, control, threads, any_number);
  for (DenseCases& inner : cases.cases) start(inner, control, threads, any_number);
}

WeightingChecker::Effect WeightingChecker::effect_of(std::uint32_t from, const Multiset& used, std::uint32_t to,
                                                     const Multiset& made) const {
  Effect effect;
  for (const auto& [local, count] : used) effect.locals[local] -= static_cast<std::int64_t>(count);
  for (const auto& [local, count] : made) effect.locals[local] += static_cast<std::int64_t>(count);
  std::erase_if(effect.locals, [&](const auto& change) { return change.second == 0 || any_number_[change.first]; });
  if (from != to) effect.controls = {{from, -1}, {to, 1}};
  return effect;
}

void WeightingChecker::check_cases(const DenseCases& cases, std::vector<Case>& way, const Effect& effect,
                                   std::uint32_t from, const Multiset& used, std::uint32_t to, const Multiset& made) {
  for (std::size_t i = 0; i < cases.cases.size(); ++i) {
    way.push_back({&cases, i == 1});
    check_cases(cases.cases[i], way, effect, from, used, to, made);
    way.pop_back();
  }
  if (!cases.cases.empty()) return;
  Sum allowed = 0;
  for (std::size_t i = 0; i < way.size(); ++i) {
    if (way[i].node->effect == effect) allowed += way[i].more ? -Sum{cases.factors[i]} : Sum{cases.factors[i]};
  }
  if (weight_of(cases.weighting, to, made) - weight_of(cases.weighting, from, used) > allowed) {
    refute("a step adds more weight than its case allows");
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
  if (cases_.empty()) return;
  const Effect effect = effect_of(from, used, to, made);
  std::vector<Case> way;
  for (const DenseCases& cases : cases_) check_cases(cases, way, effect, from, used, to, made);
}

void WeightingChecker::check_moved(std::uint32_t from, std::uint32_t to) const {
  COHORT_EXPECT(
      std::all_of(traps_.begin(), traps_.end(),
                  [&](const DenseTrap& trap) { return from < trap.locals.size() && to < trap.locals.size(); }),
      "threads move between local states that are listed");
  if (!cases_.empty()) refuse("case distinctions say nothing of programs that broadcast");
  for (const DenseTrap& trap : traps_) {
    if (trap.locals[from] && !trap.locals[to]) refute("a step may empty a trap");
  }
  for (const DenseWeighting& weighting : weightings_) {
    if (weighting.locals[to] > weighting.locals[from]) refute("a step adds weight");
  }
}

bool WeightingChecker::refutes(const DenseWeighting& weighting, Sum most, std::uint32_t control,
                               const Multiset& threads) const {
  Sum sum = weight_of(weighting, control, threads);
  for (const auto& [trap, factor] : weighting.factors) {
    if (!touches(traps_[trap], control, threads)) sum += factor;
  }
  return sum > most;
}

bool WeightingChecker::refutes(const DenseCases& cases, std::vector<Case>& way, std::uint32_t control,
                               const Multiset& threads) const {
  for (std::size_t i = 0; i < cases.cases.size(); ++i) {
    way.push_back({&cases, i == 1});
    const bool refuted = refutes(cases.cases[i], way, control, threads);
    way.pop_back();
    if (!refuted) return false;
  }
  if (!cases.cases.empty()) return true;
  Sum most = cases.weighting.start;
  for (std::size_t i = 0; i < way.size(); ++i) {
    const Sum often = way[i].node->most;
    most += way[i].more ? -Sum{cases.factors[i]} * (often + 1) : Sum{cases.factors[i]} * often;
  }
  return refutes(cases.weighting, most, control, threads);
}

bool WeightingChecker::refutes(std::uint32_t control, const Multiset& threads) const {
  const bool weighed = std::any_of(weightings_.begin(), weightings_.end(), [&](const DenseWeighting& weighting) {
    return refutes(weighting, weighting.start, control, threads);
  });
  if (weighed) return true;
  std::vector<Case> way;
  return std::any_of(cases_.begin(), cases_.end(),
                     [&](const DenseCases& cases) { return refutes(cases, way, control, threads); });
}

}  // namespace cohort::result
