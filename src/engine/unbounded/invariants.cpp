#include "engine/unbounded/invariants.hpp"

#include <algorithm>
#include <map>

#include "base/contract.hpp"

namespace cohort::engine::unbounded {

namespace {

// Weights and counts are below 2^62 and 2^32 and sums have fewer than 2^32 members, so that 128 bits hold them all.
using Sum = __int128;
constexpr Weight most_weight = Weight{1} << 62U;

Sum weight_of(const Weighting& weighting, ControlId control, TokenView tokens) {
  Sum sum = weighting.controls[control];
  for (const Token& token : tokens) sum += Sum{weighting.places[token.place]} * token.count;
  return sum;
}

// Does `visit(from, to)` hold for every way that a broadcast may lead a thread?
template <class Visit>
bool for_each_passive(const Net& net, Visit&& visit) {
  for (const Transition& transition : net.transitions()) {
    if (transition.broadcast == none) continue;
    for (const Place place : net.possible().places(transition.from)) {
      for (const Place after : net.passive(transition, place)) {
        if (!visit(place, after)) return false;
      }
    }
  }
  return true;
}

}  // namespace

bool Trap::touches(ControlId control, TokenView tokens) const {
  return controls[control] ||
         std::any_of(tokens.begin(), tokens.end(), [&](const Token& token) { return places[token.place]; });
}

bool Invariants::add_trap(const Net& net, Trap trap) {
  COHORT_EXPECT(trap.places.size() == net.place_count() && trap.controls.size() == net.control_count(),
                "a trap says of every place whether it belongs to it");
  for (const Configuration& start : net.initial()) {
    const bool occupied =
        trap.controls[start.control] || std::any_of(start.tokens.begin(), start.tokens.end(), [&](const Token& token) {
          return trap.places[token.place] && token.count != omega;
        });
    if (!occupied) return false;
  }
  for (const Transition& transition : net.transitions()) {
    if (trap.touches(transition.from, transition.pre) && !trap.touches(transition.to, transition.post)) return false;
  }
  const bool kept =
      for_each_passive(net, [&](Place place, Place after) { return !trap.places[place] || trap.places[after]; });
  if (kept) traps_.push_back(std::move(trap));
  return kept;
}

bool Invariants::add_weighting(const Net& net, Weighting weighting) {
  COHORT_EXPECT(weighting.places.size() == net.place_count() && weighting.controls.size() == net.control_count(),
                "a weighting says of every place what it weighs");
  if (!is_decreasing(net, weighting) || !sets_start(net, weighting)) return false;
  weightings_.push_back(std::move(weighting));
  return true;
}

// None is negative or too large, and members of traps weigh what their traps count.
bool Invariants::counts_traps(const Net& net, const Weighting& weighting) const {
  // What the traps demand of each member.
  std::vector<Sum> least_places(net.place_count(), 0);
  std::vector<Sum> least_controls(net.control_count(), 0);
  for (const auto& [trap, factor] : weighting.factors) {
    if (factor < 0 || factor > most_weight) return false;
    for (std::size_t i = 0; i < least_places.size(); ++i) least_places[i] += traps_[trap].places[i] ? factor : 0;
    for (std::size_t i = 0; i < least_controls.size(); ++i) least_controls[i] += traps_[trap].controls[i] ? factor : 0;
  }
  for (std::size_t i = 0; i < least_places.size(); ++i) {
    if (weighting.places[i] < least_places[i] || weighting.places[i] > most_weight) return false;
  }
  for (std::size_t i = 0; i < least_controls.size(); ++i) {
    if (weighting.controls[i] < least_controls[i] || weighting.controls[i] > most_weight) return false;
  }
  return true;
}

bool Invariants::is_decreasing(const Net& net, const Weighting& weighting) const {
  if (!counts_traps(net, weighting)) return false;
  for (const Transition& transition : net.transitions()) {
    if (weight_of(weighting, transition.to, transition.post) > weight_of(weighting, transition.from, transition.pre))
      return false;
  }
  return for_each_passive(net,
                          [&](Place place, Place after) { return weighting.places[after] <= weighting.places[place]; });
}

bool Invariants::sets_start(const Net& net, Weighting& weighting) const {
  Sum most = 0;
  for (const Configuration& start : net.initial()) {
    for (const Token& token : start.tokens) {
      if (token.count == omega && weighting.places[token.place] > 0) return false;
    }
    most = std::max(most, weight_of(weighting, start.control, start.tokens));
  }
  if (most > most_weight) return false;
  weighting.start = static_cast<Weight>(most);
  return true;
}

std::vector<bool> places_with_any_number(const Net& net) {
  std::vector<bool> any_number(net.place_count(), false);
  for (const Configuration& start : net.initial()) {
    for (const Token& token : start.tokens) any_number[token.place] = any_number[token.place] || token.count == omega;
  }
  return any_number;
}

Effect effect_of(const Transition& transition, const std::vector<bool>& any_number) {
  Effect effect;
  std::map<Place, std::int64_t> changes;
  for (const Token& token : transition.pre) changes[token.place] -= token.count;
  for (const Token& token : transition.post) changes[token.place] += token.count;
  for (const auto& [place, change] : changes) {
    if (change != 0 && !any_number[place]) effect.places.emplace_back(place, change);
  }
  if (transition.from != transition.to) {
    effect.controls = {{transition.from, -1}, {transition.to, 1}};
    std::sort(effect.controls.begin(), effect.controls.end());
  }
  return effect;
}

bool Invariants::add_cases(const Net& net, Cases cases) {
  if (net.system().has_broadcasts()) return false;
  const std::vector<bool> any_number = places_with_any_number(net);
  std::vector<Effect> effects;
  for (const Transition& transition : net.transitions()) effects.push_back(effect_of(transition, any_number));
  std::vector<Case> way;
  if (!holds(net, effects, cases, way)) return false;
  cases_.push_back(std::move(cases));
  return true;
}

bool Invariants::holds(const Net& net, const std::vector<Effect>& effects, Cases& cases, std::vector<Case>& way) const {
  if (cases.cases.empty()) return holds_at_leaf(net, effects, cases, way);
  COHORT_EXPECT(cases.cases.size() == 2, "at most so often, and more often");
  for (const bool more : {false, true}) {
    way.push_back({&cases, more});
    const bool fine = holds(net, effects, cases.cases[more ? 1 : 0], way);
    way.pop_back();
    if (!fine) return false;
  }
  return true;
}

bool Invariants::holds_at_leaf(const Net& net, const std::vector<Effect>& effects, Cases& leaf,
                               const std::vector<Case>& way) const {
  Weighting& weighting = leaf.weighting;
  COHORT_EXPECT(leaf.factors.size() == way.size(), "a factor for each case");
  if (!counts_traps(net, weighting) || !sets_start(net, weighting)) return false;
  Sum allowance = weighting.start;
  for (std::size_t i = 0; i < way.size(); ++i) {
    if (leaf.factors[i] < 0 || leaf.factors[i] > most_weight) return false;
    const Sum most = way[i].node->most;
    allowance += way[i].more ? -Sum{leaf.factors[i]} * (most + 1) : Sum{leaf.factors[i]} * most;
  }
  for (std::size_t t = 0; t < net.transitions().size(); ++t) {
    const Transition& transition = net.transitions()[t];
    Sum gain =
        weight_of(weighting, transition.to, transition.post) - weight_of(weighting, transition.from, transition.pre);
    for (std::size_t i = 0; i < way.size(); ++i) {
      if (way[i].node->effect == effects[t]) gain += way[i].more ? leaf.factors[i] : -leaf.factors[i];
    }
    if (gain > 0) return false;
  }
  if (allowance > most_weight || allowance < -most_weight) return false;
  weighting.start = static_cast<Weight>(allowance);
  return true;
}

bool Invariants::refutes(const Cases& cases, ControlId control, TokenView tokens) const {
  if (cases.cases.empty()) return refutes(cases.weighting, control, tokens);
  return std::all_of(cases.cases.begin(), cases.cases.end(),
                     [&](const Cases& one) { return refutes(one, control, tokens); });
}

bool Invariants::refutes(ControlId control, TokenView tokens) const {
  return std::any_of(weightings_.begin(), weightings_.end(),
                     [&](const Weighting& weighting) { return refutes(weighting, control, tokens); }) ||
         std::any_of(cases_.begin(), cases_.end(), [&](const Cases& cases) { return refutes(cases, control, tokens); });
}

bool Invariants::refutes(const Weighting& weighting, ControlId control, TokenView tokens) const {
  Sum sum = weight_of(weighting, control, tokens);
  for (const auto& [trap, factor] : weighting.factors) {
    if (!traps_[trap].touches(control, tokens)) sum += factor;
  }
  return sum > weighting.start;
}

}  // namespace cohort::engine::unbounded
