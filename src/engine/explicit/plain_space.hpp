// Plain explicit states: a shared state and, for each thread slot, the local state of the thread in it or nothing.
// Permuted states are different states.  This is the baseline that counter abstraction is measured against and, being
// closest to the interpreter, its oracle.
//
// The code word of a state is: shared state, number of slots, then for each slot the local state plus one, or 0.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "engine/explicit/codec.hpp"
#include "engine/explicit/reduction.hpp"
#include "engine/explicit/violation_check.hpp"
#include "model/interpreter.hpp"
#include "model/thread_system.hpp"

namespace cohort::engine::explicit_ {

class PlainSpace {
 public:
  using Transition = model::ThreadSystem::Transition;
  using Slots = std::vector<model::LocalId>;  // no_id: empty

  // `reduce`: skip interleavings that make no difference.
  PlainSpace(model::ThreadSystem& system, std::uint32_t bound, bool reduce = false);

  template <class Visit>
  void for_each_initial(Visit&& visit);
  const std::uint8_t* load(const std::uint8_t* word);
  // Calls visit(slot of the active thread, transition) for each successor, which is then next(); stops when visit
  // returns false.
  template <class Visit>
  bool for_each_successor(Visit&& visit);
  // The same, with steps of the thread in `wanted` only.
  template <class Visit>
  bool for_each_successor(Visit&& visit, std::size_t wanted);

  model::SharedId shared() const { return shared_; }
  const Slots& slots() const { return slots_; }
  model::SharedId next_shared() const { return next_shared_; }
  const Slots& next_slots() const { return next_; }
  // The same two as lists of members, one for each slot, where no_id is an empty one; valid until the next call.
  std::span<const Cell> members() { return list_members(slots_); }
  std::span<const Cell> next_members() { return list_members(next_); }
  void set_next(model::SharedId shared, std::span<const Cell> members);
  // Slots of the threads that the transition just visited created.
  const std::vector<std::size_t>& spawned() const { return spawned_; }
  std::span<const std::uint8_t> encode_next();
  std::optional<model::PropertyId> violated_by_next();
  std::optional<model::PropertyId> violated_by_current();
  // Does the system know all numbers of the current state?  Others may have given some.
  bool knows_current() const;
  // If the current state has no successor.
  std::optional<model::PropertyId> violated_by_deadlock();
  const ViolationCheck& violation() const { return violation_; }
  template <class Visit>
  void for_each_local(Visit&& visit) const {
    for (const model::LocalId local : slots_) {
      if (local != model::no_id) visit(local);
    }
  }
  bool is_inside(model::LocalId local) const { return system_.is_atomic(local); }
  model::LocalId local_of(std::size_t slot) const { return slots_[slot]; }

 private:
  static constexpr std::size_t any_slot = SIZE_MAX;

  void list_cells(const Slots& slots);
  std::span<const Cell> list_members(const Slots& slots);
  // Is this the first of the threads in its local state that can still be taken?  As in the interpreter, it is taken
  // for all of them.
  bool stands_for_its_like(std::size_t slot) const;
  template <class Visit>
  bool take(std::size_t slot, const Transition& transition, std::size_t index, Visit&& visit);
  template <class Visit>
  bool broadcast(std::size_t slot, const Transition& transition, std::size_t passive, Visit&& visit);
  // May the passive threads become what they do, where the broadcast ties them to each other?
  bool ties_hold(const Transition& transition) const;
  template <class Visit>
  bool finish(std::size_t slot, const Transition& transition, Visit&& visit);

  model::ThreadSystem& system_;
  std::uint32_t bound_;
  bool blocks_at_bound_;
  ViolationCheck violation_;
  std::optional<Reduction> reduction_;
  model::SharedId shared_ = 0;
  Slots slots_;
  model::SharedId next_shared_ = 0;
  Slots next_;
  std::vector<bool> done_;  // slots that a step has dealt with already
  std::vector<std::size_t> spawned_;
  std::vector<Cell> cells_;
  std::vector<std::uint8_t> word_;
};

template <class Visit>
void PlainSpace::for_each_initial(Visit&& visit) {
  const model::Interpreter interpreter(system_.program(), bound_);
  for (const model::State& state : interpreter.initial_states()) {
    next_shared_ = system_.intern_shared(state.shared);
    next_.clear();
    for (const auto& thread : state.threads) next_.push_back(system_.intern_local(*thread));
    visit();
  }
}

template <class Visit>
bool PlainSpace::for_each_successor(Visit&& visit) {
  return for_each_successor(std::forward<Visit>(visit), any_slot);
}

template <class Visit>
bool PlainSpace::for_each_successor(Visit&& visit, std::size_t wanted) {
  std::size_t only = slots_.size();
  for (std::size_t slot = 0; slot < slots_.size(); ++slot) {
    if (slots_[slot] != model::no_id && system_.is_atomic(slots_[slot])) only = slot;
  }
  if (reduction_ && only == slots_.size()) {
    std::vector<Cell> threads;
    std::vector<std::size_t> slot_of;
    for (std::size_t slot = 0; slot < slots_.size(); ++slot) {
      if (slots_[slot] == model::no_id) continue;
      threads.push_back({slots_[slot], 1});
      slot_of.push_back(slot);
    }
    if (const auto alone = reduction_->alone(shared_, threads)) only = slot_of[*alone];
  }
  for (std::size_t slot = 0; slot < slots_.size(); ++slot) {
    if (slots_[slot] == model::no_id || (only != slots_.size() && slot != only)) continue;
    if (wanted != any_slot && slot != wanted) continue;
    for (const Transition& transition : system_.successors(shared_, slots_[slot])) {
      next_shared_ = transition.shared;
      next_ = slots_;
      next_[slot] = transition.local;
      done_.assign(slots_.size(), false);
      done_[slot] = true;
      if (!take(slot, transition, 0, visit)) return false;
    }
  }
  return true;
}

template <class Visit>
bool PlainSpace::take(std::size_t slot, const Transition& transition, std::size_t index, Visit&& visit) {
  if (!transition.takes || index == system_.takes(slots_[slot], transition).size()) {
    return broadcast(slot, transition, 0, visit);
  }
  const model::Take wanted = system_.takes(slots_[slot], transition)[index];
  for (std::size_t other = 0; other < slots_.size(); ++other) {
    if (done_[other] || slots_[other] == model::no_id) continue;
    const model::ThreadState& thread = system_.local(slots_[other]);
    if (thread.templ != wanted.templ || thread.location != wanted.from) continue;
    if (!stands_for_its_like(other)) continue;
    done_[other] = true;
    next_[other] = wanted.to ? system_.moved(slots_[other], *wanted.to) : model::no_id;
    const bool goes_on = take(slot, transition, index + 1, visit);
    next_[other] = slots_[other];
    done_[other] = false;
    if (!goes_on) return false;
  }
  return true;
}

template <class Visit>
bool PlainSpace::broadcast(std::size_t slot, const Transition& transition, std::size_t passive, Visit&& visit) {
  if (transition.broadcast == model::no_id) return finish(slot, transition, visit);
  if (passive == slots_.size()) return !ties_hold(transition) || finish(slot, transition, visit);
  if (done_[passive] || slots_[passive] == model::no_id) return broadcast(slot, transition, passive + 1, visit);
  for (const model::LocalId after : system_.passive_successors(transition.broadcast, slots_[passive])) {
    next_[passive] = after;
    if (!broadcast(slot, transition, passive + 1, visit)) return false;
  }
  next_[passive] = slots_[passive];
  return true;
}

template <class Visit>
bool PlainSpace::finish(std::size_t slot, const Transition& transition, Visit&& visit) {
  spawned_.clear();
  const Slots before = next_;
  if (transition.spawns != model::no_id) {
    // The creator counts as alive, and keeps its slot, even if the same step ends it.
    std::uint32_t alive = next_[slot] == model::no_id ? 1 : 0;
    for (const model::LocalId local : next_) alive += local != model::no_id ? 1 : 0;
    for (const model::LocalId child : system_.spawned(transition.spawns)) {
      if (alive++ >= bound_) {
        if (!blocks_at_bound_) break;
        next_ = before;
        return true;
      }
      std::size_t place = 0;
      while (place < next_.size() && (next_[place] != model::no_id || place == slot)) ++place;
      if (place == next_.size()) next_.push_back(model::no_id);
      next_[place] = child;
      spawned_.push_back(place);
    }
  }
  while (!next_.empty() && next_.back() == model::no_id) next_.pop_back();
  const bool goes_on = visit(slot, transition);
  next_ = before;
  return goes_on;
}

}  // namespace cohort::engine::explicit_
