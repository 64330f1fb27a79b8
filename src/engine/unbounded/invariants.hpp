// Linear invariants of a net with traps, in exact arithmetic: what makes a solution of a linear program a proof.
//
// A *trap* is a set of places and control states that a transition which takes from it also gives to; one that holds a
// thread at the start always does.  A *weighting* gives each place and control state a weight, none negative, such that
// no transition makes the sum larger; so no reachable configuration weighs more than the heaviest initial one.  It may
// contain traps Q with factors z(Q): their members weigh at least z(Q), summed over all traps they belong to.
//
// A weighting *refutes* a configuration m: whatever is reachable and covers m weighs at least as much as m does, and
// z(Q) more for each trap Q of which m occupies nothing, since that trap must be occupied all the same.  If this is
// more than the heaviest initial configuration weighs, nothing reachable covers m.  A broadcast that leads threads from
// a to b needs weight(b) <= weight(a), and a trap with a must have b; so resets and transfers are no different.
//
// Where numbers of firings that are no whole numbers are what keeps weights from refuting, a *case distinction* helps:
// transitions with a certain effect fire at most k times, or more often than that.  Each case has a weighting of its
// own, in which transitions with that effect may add up to z in the first case and must lose z in the second; then
// k * z more, or (k + 1) * z less, than at the start can be there in the end.  A tree of cases refutes what every one
// of its leaves refutes.  Not for nets with broadcasts, whose effects are not constant.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "engine/unbounded/net.hpp"

namespace cohort::engine::unbounded {

using Weight = std::int64_t;

struct Trap {
  std::vector<bool> places;
  std::vector<bool> controls;

  bool touches(ControlId control, TokenView tokens) const;
};

struct Weighting {
  std::vector<Weight> places;
  std::vector<Weight> controls;
  Weight start = 0;                                       // the weight of the heaviest initial configuration
  std::vector<std::pair<std::uint32_t, Weight>> factors;  // traps, and how much they count
};

// What a transition changes, places with any number of threads at a start left out.
struct Effect {
  std::vector<std::pair<Place, std::int64_t>> places;
  std::vector<std::pair<ControlId, std::int64_t>> controls;

  auto operator<=>(const Effect&) const = default;
};

// A leaf has no cases; an inner node two: `effect` is fired at most `most` times, or more often.
struct Cases {
  Effect effect;
  std::uint32_t most = 0;
  std::vector<Cases> cases;
  // Leaf: `start` is what can be there in this case, and one factor z for each node on the way from the root.
  Weighting weighting;
  std::vector<Weight> factors;
};

class Invariants {
 public:
  const std::vector<Trap>& traps() const { return traps_; }
  const std::vector<Weighting>& weightings() const { return weightings_; }
  const std::vector<Cases>& cases() const { return cases_; }
  bool empty() const { return weightings_.empty() && cases_.empty(); }

  // Keep it if it is one, verified in exact arithmetic; false: it is not.
  bool add_trap(const Net& net, Trap trap);
  bool add_weighting(const Net& net, Weighting weighting);
  bool add_cases(const Net& net, Cases cases);

  // Does some weighting show that nothing reachable covers this?
  bool refutes(ControlId control, TokenView tokens) const;

 private:
  bool counts_traps(const Net& net, const Weighting& weighting) const;
  bool is_decreasing(const Net& net, const Weighting& weighting) const;
  bool sets_start(const Net& net, Weighting& weighting) const;
  bool refutes(const Weighting& weighting, ControlId control, TokenView tokens) const;
  bool refutes(const Cases& cases, ControlId control, TokenView tokens) const;
  struct Case {
    const Cases* node = nullptr;
    bool more = false;
  };
  bool holds(const Net& net, const std::vector<Effect>& effects, Cases& cases, std::vector<Case>& way) const;
  bool holds_at_leaf(const Net& net, const std::vector<Effect>& effects, Cases& leaf,
                     const std::vector<Case>& way) const;

  std::vector<Trap> traps_;
  std::vector<Weighting> weightings_;
  std::vector<Cases> cases_;
};

std::vector<bool> places_with_any_number(const Net& net);
Effect effect_of(const Transition& transition, const std::vector<bool>& any_number);

}  // namespace cohort::engine::unbounded
