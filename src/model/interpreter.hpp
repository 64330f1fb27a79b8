// The concrete semantics of a Program for n threads: initial states, enabled steps, successors, violations.  Every
// engine is judged by it and every trace is replayed on it, so it is written to be plainly right, not fast.
//
// Interleaving, one edge at a time; while a thread is inside an atomic section no other moves.  At the bound on threads
// alive a spawn does nothing (where deadlocks are looked for, it blocks).  Where a step takes one of several threads in
// the same state, it takes the first: the others lead to the same state up to a permutation.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "model/step.hpp"

namespace cohort::model {

struct Transition {
  std::size_t thread = 0;  // slot of the thread that moves
  EdgeRef edge;
  State target;
  std::vector<std::size_t> spawned;  // slots of new threads, in order of creation
  std::optional<FaultKind>
      fault;  // set: the step faults in the edge's action `fault_action` and the target is the state before
  std::uint32_t fault_action = 0;

  auto operator<=>(const Transition&) const = default;
};

// How many threads each initial group may have: groups without a count share, in every way, what still fits under the
// bound. Throws InputError (unsupported) when the groups with a count alone exceed it.  `env`: as for the stepper.
std::vector<std::vector<std::uint32_t>> initial_thread_counts(const Program& program,
                                                              std::optional<std::uint32_t> bound, Env* env = nullptr);

class Interpreter {
 public:
  // `bound`: the most threads alive at a time; none for no bound.  `env`: as for the stepper.
  Interpreter(const Program& program, std::optional<std::uint32_t> bound, Env* env = nullptr);

  // See Stepper::choose_among().
  void choose_among(std::vector<Value> values) { stepper_.choose_among(std::move(values)); }

  const Program& program() const { return stepper_.program(); }
  const Stepper& stepper() const { return stepper_; }
  std::optional<std::uint32_t> bound() const { return bound_; }

  // Needs a bound where a group of initial threads has no count.
  std::vector<State> initial_states() const;
  // May the program start in `state`?  Without a bound, a group without a count may have any size.
  bool is_initial(const State& state) const;

  std::vector<Transition> successors(const State& state) const;
  // The steps of the thread in slot `thread` by one of its edges; empty when the edge is not enabled or the thread may
  // not move.
  std::vector<Transition> successors(const State& state, std::size_t thread, EdgeRef edge) const;

  // The first property that `state` violates by itself (faults belong to transitions).
  std::optional<PropertyId> violated(const State& state) const;

 private:
  void complete(const State& before, std::size_t thread, EdgeRef edge, Outcome outcome,
                std::vector<Transition>& results) const;
  void take(const Outcome& outcome, Transition partial, const std::vector<Take>& takes, std::size_t next,
            std::vector<bool>& taken, std::vector<Transition>& results) const;
  void broadcast(const Outcome& outcome, Transition partial, const std::vector<bool>& done,
                 std::vector<Transition>& results) const;
  bool ties_hold(const Broadcast& broadcast, const std::vector<std::optional<ThreadState>>& before, const State& after,
                 const std::vector<bool>& done) const;
  void finish(const Outcome& outcome, Transition partial, std::vector<Transition>& results) const;
  bool is_violated(const State& state, const Property& property) const;
  bool covers(const State& state, const Property& property) const;
  bool is_deadlock(const State& state) const;
  bool holds(const State& state, ExprId condition) const;

  void poll() const {
    if (env_ != nullptr) env_->poll("interpreter");
  }

  Stepper stepper_;
  Env* env_;
  std::optional<std::uint32_t> bound_;
  bool blocks_at_bound_;
};

}  // namespace cohort::model
