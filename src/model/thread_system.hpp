// The explicit view of a program without thread references: shared states and local states (template, location, atomic
// flag, locals) are interned to small integers, and the successors of a thread state (s, l) are computed on demand,
// once, and remembered ("context-aware", BOOM section 4).  Only local states that some thread can reach ever get a
// number.  Counter abstraction, Karp-Miller and backward search run on it.
//
// A Transition says what happens to the active thread; what it does to the others is one of three things, rarely more
// than none: a broadcast (passive_successors), takes (one other thread each), or new threads.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "model/common_numbers.hpp"
#include "model/guard_index.hpp"
#include "model/pair_table.hpp"
#include "model/step.hpp"

namespace cohort::model {

using SharedId = std::uint32_t;
using LocalId = std::uint32_t;
constexpr std::uint32_t no_id = UINT32_MAX;

class ThreadSystem {
 public:
  struct Transition {
    SharedId shared = 0;
    LocalId local = no_id;            // no_id: the thread ends
    std::uint32_t edge = 0;           // index in the template of the active thread
    std::uint32_t spawns = no_id;     // index for spawned()
    std::uint32_t broadcast = no_id;  // index for passive_successors()
    bool takes = false;               // the edge takes other threads along: see takes()
    bool faults = false;              // the step faults: a violation, without a successor
  };

  // Shared by the systems of several threads, if one program is explored by all of them together.
  struct Numbers {
    CommonNumbers<Valuation, ValuationHash> shared;
    CommonNumbers<ThreadState, ThreadStateHash> locals;
  };

  // `program` is flat, uses no thread references, and outlives the system.  With `numbers`, which outlive it, too,
  // states have the numbers that they have for everybody else who uses these.
  explicit ThreadSystem(const Program& program, Env* env = nullptr, Numbers* numbers = nullptr);
  ThreadSystem(const ThreadSystem&) = delete;
  ThreadSystem& operator=(const ThreadSystem&) = delete;

  const Program& program() const { return stepper_.program(); }
  const Stepper& stepper() const { return stepper_; }
  // See Stepper::choose_among(); before the first successors are asked for.
  void choose_among(std::vector<Value> values) { stepper_.choose_among(std::move(values)); }

  SharedId intern_shared(const Valuation& shared);
  LocalId intern_local(const ThreadState& local);
  // Numbers that others have given since are known here, too.
  void catch_up();
  const Valuation& shared(SharedId id) const { return *shared_[id]; }
  const ThreadState& local(LocalId id) const { return *locals_[id]; }
  std::size_t shared_count() const { return shared_.size(); }
  std::size_t local_count() const { return locals_.size(); }
  // Thread states whose successors have been computed.
  std::size_t expanded_count() const { return rows_.size(); }

  bool is_atomic(LocalId id) const { return facts_[id].atomic; }
  // The property violated by a thread being in this local state.
  std::optional<PropertyId> error(LocalId id) const;

  // Valid until the next call.  Steps that change nothing are left out, and so are repeated ones.
  std::span<const Transition> successors(SharedId shared, LocalId local);
  // New threads of a transition, in order of creation; beyond the bound they are dropped by the caller.
  std::span<const LocalId> spawned(std::uint32_t spawns) const { return spawns_[spawns]; }
  // What a passive thread may become in a broadcast; empty: it blocks the step.
  std::span<const LocalId> passive_successors(std::uint32_t broadcast, LocalId passive);
  // How many passive threads a broadcast ties to each other at most, and whether it allows what they become: each is
  // given before and after (see model/passive.hpp).
  std::size_t tied(std::uint32_t broadcast) const { return stepper_.tied(broadcasts_[broadcast]); }
  bool ties_hold(std::uint32_t broadcast, std::span<const std::pair<LocalId, LocalId>> passive) const;
  // What the active thread's edge takes along.
  const std::vector<Take>& takes(LocalId active, const Transition& transition) const;
  // The local state that a taken thread goes to (its locals stay).
  LocalId moved(LocalId local, LocId to);

 private:
  struct LocalFacts {
    bool atomic = false;
    std::uint32_t error = no_id;
  };
  struct Row {
    std::uint32_t begin = 0;
    std::uint32_t count = 0;
  };

  void see_locals();
  Row expand(SharedId shared, LocalId local);
  Transition to_transition(const Outcome& outcome, std::uint32_t edge);

  Stepper stepper_;
  std::vector<GuardIndex> guards_;  // one a template
  Numbers* numbers_;
  std::vector<const Valuation*> shared_;    // keys of shared_index_, or in numbers_
  std::vector<const ThreadState*> locals_;  // the same
  std::vector<LocalFacts> facts_;
  std::unordered_map<Valuation, SharedId, ValuationHash> shared_index_;
  std::unordered_map<ThreadState, LocalId, ThreadStateHash> local_index_;
  PairTable rows_index_;  // (shared, local) to an index in rows_
  std::vector<Row> rows_;
  std::vector<Transition> transitions_;
  std::vector<std::vector<LocalId>> spawns_;
  std::vector<Broadcast> broadcasts_;
  PairTable passive_index_;  // (broadcast, passive local) to an index in passive_
  std::deque<std::vector<LocalId>> passive_;
};

}  // namespace cohort::model
