// The search loop, the same for every space: breadth first by scanning the store in the order of insertion (so traces
// are shortest), or depth first with a stack.  It ends at the first violation, at the fixpoint, or when the environment
// asks to stop.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/contract.hpp"
#include "base/env.hpp"
#include "engine/engine.hpp"
#include "engine/state_store.hpp"

namespace cohort::engine::explicit_ {

struct SearchOutcome {
  bool complete = false;                   // every reachable state was visited
  StateStore::Ref bad = StateStore::none;  // the state that violates, or that a faulting step leaves
  bool fault = false;
  std::optional<model::PropertyId> property;
  std::uint64_t transitions = 0;
  std::uint64_t explored = 0;  // states whose successors were all computed
  std::uint64_t depth = 0;     // breadth first: all states at most this many steps away were explored
};

inline void mark(std::vector<bool>& marks, StateStore::Ref ref) {
  if (marks.size() <= ref) marks.resize(std::max<std::size_t>(ref + 1, marks.size() * 2), false);
  marks[ref] = true;
}

// Calls visit for the steps of the current state that a search has explored, where `partial` says which states it has
// not expanded in full.
template <class Space, class Visit>
void for_each_explored(Space& space, const std::vector<bool>& partial, StateStore::Ref ref, Visit&& visit) {
  if constexpr (requires { space.pick_again(); }) {
    if (ref < partial.size() && partial[ref]) {
      space.pick_again();
      space.for_each_successor(visit, {.part = Space::Part::Picked});
      return;
    }
  }
  space.for_each_successor(visit);
}

template <class Space>
class Search {
 public:
  Search(Env& env, Space& space, StateStore& store, SearchOrder order)
      : env_(env), space_(space), store_(store), order_(order) {}

  // One step may have so many outcomes that a limit is reached within it; then the search ends all the same.
  SearchOutcome run() {
    try {
      space_.for_each_initial([&] {
        if (outcome_.bad == StateStore::none) meet(StateStore::none);
      });
      if (outcome_.bad == StateStore::none) search();
    } catch (const Stopped&) {
      COHORT_EXPECT(!outcome_.complete, "a search that was stopped has not visited all states");
    }
    return outcome_;
  }

  // After a complete search of a space that has more successors since: goes on until the store is closed under them.
  SearchOutcome close() {
    outcome_.complete = false;
    try {
      search();
    } catch (const Stopped&) {
      COHORT_EXPECT(!outcome_.complete, "a search that was stopped has not visited all states");
    }
    return outcome_;
  }

  // After a complete search: looks at every stored state once more.  Each step that was to be explored leads to a state
  // that is stored, and none of them violates a property.  True as well when a limit stopped it.
  bool is_closed() {
    COHORT_EXPECT(outcome_.complete, "what is not complete is not closed");
    bool closed = true;
    const std::uint64_t size = store_.size();
    for (StateStore::Ref ref = store_.begin(); ref != store_.end() && closed;) {
      if (env_.stop_requested("explicit-search")) return true;
      const std::uint8_t* word = store_.bytes(ref);
      const std::size_t length = static_cast<std::size_t>(space_.load(word) - word);
      const auto visit = [&](auto, const auto& transition) {
        closed = !transition.faults && !store_.insert(space_.encode_next(), ref).fresh && !space_.violated_by_next();
        return closed;
      };
      for_each_explored(space_, partial_, ref, visit);
      ref = store_.next(ref, length);
    }
    return closed && store_.size() == size;
  }

  // Which states were not expanded in full.
  const std::vector<bool>& partial() const { return partial_; }

  // Gives up when there are more.
  void limit_states(std::size_t most) { most_states_ = most; }

 private:
  void search() { order_ == SearchOrder::BreadthFirst ? breadth_first() : depth_first(); }

  void breadth_first() {
    StateStore::Ref level_end = store_.end();
    for (StateStore::Ref ref = store_.begin(); ref != store_.end();) {
      if (ref == level_end) {
        ++outcome_.depth;
        level_end = store_.end();
      }
      const std::uint8_t* word = store_.bytes(ref);
      const std::size_t length = static_cast<std::size_t>(space_.load(word) - word);
      if (!expand(ref)) return;
      ref = store_.next(ref, length);
    }
    outcome_.complete = true;
  }

  void depth_first() {
    for (StateStore::Ref ref = store_.begin(); ref != store_.end();) {
      stack_.push_back(ref);
      const std::uint8_t* word = store_.bytes(ref);
      ref = store_.next(ref, static_cast<std::size_t>(space_.load(word) - word));
    }
    while (!stack_.empty()) {
      const StateStore::Ref ref = stack_.back();
      stack_.pop_back();
      space_.load(store_.bytes(ref));
      if (!expand(ref)) return;
    }
    outcome_.complete = true;
  }

  bool expand(StateStore::Ref ref) {
    if (env_.stop_requested("explicit-search") || store_.size() > most_states_) return false;
    env_.report_progress([&] {
      return std::to_string(store_.size()) + " states, " + std::to_string(store_.size() - outcome_.explored) +
             " open, " + std::to_string(outcome_.transitions) + " transitions";
    });
    const std::uint64_t before = outcome_.transitions;
    const auto visit = [&](auto, const auto& transition) {
      ++outcome_.transitions;
      if (transition.faults) {
        outcome_.bad = ref;
        outcome_.fault = true;
        return false;
      }
      return meet(ref);
    };
    bool goes_on = false;
    if constexpr (requires { space_.pick(); }) {
      using Part = typename Space::Part;
      // A thread is not put off for ever: from each state that is not expanded in full, a step leads to one that is
      // expanded later.
      const bool picked = space_.pick();
      leads_on_ = false;
      goes_on = space_.for_each_successor(visit, {.part = picked ? Part::Picked : Part::All});
      if (picked && leads_on_) mark(partial_, ref);
      if (goes_on && picked && !leads_on_) goes_on = space_.for_each_successor(visit, {.part = Part::Rest});
    } else {
      goes_on = space_.for_each_successor(visit);
    }
    if (goes_on) ++outcome_.explored;
    return goes_on && (outcome_.transitions > before || !is_deadlock(ref));
  }

  bool is_deadlock(StateStore::Ref ref) {
    const auto property = space_.violated_by_deadlock();
    if (property) outcome_.bad = ref;
    outcome_.property = property;
    return property.has_value();
  }

  // Takes in the space's next state; false when it violates.
  bool meet(StateStore::Ref parent) {
    const auto [ref, fresh] = store_.insert(space_.encode_next(), parent);
    leads_on_ = leads_on_ || fresh || (order_ == SearchOrder::BreadthFirst && ref > parent);
    if (!fresh) return true;
    if (order_ == SearchOrder::DepthFirst && parent != StateStore::none) stack_.push_back(ref);
    const auto property = space_.violated_by_next();
    if (!property) return true;
    outcome_.bad = ref;
    outcome_.property = property;
    return false;
  }

  Env& env_;
  Space& space_;
  StateStore& store_;
  SearchOrder order_;
  std::size_t most_states_ = SIZE_MAX;
  std::vector<StateStore::Ref> stack_;
  std::vector<bool> partial_;  // by state
  bool leads_on_ = false;      // the state being expanded has a successor that is expanded later
  SearchOutcome outcome_;
};

}  // namespace cohort::engine::explicit_
