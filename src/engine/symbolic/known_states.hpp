// The states that a search has seen, as sets: which part of a new symbolic state is new?
//
// A symbolic state is a product S x L1 x ... x Ln, and what is known is a union of products, so a state may be known
// although no single stored one contains it.  Comparing it with stored states one by one therefore either misses that
// (and explores the same states over and over: with a bound on the comparisons even without end) or costs more than the
// exploration.  Two exact answers are used instead.
//
//   - Where the local sets at every place of the state are equal or disjoint (as those of a program are that fixes all
//     its data), so are the lists of cells: one shared set for each list says it all.
//   - Elsewhere there is one diagram for each multiset of places (and of sets, for threads at places of the first
//   kind),
//     over the shared variables and a copy of the locals for each thread, closed under exchanging threads at the same
//     place.  It is subtracted from the new state in one operation.  Lists of cells whose answer is known are still
//     found by their number first.  Tied sets are products of nothing, so they are always in the diagram, and so are
//     all threads at places where a tied set has a member.
//
// What is left need not be a product.  The state is returned with the shared states of what is left: that contains what
// is new and is contained in the state, hence reachable.  Cutting the local sets down too was tried: it saves nothing,
// since images are remembered by set, and makes many sets of a few.
//
// Closing a diagram under exchanges is done by parts of the multiset of sets at a place: some set comes first, then any
// order of the rest.  Where many threads are at one place this costs more than exploring the states again, unless many
// turn out to be known.  So the parts made for a diagram are counted against the states it recognised, and when the
// balance is bad the diagram is given up.  Where there are tied sets the diagram of one order is closed by
// exchanges (tie.hpp), and what counts is the size of the diagrams: as long as they are small they are kept, since sets
// of several threads overlap in many more ways.  The diagram is then over the copies that members of tied sets have,
// which are side by side: equal values of two threads are small only so.  Products are smaller the other way, a
// thread's variables together, and have it as long as there is no tied set.  When a diagram was given up, known states
// may be taken for new: a state itself is still found again, by its list of cells, so the search ends.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "engine/symbolic/counter_state.hpp"
#include "engine/symbolic/encoding.hpp"
#include "engine/symbolic/hash_index.hpp"

namespace cohort::engine::symbolic {

class KnownStates {
 public:
  // `exact`: as above.  Otherwise a state is known if it is equal to one that was added, as in the paper's algorithm 2.
  KnownStates(const Encoding& encoding, SetTable& sets, CellsTable& cells, bool exact)
      : encoding_(&encoding), sets_(&sets), cells_(&cells), exact_(exact) {}

  // Makes the state known and returns what of it was not; none when all was.
  std::optional<CounterState> add(const CounterState& state);

 private:
  static constexpr std::uint32_t none = UINT32_MAX;
  // What a diagram may cost, in parts: at once, in advance, and for each state that it recognised.
  static constexpr std::size_t most_parts = 1024;
  static constexpr std::uint64_t advance = 512;
  static constexpr std::uint64_t reward = 64;
  // Where there are tied sets.
  static constexpr std::uint64_t nodes_of_a_part = 256;

  // States with the same places; where the sets at a place do not overlap, with the same sets.
  struct Bucket {
    std::vector<CellsId> waiting;  // lists of cells that are not in the diagram yet
    dd::Bdd states;                // thread i has the copies of slot i
    std::uint64_t parts = 0;       // made for it
    std::uint64_t recognised = 0;
    bool given_up = false;
  };
  // The threads that the diagram speaks of, one for each slot, ordered by place.  `sets` are theirs, ordered by place
  // and set if none is tied, and `slots` says for each of them where its members are.
  struct Arrangement {
    std::vector<PlaceId> places;
    std::vector<LocalSet> sets;
    std::vector<std::vector<std::uint32_t>> slots;
  };

  bool add_equal(const CounterState& state);
  std::optional<CounterState> subtract(const CounterState& state, Bucket& bucket);
  // Makes the buckets anew, since more places have become overlapping or there are tied sets.
  void catch_up();
  std::uint32_t bucket_of(CellView cells);
  void fill(Bucket& bucket);
  void unite(Bucket& bucket, SharedSet shared, const Arrangement& threads);
  bool overlapping(CellView cells) const;
  Arrangement arrangement(CellView cells) const;
  dd::Bdd product(SharedSet shared, const Arrangement& threads);
  // The product for every order of the threads at the same place.
  dd::Bdd closure(SharedSet shared, const Arrangement& threads);
  // The same for the threads from `begin` to `end`, which are all that are at their place.
  dd::Bdd orders(const Arrangement& threads, std::size_t begin, std::size_t end);
  dd::Bdd one_order(const Arrangement& threads, std::size_t begin, std::size_t end);
  // A product closed by exchanges.
  dd::Bdd exchanged(dd::Bdd product, const std::vector<PlaceId>& places);
  const dd::Bdd& in_slot(LocalSet set, std::size_t slot);
  dd::Bdd in_slots(LocalSet set, const std::vector<std::uint32_t>& slots);
  void need_slots(std::size_t number);
  dd::Var slot_var(std::size_t slot, std::uint32_t local) const {
    return by_members_ ? encoding_->member(slot, local) : first_[slot] + local;
  }
  // The variables of so many slots.
  const dd::VarSet& slot_vars(std::size_t threads);

  const Encoding* encoding_;
  SetTable* sets_;
  CellsTable* cells_;
  bool exact_;
  struct Known {
    SharedSet shared = none;  // shared states known with these cells
    std::uint32_t bucket = none;
  };
  std::vector<Known> known_;  // by list of cells
  std::vector<CounterState> equal_;
  HashIndex by_state_;           // into `equal_`
  std::size_t caught_up_ = 0;    // shapes with overlapping sets whose lists of cells are in buckets
  CellsTable keys_;              // of buckets: threads by place or set
  std::vector<Bucket> buckets_;  // by key
  bool by_members_ = false;      // slots have the copies of members of tied sets
  std::vector<dd::Var> first_;   // by slot: its first variable, where they have not
  std::vector<dd::Renaming> to_slot_;
  std::map<std::size_t, dd::VarSet> slot_vars_;  // by number of slots
  std::uint64_t parts_ = 0;                      // made in all
  std::vector<std::vector<dd::Bdd>> slot_sets_;  // [set][slot]; false: not made yet
  std::map<std::vector<std::uint32_t>, dd::Renaming> to_slots_;
  std::map<std::pair<std::size_t, std::size_t>, dd::Renaming> exchanges_;
};

}  // namespace cohort::engine::symbolic
