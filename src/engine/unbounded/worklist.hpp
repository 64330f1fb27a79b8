// What a Karp-Miller tree has still to do, in one of three orders: first in first out, last in first out, or the labels
// with the most omegas first (and the oldest among them): they tend to cover the others.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include "base/contract.hpp"
#include "engine/engine.hpp"
#include "engine/unbounded/counter_system.hpp"

namespace cohort::engine::unbounded {

class Worklist {
 public:
  // One rule to fire from a node; none: the node's rules are not known yet.
  struct Item {
    std::uint32_t node = 0;
    RuleId rule = none;
  };

  // None: most omegas first.
  explicit Worklist(std::optional<SearchOrder> order) : order_(order) {}

  bool empty() const { return size_ == 0; }
  std::size_t size() const { return size_; }

  void push(const Item& item, std::size_t omegas) {
    const std::size_t level = order_ ? 0 : omegas;
    if (level >= levels_.size()) levels_.resize(level + 1);
    levels_[level].push_back(item);
    if (level > highest_) highest_ = level;
    ++size_;
  }

  Item pop() {
    COHORT_EXPECT(size_ > 0, "there is something to do");
    while (levels_[highest_].empty()) --highest_;
    std::deque<Item>& level = levels_[highest_];
    --size_;
    const bool last = order_ == SearchOrder::DepthFirst;
    const Item item = last ? level.back() : level.front();
    if (last) {
      level.pop_back();
    } else {
      level.pop_front();
    }
    return item;
  }

 private:
  std::optional<SearchOrder> order_;
  std::vector<std::deque<Item>> levels_;
  std::size_t highest_ = 0;
  std::size_t size_ = 0;
};

}  // namespace cohort::engine::unbounded
