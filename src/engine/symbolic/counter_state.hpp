// A symbolic state <S, {(L1, n1), ..., (Lk, nk)}> (BOOM section 6.1): every state whose shared part is in S and whose
// threads can be dealt out so that n1 of them are in L1, and so on.  Cells are sorted by the number of the set and have
// counts of at least one, so equal multisets are equal lists.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/symbolic/sets.hpp"

namespace cohort::engine::symbolic {

struct Cell {
  LocalSet set = 0;
  std::uint32_t count = 0;

  bool operator==(const Cell&) const = default;
};

using Cells = std::vector<Cell>;

struct CounterState {
  SharedSet shared = 0;
  Cells cells;

  bool operator==(const CounterState&) const = default;
};

void add_thread(Cells& cells, LocalSet set, std::uint32_t count = 1);
void remove_thread(Cells& cells, LocalSet set);
std::uint32_t thread_count(const Cells& cells);

// Sums over the threads, so that a thread can be added or taken away: hashes of the multiset of sets, and of the
// multiset of places. States that represent a common state agree in the latter.
std::uint64_t mix(std::uint64_t value);
std::uint64_t cells_hash(const Cells& cells);
std::uint64_t places_hash(const SetTable& sets, const Cells& cells);

// Can the threads of `small` be dealt out to the cells of `large` so that each one's set is contained in its cell's? If
// so, every choice of local states that `small` represents is one of `large`.
bool cells_subsumed(SetTable& sets, const Cells& small, const Cells& large);

}  // namespace cohort::engine::symbolic
