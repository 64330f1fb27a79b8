// Images of symbolic thread states, remembered.  What one thread in local set L can do when the shared state is in S
// depends on S and L alone ("context-aware", BOOM section 4), so it is computed once for each (S, L) and found again in
// every global state that contains the two.  Edges that do not touch shared variables depend on L alone and are
// remembered without S.
//
// A broadcast is handled per pair, never by expanding counters: once the active side's values that decide about the
// passive threads are fixed, each passive thread moves on its own by one relation over its locals, so a pair (L, n)
// becomes (image of L, n).  Active valuations that decide the same relation are taken together.
//
// A thread of a tied set (tie.hpp) moves with the others of its set beside it: the image is one of the whole relation,
// in which the steps speak of the mover's copies alone, and a broadcast then moves the others one after the other.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <unordered_map>
#include <vector>

#include "engine/symbolic/sets.hpp"
#include "engine/symbolic/tie.hpp"
#include "engine/symbolic/transitions.hpp"

namespace cohort::engine::symbolic {

constexpr std::uint32_t no_passive = UINT32_MAX;

// One thread of a set.
struct Mover {
  LocalSet set = 0;
  std::uint32_t member = 0;

  bool operator==(const Mover&) const = default;
};

struct ThreadOutcome {
  const EdgeRelation* edge = nullptr;
  std::optional<SharedSet> shared;  // none: as before
  std::vector<LocalSet> sets;       // what comes in place of the mover's set, with new threads for which there is room
  std::uint32_t passive = no_passive;
};

// What the paper reports about splicing.
struct SpliceFigures {
  std::uint64_t images = 0;                    // images of a thread state by an edge
  std::uint64_t splices = 0;                   // of which gave a splice state
  std::vector<std::uint64_t> variable_counts;  // splices by the number of variables split over
  std::uint64_t candidates = 0;                // shared variables that the syntactic test names, over all images
  std::uint64_t satisfiable_twice = 0;         // of which had two satisfiable cofactors
  std::set<model::EdgeRef> edges;              // edges that spliced
};

class ThreadImages {
 public:
  ThreadImages(const Encoding& encoding, const Transitions& transitions, SetTable& sets, std::size_t loose_parts);

  // Calls visit(const ThreadOutcome&) for everything that one thread of `mover` can do while the shared state is in
  // `shared`. `room`: how many more threads may be alive.  Steps that change nothing are left out.
  template <class Visit>
  void for_each_successor(SharedSet shared, Mover mover, std::uint32_t room, Visit&& visit) {
    const std::uint32_t rooms = std::min(room, most_children_);
    for (const ThreadOutcome& outcome : by_local(mover, rooms)) visit(outcome);
    for (const ThreadOutcome& outcome : by_pair(shared, mover, rooms)) visit(outcome);
  }

  // What the threads of the set become by a broadcast; nothing: one of them blocks the step.
  const std::vector<LocalSet>& passive_image(std::uint32_t passive, LocalSet local);

  // What the thread of the set becomes by edges that touch no shared variables and make no threads, if all of them lead
  // to the same set and that is another.
  std::optional<LocalSet> only_local_successor(LocalSet local);

  // The thread states of (shared, mover), over copies Before, and those of them in which the thread can move.  No edge
  // there may broadcast.
  dd::Bdd states(SharedSet shared, Mover mover) {
    return sets_->shared_bdd(shared) & ties_.led_by(mover.set, mover.member);
  }
  dd::Bdd enabled(SharedSet shared, Mover mover);

  Ties& ties() { return ties_; }
  const SpliceFigures& figures() const { return figures_; }
  std::size_t remembered() const { return by_pair_.size() + by_local_.size(); }

 private:
  struct Passive {
    const EdgeRelation* edge;
    dd::Bdd relation;  // over the passive copies
  };
  struct Key {
    std::uint32_t room;
    SharedSet shared;
    Mover mover;
    bool operator==(const Key&) const = default;
  };
  struct KeyHash {
    std::size_t operator()(const Key& key) const noexcept {
      const std::uint64_t mixed = (std::uint64_t{key.shared} << 32U | key.mover.set) * 0x9E3779B97F4A7C15ULL;
      return (mixed ^ (mixed >> 29U)) + (std::size_t{key.mover.member} << 8U) + key.room;
    }
  };

  const std::vector<ThreadOutcome>& by_local(Mover mover, std::uint32_t room);
  const std::vector<ThreadOutcome>& by_pair(SharedSet shared, Mover mover, std::uint32_t room);
  void broadcast(const EdgeRelation& edge, const dd::Bdd& states, Mover mover, std::uint32_t room,
                 std::vector<ThreadOutcome>& outcomes);
  // The other threads of the mover's set move by a broadcast.
  dd::Bdd move_members(const EdgeRelation& edge, dd::Bdd states, Mover mover, const dd::Bdd& relation);
  // One member moves; false where it cannot.
  dd::Bdd move_member(const EdgeRelation& edge, const dd::Bdd& states, std::uint32_t member, const dd::Bdd& relation);
  void add_products(const EdgeRelation& edge, const dd::Bdd& after, Mover mover, std::uint32_t room,
                    std::uint32_t passive, std::vector<ThreadOutcome>& outcomes);
  void add_threads(const EdgeRelation& edge, dd::Bdd after, Mover mover, std::uint32_t room,
                   const ThreadOutcome& partial, std::vector<ThreadOutcome>& outcomes);
  // Where the mover is.
  const Place& place_of(Mover mover) const { return sets_->place_at(sets_->places_of(mover.set)[mover.member]); }
  std::uint32_t intern_passive(const EdgeRelation& edge, const dd::Bdd& relation);
  void record_splice(const EdgeRelation& edge, std::size_t variables);
  void count_cofactors(const EdgeRelation& edge, const dd::Bdd& shared);

  const Encoding* encoding_;
  const Transitions* transitions_;
  SetTable* sets_;
  Ties ties_;
  std::uint32_t most_children_ = 0;
  dd::VarSet thread_vars_;  // locals, also of members, and children
  std::unordered_map<Key, std::vector<ThreadOutcome>, KeyHash> by_pair_;
  std::unordered_map<Key, std::vector<ThreadOutcome>, KeyHash> by_local_;
  std::vector<Passive> passives_;
  std::map<std::pair<const EdgeRelation*, std::uint32_t>, std::uint32_t> passive_index_;
  std::unordered_map<std::uint64_t, std::vector<LocalSet>> passive_images_;
  SpliceFigures figures_;
};

}  // namespace cohort::engine::symbolic
