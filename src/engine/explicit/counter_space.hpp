// Explicit counter abstraction (BOOM, section 5 and algorithm 1): a global state is <s, {(l1, n1), ..., (lk, nk)}>, a
// shared state and, for each local state that some thread is in, how many are.  Threads in the same local state are
// interchangeable, so one representative of each pair moves. States are exactly the orbits of the interpreter's states
// under permutation of threads.
//
// With nameless objects, states are furthermore taken up to the places of objects on the heap (heap_names.hpp).
//
// Cells are sorted by local state and all counts are positive, which makes the form canonical.  The code word of a
// state is: shared state, number of cells, then for each cell the distance to the previous local state and, unless it
// is 1, the count.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "engine/explicit/codec.hpp"
#include "engine/explicit/heap_names.hpp"
#include "engine/explicit/persistent.hpp"
#include "engine/explicit/violation_check.hpp"
#include "model/thread_system.hpp"

namespace cohort::engine::explicit_ {

// `count` passive threads went from one local state to another, or ended.
struct PassiveChange {
  model::LocalId from = 0;
  model::LocalId to = model::no_id;
  std::uint32_t count = 0;
};

class CounterSpace {
 public:
  using Transition = model::ThreadSystem::Transition;

  // `reduce`: skip interleavings that make no difference.
  CounterSpace(model::ThreadSystem& system, std::uint32_t bound, bool reduce = false);
  // Skips nothing from now on.
  void explore_in_full() { persistent_.reset(); }
  // Objects on the heap have no names from now on; before the first state is visited.
  void forget_names() { names_.emplace(system_); }
  // None: they have.
  HeapNames* names() { return names_ ? &*names_ : nullptr; }
  // Is a thread of the next state inside an atomic section?  Then objects stay where they are.
  bool is_next_inside() const;

  // Calls visit() for each initial state, which is then next().
  template <class Visit>
  void for_each_initial(Visit&& visit);

  // Makes the state with this code word the current one; returns the end of the code word.
  const std::uint8_t* load(const std::uint8_t* word);
  // Which threads may move: those in one local state, those in any other, those that pick() chose, the rest of them, or
  // all.
  enum class Part : std::uint8_t { All, Picked, Rest };
  struct Movers {
    model::LocalId only = model::no_id;
    model::LocalId except = model::no_id;
    Part part = Part::All;
  };

  // Looks for threads of the current state whose steps are enough to explore, if one of them leads to a state that is
  // expanded later; false: all threads must move.
  bool pick();
  // Chooses the same threads again, in a state where pick() found some.
  void pick_again();

  // Calls visit(active local state, transition) for each successor, which is then next(); stops when visit returns
  // false.
  template <class Visit>
  bool for_each_successor(Visit&& visit, const Movers& movers);
  template <class Visit>
  bool for_each_successor(Visit&& visit) {
    return for_each_successor(std::forward<Visit>(visit), Movers{});
  }

  model::SharedId shared() const { return shared_; }
  const std::vector<Cell>& cells() const { return cells_; }
  model::SharedId next_shared() const { return next_shared_; }
  const std::vector<Cell>& next_cells() const { return next_; }
  // The same two as lists of members, as the workers of a partitioned search exchange them, and a next state made of
  // such a list, which need not be sorted.
  std::span<const Cell> members() const { return cells_; }
  std::span<const Cell> next_members() const { return next_; }
  void set_next(model::SharedId shared, std::span<const Cell> members);
  std::span<const std::uint8_t> encode_next();
  std::optional<model::PropertyId> violated_by_next() { return violation_(next_shared_, next_); }
  std::optional<model::PropertyId> violated_by_current() { return violation_(shared_, cells_); }
  // Does the system know all numbers of the current state?  Others may have given some.
  bool knows_current() const {
    return shared_ < system_.shared_count() && (cells_.empty() || cells_.back().local < system_.local_count());
  }
  // If the current state has no successor.
  std::optional<model::PropertyId> violated_by_deadlock() const { return violation_.deadlock(cells_); }
  const ViolationCheck& violation() const { return violation_; }
  // Calls visit(local state) for each that some thread is in.
  template <class Visit>
  void for_each_local(Visit&& visit) const {
    for (const Cell& cell : cells_) visit(cell.local);
  }
  bool is_inside(model::LocalId local) const { return system_.is_atomic(local); }
  // The local state of the thread that a successor is visited with.
  static model::LocalId local_of(model::LocalId active) { return active; }
  // What the transition just visited did to other threads, and how many threads it created.
  std::span<const PassiveChange> passive_changes() const { return changes_; }
  std::uint32_t spawned() const { return spawned_; }
  // Has a thread not been created because of the bound?
  bool bound_reached() const { return bound_reached_; }

 private:
  static void add(std::vector<Cell>& cells, model::LocalId local, std::uint32_t count = 1);
  static void remove(std::vector<Cell>& cells, model::LocalId local, std::uint32_t count = 1);

  bool arrive(const Transition& transition);
  // May the threads in changes_ become what they do, where the broadcast ties them to each other?
  bool ties_hold(model::LocalId active, const Transition& transition) const;
  template <class Visit>
  bool take(model::LocalId active, const Transition& transition, std::size_t index, Visit&& visit);
  template <class Visit>
  bool broadcast(model::LocalId active, const Transition& transition, std::size_t cell, Visit&& visit);
  template <class Visit>
  bool spread(model::LocalId active, const Transition& transition, std::size_t cell, std::size_t choice,
              std::uint32_t remaining, Visit&& visit);
  template <class Visit>
  void place_initial(const std::vector<std::vector<model::LocalId>>& starts, const std::vector<std::uint32_t>& counts,
                     std::size_t group, std::size_t choice, std::uint32_t remaining, Visit&& visit);
  bool initial_condition_holds(const model::Valuation& shared) const;
  std::vector<std::vector<std::uint32_t>> initial_counts() const;

  model::ThreadSystem& system_;
  std::uint32_t bound_;
  bool blocks_at_bound_;
  ViolationCheck violation_;
  std::optional<Persistent> persistent_;
  std::optional<HeapNames> names_;
  std::vector<bool> picked_;  // by cell
  model::SharedId shared_ = 0;
  std::vector<Cell> cells_;
  model::SharedId next_shared_ = 0;
  std::vector<Cell> next_;
  std::vector<Cell> passive_;  // during a step that concerns others: the threads not yet dealt with
  std::vector<PassiveChange> changes_;
  std::uint32_t spawned_ = 0;
  bool bound_reached_ = false;
  std::vector<std::uint8_t> word_;
};

template <class Visit>
bool CounterSpace::for_each_successor(Visit&& visit, const Movers& movers) {
  // No other thread moves while one is inside an atomic section.
  model::LocalId only = model::no_id;
  for (const Cell& cell : cells_) {
    if (system_.is_atomic(cell.local)) only = cell.local;
  }
  for (std::size_t i = 0; i < cells_.size(); ++i) {
    const model::LocalId active = cells_[i].local;
    if (movers.part != Part::All && picked_[i] != (movers.part == Part::Picked)) continue;
    if (only != model::no_id && active != only) continue;
    if (active == movers.except || (movers.only != model::no_id && active != movers.only)) continue;
    for (const Transition& transition : system_.successors(shared_, active)) {
      next_shared_ = transition.shared;
      changes_.clear();
      spawned_ = 0;
      if (transition.takes || transition.broadcast != model::no_id) {
        passive_ = cells_;
        remove(passive_, active);
        next_.clear();
        if (!take(active, transition, 0, visit)) return false;
        continue;
      }
      next_ = cells_;
      remove(next_, active);
      if (!arrive(transition)) continue;
      if (names_ && !is_next_inside()) names_->settle(next_shared_, next_);
      if (!visit(active, transition)) return false;
    }
  }
  return true;
}

// One other thread for each take from number `index` on; taken threads go to next_, the rest stays in passive_.
template <class Visit>
bool CounterSpace::take(model::LocalId active, const Transition& transition, std::size_t index, Visit&& visit) {
  const std::size_t wanted = transition.takes ? system_.takes(active, transition).size() : 0;
  if (index == wanted) return broadcast(active, transition, 0, visit);
  const model::Take take_one = system_.takes(active, transition)[index];
  for (std::size_t i = 0; i < passive_.size(); ++i) {
    const model::LocalId from = passive_[i].local;
    const model::ThreadState& thread = system_.local(from);
    if (thread.templ != take_one.templ || thread.location != take_one.from) continue;
    const model::LocalId to = take_one.to ? system_.moved(from, *take_one.to) : model::no_id;
    remove(passive_, from);
    if (to != model::no_id) add(next_, to);
    changes_.push_back({from, to, 1});
    const bool goes_on = take(active, transition, index + 1, visit);
    changes_.pop_back();
    if (to != model::no_id) remove(next_, to);
    add(passive_, from);
    if (!goes_on) return false;
  }
  return true;
}

// Every passive thread from cell number `cell` on chooses what it becomes; threads of one cell are interchangeable, so
// that only the numbers count.
template <class Visit>
bool CounterSpace::broadcast(model::LocalId active, const Transition& transition, std::size_t cell, Visit&& visit) {
  if (cell < passive_.size()) return spread(active, transition, cell, 0, passive_[cell].count, visit);
  if (!ties_hold(active, transition)) return true;
  const std::vector<Cell> others = next_;
  const bool goes_on = !arrive(transition) || visit(active, transition);
  next_ = others;
  spawned_ = 0;
  return goes_on;
}

template <class Visit>
bool CounterSpace::spread(model::LocalId active, const Transition& transition, std::size_t cell, std::size_t choice,
                          std::uint32_t remaining, Visit&& visit) {
  const model::LocalId from = passive_[cell].local;
  const bool moves = transition.broadcast != model::no_id;
  const std::span<const model::LocalId> choices =
      moves ? system_.passive_successors(transition.broadcast, from) : std::span<const model::LocalId>(&from, 1);
  if (choices.empty()) return true;  // a thread that cannot follow blocks the step
  const bool last = choice + 1 == choices.size();
  for (std::uint32_t count = last ? remaining : 0; count <= remaining; ++count) {
    const model::LocalId to = choices[choice];
    if (count > 0) add(next_, to, count);
    changes_.push_back({from, to, count});
    const bool goes_on = last ? broadcast(active, transition, cell + 1, visit)
                              : spread(active, transition, cell, choice + 1, remaining - count, visit);
    changes_.pop_back();
    if (count > 0) remove(next_, to, count);
    if (!goes_on) return false;
  }
  return true;
}

template <class Visit>
void CounterSpace::for_each_initial(Visit&& visit) {
  const model::Program& program = system_.program();
  std::vector<std::vector<model::LocalId>> starts;
  for (const model::InitialThreads& group : program.initial) {
    auto& locals = starts.emplace_back();
    for (model::Valuation& values : system_.stepper().initial_valuations(program.templ(group.templ).locals)) {
      locals.push_back(system_.intern_local({group.templ, group.location, false, std::move(values)}));
    }
  }
  for (const model::Valuation& shared : system_.stepper().initial_valuations(program.shared)) {
    if (!initial_condition_holds(shared)) continue;
    next_shared_ = system_.intern_shared(shared);
    for (const auto& counts : initial_counts()) {
      next_.clear();
      place_initial(starts, counts, 0, 0, counts.empty() ? 0 : counts[0], visit);
    }
  }
}

// Gives the `remaining` threads of `group` its start states from number `choice` on, in all ways up to permutation.
template <class Visit>
void CounterSpace::place_initial(const std::vector<std::vector<model::LocalId>>& starts,
                                 const std::vector<std::uint32_t>& counts, std::size_t group, std::size_t choice,
                                 std::uint32_t remaining, Visit&& visit) {
  if (group == counts.size()) {
    visit();
    return;
  }
  const bool last = choice + 1 == starts[group].size();
  for (std::uint32_t count = last ? remaining : 0; count <= remaining; ++count) {
    if (count > 0) add(next_, starts[group][choice], count);
    if (last) {
      const std::uint32_t following = group + 1 < counts.size() ? counts[group + 1] : 0;
      place_initial(starts, counts, group + 1, 0, following, visit);
    } else {
      place_initial(starts, counts, group, choice + 1, remaining - count, visit);
    }
    if (count > 0) remove(next_, starts[group][choice], count);
  }
}

}  // namespace cohort::engine::explicit_
