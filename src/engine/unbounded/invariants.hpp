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

class Invariants {
 public:
  const std::vector<Trap>& traps() const { return traps_; }
  const std::vector<Weighting>& weightings() const { return weightings_; }
  bool empty() const { return weightings_.empty(); }

  // Keep it if it is one, verified in exact arithmetic; false: it is not.
  bool add_trap(const Net& net, Trap trap);
  bool add_weighting(const Net& net, Weighting weighting);

  // Does some weighting show that nothing reachable covers this?
  bool refutes(ControlId control, TokenView tokens) const;

 private:
  bool is_decreasing(const Net& net, const Weighting& weighting) const;
  bool sets_start(const Net& net, Weighting& weighting) const;
  bool refutes(const Weighting& weighting, ControlId control, TokenView tokens) const;

  std::vector<Trap> traps_;
  std::vector<Weighting> weightings_;
};

}  // namespace cohort::engine::unbounded
