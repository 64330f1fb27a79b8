// A symbolic state <S, {(L1, n1), ..., (Lk, nk)}> (BOOM section 6.1): every state whose shared part is in S and whose
// threads can be dealt out so that n1 of them are in L1, and so on.  Where L1 is a tied set of two threads, n1 pairs.
//
// Cells are sorted by the number of the set and have counts of at least one, so equal multisets are equal lists.  Lists
// are interned: the same ones come back with many shared sets and along many ways, and a state is then two numbers.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/symbolic/hash_index.hpp"
#include "engine/symbolic/sets.hpp"

namespace cohort::engine::symbolic {

struct Cell {
  LocalSet set = 0;
  std::uint32_t count = 0;

  bool operator==(const Cell&) const = default;
};

using Cells = std::vector<Cell>;
using CellView = std::span<const Cell>;
using CellsId = std::uint32_t;

struct CounterState {
  SharedSet shared = 0;
  CellsId cells = 0;

  bool operator==(const CounterState&) const = default;
};

void add_thread(Cells& cells, LocalSet set, std::uint32_t count = 1);
void remove_thread(Cells& cells, LocalSet set);
std::uint32_t thread_count(const SetTable& sets, CellView cells);

std::uint64_t mix(std::uint64_t value);
// A sum over the threads, so that a thread can be taken away.
std::uint64_t cells_hash(CellView cells);

class CellsTable {
 public:
  CellsId intern(CellView cells) { return intern(cells, cells_hash(cells)); }
  // The same with the list's hash at hand; prefetch(hash), called some time before, makes it faster.
  CellsId intern(CellView cells, std::uint64_t hash);
  void prefetch(std::uint64_t hash) const { index_.prefetch(hash); }
  // Valid until the next call of intern().
  CellView operator[](CellsId id) const {
    return {pool_.data() + start_[id], static_cast<std::size_t>(start_[id + 1] - start_[id])};
  }
  std::size_t size() const { return start_.size() - 1; }

 private:
  std::vector<Cell> pool_;  // one list after the other
  std::vector<std::uint64_t> start_{0};
  HashIndex index_;
};

}  // namespace cohort::engine::symbolic
