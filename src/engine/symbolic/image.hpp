// Images of symbolic thread states, remembered.  What one thread in local set L can do when the shared state is in S
// depends on S and L alone ("context-aware", BOOM section 4), so it is computed once for each (S, L) and found again in
// every global state that contains the two.  Edges that do not touch shared variables depend on L alone and are
// remembered without S.
//
// A broadcast is handled per pair, never by expanding counters: once the active side's values that decide about the
// passive threads are fixed, each passive thread moves on its own by one relation over its locals, so a pair (L, n)
// becomes (image of L, n).  Active valuations that decide the same relation are taken together.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <unordered_map>
#include <vector>

#include "engine/symbolic/sets.hpp"
#include "engine/symbolic/transitions.hpp"

namespace cohort::engine::symbolic {

constexpr std::uint32_t no_passive = UINT32_MAX;

struct ThreadOutcome {
  const EdgeRelation* edge = nullptr;
  std::optional<SharedSet> shared;  // none: as before
  std::optional<LocalSet> local;    // none: the thread ends
  std::vector<LocalSet> children;   // already cut to the room there is
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
  ThreadImages(const Encoding& encoding, const Transitions& transitions, SetTable& sets);

  // Calls visit(const ThreadOutcome&) for everything that one thread of `local` can do while the shared state is in
  // `shared`. `room`: how many more threads may be alive.  Steps that change nothing are left out.
  template <class Visit>
  void for_each_successor(SharedSet shared, LocalSet local, std::uint32_t room, Visit&& visit) {
    const std::uint32_t rooms = std::min(room, most_children_);
    for (const ThreadOutcome& outcome : by_local(local, rooms)) visit(outcome);
    for (const ThreadOutcome& outcome : by_pair(shared, local, rooms)) visit(outcome);
  }

  // What a thread of the set becomes by a broadcast; none: it blocks the step.
  std::optional<LocalSet> passive_image(std::uint32_t passive, LocalSet local);

  // What a thread of the set becomes by edges that touch no shared variables and make no threads, if all of them lead
  // to the same set and that is another.
  std::optional<LocalSet> only_local_successor(LocalSet local);

  // The thread states of (shared, local) in which the thread can move, over copies Before.  No edge there may
  // broadcast.
  dd::Bdd enabled(SharedSet shared, LocalSet local) const;

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
    LocalSet local;
    bool operator==(const Key&) const = default;
  };
  struct KeyHash {
    std::size_t operator()(const Key& key) const noexcept {
      const std::uint64_t mixed = (std::uint64_t{key.shared} << 32U | key.local) * 0x9E3779B97F4A7C15ULL;
      return (mixed ^ (mixed >> 29U)) + key.room;
    }
  };

  const std::vector<ThreadOutcome>& by_local(LocalSet local, std::uint32_t room);
  const std::vector<ThreadOutcome>& by_pair(SharedSet shared, LocalSet local, std::uint32_t room);
  void broadcast(const EdgeRelation& edge, const dd::Bdd& states, LocalSet local, std::uint32_t room,
                 std::vector<ThreadOutcome>& outcomes);
  void add_products(const EdgeRelation& edge, const dd::Bdd& after, LocalSet local, std::uint32_t room,
                    std::uint32_t passive, std::vector<ThreadOutcome>& outcomes);
  void add_threads(const EdgeRelation& edge, dd::Bdd after, LocalSet local, std::uint32_t room,
                   const ThreadOutcome& partial, std::vector<ThreadOutcome>& outcomes);
  std::uint32_t intern_passive(const EdgeRelation& edge, const dd::Bdd& relation);
  void record_splice(const EdgeRelation& edge, std::size_t variables);
  void count_cofactors(const EdgeRelation& edge, const dd::Bdd& shared);

  const Encoding* encoding_;
  const Transitions* transitions_;
  SetTable* sets_;
  std::uint32_t most_children_ = 0;
  dd::VarSet thread_vars_;  // locals and children
  std::unordered_map<Key, std::vector<ThreadOutcome>, KeyHash> by_pair_;
  std::unordered_map<Key, std::vector<ThreadOutcome>, KeyHash> by_local_;
  std::vector<Passive> passives_;
  std::map<std::pair<const EdgeRelation*, std::uint32_t>, std::uint32_t> passive_index_;
  std::unordered_map<std::uint64_t, std::optional<LocalSet>> passive_images_;
  SpliceFigures figures_;
};

}  // namespace cohort::engine::symbolic
