#include "engine/symbolic/counter_state.hpp"

#include <algorithm>

#include "base/contract.hpp"

namespace cohort::engine::symbolic {

namespace {

auto position(Cells& cells, LocalSet set) {
  return std::lower_bound(cells.begin(), cells.end(), set,
                          [](const Cell& cell, LocalSet wanted) { return cell.set < wanted; });
}

// Finds room for one thread of small[i] among the cells of `large`, moving others where needed (augmenting paths).
class Dealer {
 public:
  Dealer(SetTable& sets, const Cells& small, const Cells& large)
      : sets_(&sets),
        small_(&small),
        large_(&large),
        dealt_(large.size(), std::vector<std::uint32_t>(small.size(), 0)) {}

  bool deal_all() {
    for (std::size_t i = 0; i < small_->size(); ++i) {
      for (std::uint32_t n = 0; n < (*small_)[i].count; ++n) {
        visited_.assign(large_->size(), false);
        if (!place(i)) return false;
      }
    }
    return true;
  }

 private:
  bool place(std::size_t i) {
    for (std::size_t j = 0; j < large_->size(); ++j) {
      if (visited_[j] || !sets_->local_subset((*small_)[i].set, (*large_)[j].set)) continue;
      visited_[j] = true;
      std::uint32_t taken = 0;
      for (const std::uint32_t n : dealt_[j]) taken += n;
      if (taken < (*large_)[j].count) {
        ++dealt_[j][i];
        return true;
      }
      for (std::size_t other = 0; other < small_->size(); ++other) {
        if (other == i || dealt_[j][other] == 0 || !place(other)) continue;
        --dealt_[j][other];
        ++dealt_[j][i];
        return true;
      }
    }
    return false;
  }

  SetTable* sets_;
  const Cells* small_;
  const Cells* large_;
  std::vector<std::vector<std::uint32_t>> dealt_;  // [cell of large][cell of small]: threads
  std::vector<bool> visited_;
};

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

std::uint32_t thread_count(const Cells& cells) {
  std::uint32_t total = 0;
  for (const Cell& cell : cells) total += cell.count;
  return total;
}

std::uint64_t mix(std::uint64_t value) {
  value = (value + 0x9E3779B97F4A7C15ULL) * 0xBF58476D1CE4E5B9ULL;
  value = (value ^ (value >> 29U)) * 0x94D049BB133111EBULL;
  return value ^ (value >> 32U);
}

std::uint64_t cells_hash(const Cells& cells) {
  std::uint64_t hash = 0;
  for (const Cell& cell : cells) hash += cell.count * mix(cell.set);
  return hash;
}

std::uint64_t places_hash(const SetTable& sets, const Cells& cells) {
  std::uint64_t hash = 0;
  for (const Cell& cell : cells) hash += cell.count * mix(~std::uint64_t{sets.place_of(cell.set)});
  return hash;
}

bool cells_subsumed(SetTable& sets, const Cells& small, const Cells& large) {
  if (small == large) return true;
  // Mostly there is a thread that fits nowhere.
  for (const Cell& cell : small) {
    const bool fits = std::any_of(large.begin(), large.end(),
                                  [&](const Cell& other) { return sets.local_subset(cell.set, other.set); });
    if (!fits) return false;
  }
  return Dealer(sets, small, large).deal_all();
}

}  // namespace cohort::engine::symbolic
