// A set of symbolic states with merging (BOOM section 7.1): the states that are to be expanded next.
//
// Two states are merged if they agree in everything but (i) the shared set, or (ii) the local set of one thread, which
// is at the same place in both (or the tied set of several threads, at the same places).  Both rules are exact, that
// is, the merged state represents the union and nothing else:
//   (i)  A state represents S x D, where D is what its cells represent; S1 x D united with S2 x D is (S1 u S2) x D.
//   (ii) Let M be the multiset of the other threads' sets.  The state represents, up to the order of the threads, S x M
//   x L; and
//        S x M x L1 united with S x M x L2 is S x M x (L1 u L2).  It is essential that *one thread* differs: (B, 2) and
//        (C, 2) have two, and (B u C, 2) would also represent one thread in B and one in C.
//
// A state that could be merged is looked up, not searched: by the number of its list of cells for rule (i), and for
// rule (ii) by the hash of its cells without one thread, one for each cell.
//
// Rule (ii) is applied at places only where the program itself made sets that overlap.  Where all sets at a place are
// disjoint, the data there is closed; uniting some of the sets would give ones that overlap, and the same states would
// be met again in other unions, which costs more than the merging saves (KnownStates has more on this).
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "engine/symbolic/counter_state.hpp"
#include "engine/symbolic/hash_index.hpp"

namespace cohort::engine::symbolic {

struct EdgeRelation;

// How a state was reached: a thread of set `mover` of the explored state `node` took `edge`; then came `skipped` steps,
// each the only one from a state that was not stored.
struct Origin {
  std::uint32_t node = 0;
  LocalSet mover = 0;
  std::uint32_t member = 0;  // of the set
  const EdgeRelation* edge = nullptr;
  std::uint32_t skipped = 0;
};

// Lists of origins that only ever grow together, so joining two is one link.
class Origins {
 public:
  static constexpr std::uint32_t none = UINT32_MAX;

  struct List {
    std::uint32_t first = none;
    std::uint32_t last = none;
  };

  List make(const Origin& origin) {
    const auto number = static_cast<std::uint32_t>(links_.size());
    links_.push_back({origin, none});
    return {number, number};
  }
  List join(List a, List b) {
    if (a.first == none) return b;
    if (b.first == none) return a;
    links_[a.last].next = b.first;
    return {a.first, b.last};
  }
  std::vector<Origin> all(List list) const {
    std::vector<Origin> result;
    for (std::uint32_t at = list.first; at != none; at = links_[at].next) {
      result.push_back(links_[at].origin);
      if (at == list.last) break;
    }
    return result;
  }

 private:
  struct Link {
    Origin origin;
    std::uint32_t next;
  };
  std::vector<Link> links_;
};

class StateStore {
 public:
  struct Entry {
    CounterState state;
    Origins::List origins;  // none: the state is initial
    bool alive = true;      // false: merged into another
  };

  StateStore(SetTable& sets, CellsTable& cells, Origins& origins, bool merging)
      : sets_(&sets), cells_(&cells), origins_(&origins), merging_(merging) {}

  void insert(CounterState state, Origins::List origins);

  // Living entries, and an empty store.
  std::vector<Entry> take();
  std::vector<CounterState> states() const;
  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  std::uint64_t merges() const { return merges_; }

 private:
  static constexpr std::uint32_t none = UINT32_MAX;

  struct Partner {
    std::uint32_t entry;
    LocalSet set;  // what it has where the state at hand has another set
  };

  // A stored state with the same shared set whose cells differ from those of `state` in one thread of `cell` only.
  std::optional<Partner> find_partner(const CounterState& state, std::uint64_t hash, const Cell& cell) const;
  std::uint64_t hole_hash(std::uint64_t hash, const CounterState& state, const Cell& cell) const;
  bool merge_shared(CounterState& state, Origins::List& origins);
  bool merge_local(CounterState& state, Origins::List& origins);
  bool has_overlapping_sets(CellView cells) const;
  void remove(std::uint32_t entry);

  SetTable* sets_;
  CellsTable* cells_;
  Origins* origins_;
  bool merging_;
  std::vector<Entry> entries_;
  std::size_t size_ = 0;
  std::uint64_t merges_ = 0;
  std::vector<std::uint32_t> by_cells_;  // by list of cells: the entry that has it
  HashIndex by_hole_;                    // states without one thread, which is at a place with overlapping sets
};

}  // namespace cohort::engine::symbolic
