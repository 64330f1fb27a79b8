// Can all items be put into boxes?  There are `items[i]` items of kind i, box j has room for `room[j]`, and an item of
// kind i may go into box j where allowed(i, j) says so.  A flow problem, solved by augmenting paths: exact, and quick
// for the handful of kinds that it is asked about.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace cohort {

template <class Allowed>
class Assignment {
 public:
  Assignment(std::vector<std::uint64_t> items, std::vector<std::uint64_t> room, Allowed allowed)
      : items_(std::move(items)), room_(std::move(room)), allowed_(std::move(allowed)) {
    placed_.assign(items_.size(), std::vector<std::uint64_t>(room_.size(), 0));
  }

  bool exists() {
    for (std::size_t kind = 0; kind < items_.size(); ++kind) {
      while (items_[kind] > 0) {
        visited_.assign(room_.size(), false);
        const std::uint64_t moved = place(kind, items_[kind]);
        if (moved == 0) return false;
        items_[kind] -= moved;
      }
    }
    return true;
  }

 private:
  // Finds boxes for up to `wanted` items of a kind, where need be by moving others; how many it placed along one path.
  std::uint64_t place(std::size_t kind, std::uint64_t wanted) {
    for (std::size_t box = 0; box < room_.size(); ++box) {
      if (visited_[box] || !allowed_(kind, box)) continue;
      visited_[box] = true;
      std::uint64_t moved = std::min(wanted, room_[box]);
      room_[box] -= moved;
      for (std::size_t other = 0; other < placed_.size() && moved == 0; ++other) {
        if (placed_[other][box] == 0) continue;
        moved = place(other, std::min(wanted, placed_[other][box]));
        placed_[other][box] -= moved;
      }
      placed_[kind][box] += moved;
      if (moved > 0) return moved;
    }
    return 0;
  }

  std::vector<std::uint64_t> items_;
  std::vector<std::uint64_t> room_;
  Allowed allowed_;
  std::vector<std::vector<std::uint64_t>> placed_;  // by kind and box
  std::vector<bool> visited_;
};

}  // namespace cohort
