// Sets of symbolic states with merging (BOOM section 7.1) and subsumption.
//
// Two states are merged if they agree in everything but (i) the shared set, or (ii) the local set of one thread, which
// is at the same place in both.  Both rules are exact, that is, the merged state represents the union and nothing else:
//   (i)  A state represents S x D, where D is what its cells represent; S1 x D united with S2 x D is (S1 u S2) x D.
//   (ii) Let M be the multiset of the other threads' sets.  The state represents, up to the order of the threads, S x M
//   x L; and
//        S x M x L1 united with S x M x L2 is S x M x (L1 u L2).  It is essential that *one thread* differs: (B, 2) and
//        (C, 2) have two, and (B u C, 2) would also represent one thread in B and one in C.
// With merging, a store never holds two states that a rule could merge, so rule (i) leaves one shared set for each list
// of cells.
//
// A new state is first reduced by what the store has: by the same two rules S \ S_old or L \ L_old is all that is new
// (for the latter it is enough that S is contained in the stored shared set), and a state contained in a stored one is
// nothing new.  Reduction is exact too, being set difference in the factor that differs.
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "engine/symbolic/counter_state.hpp"
#include "engine/symbolic/hash_index.hpp"

namespace cohort::engine::symbolic {

struct EdgeRelation;

// How a state was reached: a thread of set `mover` of the explored state `node` took `edge`.
struct Origin {
  std::uint32_t node = 0;
  LocalSet mover = 0;
  const EdgeRelation* edge = nullptr;
};

class StateStore {
 public:
  struct Entry {
    CounterState state;
    std::vector<Origin> origins;  // none: the state is initial
    bool alive = true;            // false: merged into another
    bool by_places = false;       // indexed by its places
  };

  StateStore(SetTable& sets, bool merging) : sets_(&sets), merging_(merging) {}

  // What of the state is not represented yet; none when all is.
  std::optional<CounterState> reduce(const CounterState& state);
  void insert(CounterState state, std::vector<Origin> origins);

  // Living entries, and an empty store.
  std::vector<Entry> take();
  std::vector<CounterState> states() const;
  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  std::uint64_t merges() const { return merges_; }

 private:
  struct Partner {
    std::uint32_t entry;
    LocalSet set;  // what it has where the state at hand has another set
  };

  // Calls visit(Partner) for the stored states whose cells differ from those of `state` in one thread of `cell` only,
  // until it returns true; returns whether it did.
  template <class Visit>
  bool find_partner(const CounterState& state, std::uint64_t hash, const Cell& cell, Visit&& visit) const;
  std::uint64_t hole_hash(std::uint64_t hash, const Cell& cell) const;
  bool subsumed(const CounterState& state);
  bool merge_shared(CounterState& state, std::vector<Origin>& origins);
  bool merge_local(CounterState& state, std::vector<Origin>& origins);
  void add(CounterState state, std::vector<Origin> origins);
  // Indexes the states at places of `cells` that have become varied.
  void catch_up(const Cells& cells);
  void index(std::uint32_t entry, const Cell& cell, std::uint64_t hash);
  void remove(std::uint32_t entry);

  SetTable* sets_;
  bool merging_;
  std::vector<Entry> entries_;
  std::size_t size_ = 0;
  std::uint64_t merges_ = 0;
  HashIndex by_cells_;
  HashIndex by_hole_;  // states without one thread
  // Many states may be at the same places, which a table without chains would bear badly.  Entries that are gone are
  // dropped when they are met.
  std::unordered_map<std::uint64_t, std::vector<std::uint32_t>> by_places_;
  std::vector<std::vector<std::uint32_t>> waiting_;  // by place: states that were added while it was not varied
};

}  // namespace cohort::engine::symbolic
