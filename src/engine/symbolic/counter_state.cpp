#include "engine/symbolic/counter_state.hpp"

#include <algorithm>

#include "base/contract.hpp"

namespace cohort::engine::symbolic {

namespace {

constexpr std::size_t most_lists = UINT32_MAX - 2;  // the last numbers mean something else in a HashIndex

auto position(Cells& cells, LocalSet set) {
  return std::lower_bound(cells.begin(), cells.end(), set,
                          [](const Cell& cell, LocalSet wanted) { return cell.set < wanted; });
}

}  // namespace

void add_thread(Cells& cells, LocalSet set, std::uint32_t count) {
  const auto it = position(cells, set);
  if (it != cells.end() && it->set == set) {
    it->count += count;
  } else {
    cells.insert(it, {set, count});
  }
}

void remove_thread(Cells& cells, LocalSet set) {
  const auto it = position(cells, set);
  COHORT_EXPECT(it != cells.end() && it->set == set && it->count > 0, "the cell has a thread");
  if (--it->count == 0) cells.erase(it);
}

std::uint32_t thread_count(const SetTable& sets, CellView cells) {
  std::uint32_t total = 0;
  for (const Cell& cell : cells) total += cell.count * sets.width(cell.set);
  return total;
}

std::uint64_t mix(std::uint64_t value) {
  value = (value + 0x9E3779B97F4A7C15ULL) * 0xBF58476D1CE4E5B9ULL;
  value = (value ^ (value >> 29U)) * 0x94D049BB133111EBULL;
  return value ^ (value >> 32U);
}

std::uint64_t cells_hash(CellView cells) {
  std::uint64_t hash = 0;
  for (const Cell& cell : cells) hash += cell.count * mix(cell.set);
  return hash;
}

CellsId CellsTable::intern(CellView cells, std::uint64_t hash) {
  CellsId id = 0;
  const bool found = index_.find(hash, [&](std::uint32_t candidate) {
    id = candidate;
    return std::ranges::equal(cells, (*this)[candidate]);
  });
  if (found) return id;
  COHORT_EXPECT(size() < most_lists, "lists of cells are numbered with 32 bits");
  id = static_cast<CellsId>(size());
  pool_.insert(pool_.end(), cells.begin(), cells.end());
  start_.push_back(pool_.size());
  index_.insert(hash, id);
  return id;
}

}  // namespace cohort::engine::symbolic
