// Search by deviations from a schedule.  The schedule lets the thread that moved last go on as long as it can, and then
// the next one that can move, in the cyclic order of the numbers of local states.  A step of any other thread is a
// deviation.  All states that need none are explored, then those that need one, and so on.  Most bugs need very few
// untimely switches (Musuvathi and Qadeer, Iterative context bounding, PLDI 2007; Emmi, Qadeer and Rakamaric,
// Delay-bounded scheduling, POPL 2011), so they are met however long the executions are that lead to them, where a
// breadth-first search drowns in interleavings of the long way there.  Nothing is approximated: with enough deviations
// every state is reached, and a search that ends has seen all of them.
//
// A stored state is a counter state and the local state of the thread that moved last, `last`: a state may need more
// deviations with one thread in that role than with another.  The code word is that of the counter state followed by
// `last` plus one, or 0 where the thread has ended and at the start.  Which of several threads in one local state moved
// last makes no difference, since they are interchangeable.
//
// Invariant: when the states that need k deviations are being explored, all that need fewer are stored.  So a state is
// stored when it is first met, and the steps of others are taken after the level is complete, from `open_`.
//
// Rejected: counting preemptions only, so that after a thread has ended or must wait every other one goes on for free.
// With a dozen threads that are told apart by their data, the orders in which they run one after the other are already
// too many.  Cost: at most as many stored states as there are states times local states in them.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/explicit/codec.hpp"
#include "engine/explicit/counter_space.hpp"
#include "engine/explicit/search.hpp"

namespace cohort::engine::explicit_ {

class DeviationSearch {
 public:
  DeviationSearch(Env& env, CounterSpace& space, StateStore& store) : env_(env), space_(space), store_(store) {}

  // SearchOutcome::depth is one more than the number of deviations that have been explored in full.
  SearchOutcome run();

 private:
  // Both return false when the search ends: at a violation or at a limit.
  bool explore_level();
  bool deviate(const std::vector<StateStore::Ref>& states);
  // Takes the steps of the threads that `movers` allows; returns whether to go on.
  bool expand(StateStore::Ref ref, const CounterSpace::Movers& movers);
  // The steps of the first thread after `last` that can move.
  bool expand_next(StateStore::Ref ref, model::LocalId last);
  bool meet(StateStore::Ref parent, model::LocalId last);
  // Makes the state current and returns which local state moved last.
  model::LocalId load(StateStore::Ref ref);
  void report();

  Env& env_;
  CounterSpace& space_;
  StateStore& store_;
  std::vector<StateStore::Ref> queue_;    // the states of this level
  std::vector<StateStore::Ref> open_;     // those of them in which the schedule has a step
  std::vector<model::LocalId> schedule_;  // of the current state
  std::vector<std::uint8_t> word_;
  SearchOutcome outcome_;
};

}  // namespace cohort::engine::explicit_
