// What a counter system can do, as a list: the transitions that are possible at all (see possible.hpp), the initial
// configurations, and the targets, the least configurations that violate a property.  Searches backwards, linear
// programs and directed searches work on it.
//
// Control states and places keep the numbers they have in the counter system.  A transition stands for a sequence of
// the system's rules, one of them unless the net has been reduced (reduce.hpp), so that an execution of the net is one
// of the system.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/env.hpp"
#include "engine/unbounded/counter_system.hpp"
#include "engine/unbounded/possible.hpp"
#include "engine/unbounded/unroll.hpp"

namespace cohort::engine::unbounded {

using TransitionId = std::uint32_t;

struct Transition {
  ControlId from = 0;
  ControlId to = 0;
  Tokens pre;
  Tokens post;
  std::uint32_t broadcast = none;  // as in the counter system
  std::vector<RuleId> rules;       // in the order in which they fire

  bool changes_nothing() const { return from == to && broadcast == none && pre == post; }
};

struct Target {
  Configuration least;
  Tokens whole_tokens;  // with the places that a reduction has dropped
  RuleId fault = none;  // the rule that faults there, if that is the violation
};

class Net {
 public:
  // All possible rules, or only some of them.
  Net(CounterSystem& system, const Possible& possible, const std::vector<RuleId>* rules = nullptr);

  CounterSystem& system() const { return *system_; }
  const Possible& possible() const { return *possible_; }
  // Does it have every rule, each as a transition of its own?
  bool is_whole() const { return whole_; }
  // Is it about some of the rules only?
  bool is_partial() const { return partial_; }

  const std::vector<Transition>& transitions() const { return transitions_; }
  const std::vector<Configuration>& initial() const { return initial_; }
  const std::vector<Target>& targets() const { return targets_; }
  std::size_t control_count() const { return system_->control_count(); }
  std::size_t place_count() const { return system_->place_count(); }

  // The execution of the system that fires these transitions and then covers the target, from an initial configuration
  // with as few threads as that needs.  Not for systems with broadcasts.
  Execution execution(const std::vector<TransitionId>& path, const Target& target) const;

  // What must be there after each rule of an execution that goes through these elements of a search backwards, one
  // before each transition and one at the end; `start` gets what must be there before the first.  For any system.
  std::vector<Tokens> goals(const std::vector<TransitionId>& path, const std::vector<Tokens>& elements,
                            const Target& target, Tokens& start) const;

  // Where a broadcast of a transition leads threads that it does not consume.
  std::span<const Place> passive(const Transition& transition, Place place) const {
    return system_->passive(transition.broadcast, place);
  }

 private:
  friend class Reducer;

  bool is_dropped(Place place) const { return place < dropped_.size() && dropped_[place]; }
  void add_target(ControlId control, const Tokens& tokens, RuleId fault = none) {
    targets_.push_back({{control, tokens}, tokens, fault});
  }
  void add_targets();
  void add_cover_targets(ControlId control, const model::Property& property);
  void choose_places(ControlId control, const std::vector<std::pair<model::TemplateId, model::LocId>>& wanted,
                     std::size_t index, const Tokens& chosen);

  CounterSystem* system_;
  const Possible* possible_;
  bool whole_ = true;
  bool partial_ = false;
  std::vector<Transition> transitions_;
  std::vector<Configuration> initial_;
  std::vector<Target> targets_;
  std::vector<bool> dropped_;  // places that a reduction has dropped; empty: none
};

}  // namespace cohort::engine::unbounded
