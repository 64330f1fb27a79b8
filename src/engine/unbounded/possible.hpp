// Which thread states could be reachable at all?  A cheap over-approximation: a set of places for each control state
// that forgets how many threads there are and which places are occupied together (thread-modular reasoning, Flanagan
// and Qadeer 2003).  It makes every rule known that can matter, shows at once many systems safe, and lets the backward
// search drop what names an impossible place.
//
// Invariants at the end: the places of every initial configuration are possible in its control state; if all places
// that a rule consumes are possible in its source, then in its target all that it produces is possible, and so is
// wherever threads that it does not consume may be afterwards.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/env.hpp"
#include "engine/unbounded/counter_system.hpp"
#include "model/analysis/bit_set.hpp"

namespace cohort::engine::unbounded {

// What a thread does to a broadcast that can make nothing of it: it blocks, and since such programs are not monotone
// they are refused; or it is taken to disappear (see drop_closure.hpp).
enum class Blocking : std::uint8_t { Refused, Dropped };

class Possible {
 public:
  // With Blocking::Refused, throws InputError (unsupported) where a broadcast can block.
  Possible(Env& env, CounterSystem& system, Blocking blocking = Blocking::Refused);

  // False: a limit stopped the computation and nothing is known.
  bool complete() const { return complete_; }
  bool is_reached(ControlId control) const { return control < reached_.size() && reached_[control]; }
  bool contains(ControlId control, Place place) const {
    if (!is_reached(control)) return false;
    return place < places_[control].size() && places_[control].contains(place);
  }
  bool contains_all(ControlId control, TokenView tokens) const {
    for (const Token& token : tokens) {
      if (!contains(control, token.place)) return false;
    }
    return is_reached(control);
  }
  // Can a broadcast block?  Then which, as people name it.
  bool may_block() const { return !blocked_.empty(); }
  const std::string& blocked() const { return blocked_; }
  // Do the invariants above hold?  Checked before what rests on them is called safe.
  bool is_closed() const;
  std::vector<Place> places(ControlId control) const;
  const std::vector<RuleId>& live_rules() const { return live_rules_; }

 private:
  void add(ControlId control, Place place);
  void reach(ControlId control);
  void queue(ControlId control);
  void process(ControlId control);
  void propagate(const Rule& rule);
  bool contains_others(const Rule& rule) const;
  void note_blocking(const Rule& rule);

  CounterSystem* system_;
  Blocking blocking_;
  std::string blocked_;
  bool complete_ = false;
  std::vector<bool> reached_;
  std::vector<model::BitSet> places_;
  std::vector<bool> queued_;
  std::vector<ControlId> queue_;
  std::vector<RuleId> live_rules_;
};

}  // namespace cohort::engine::unbounded
