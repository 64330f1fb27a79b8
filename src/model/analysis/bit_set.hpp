// A set of small numbers from a range, one bit each: the element of data-flow analyses.
// Invariant: bits at and above size() are zero, so that sets with the same range and members are equal.
#pragma once

#include <algorithm>
#include <bit>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/contract.hpp"

namespace cohort::model {

class BitSet {
 public:
  BitSet() = default;
  explicit BitSet(std::size_t size) : size_(size), words_((size + 63) / 64, 0) {}

  std::size_t size() const { return size_; }
  bool contains(std::size_t index) const {
    COHORT_EXPECT(index < size_, "the number is in the range of the set");
    return ((words_[index / 64] >> (index % 64)) & 1U) != 0;
  }
  void insert(std::size_t index) {
    COHORT_EXPECT(index < size_, "the number is in the range of the set");
    words_[index / 64] |= std::uint64_t{1} << (index % 64);
  }
  void erase(std::size_t index) {
    COHORT_EXPECT(index < size_, "the number is in the range of the set");
    words_[index / 64] &= ~(std::uint64_t{1} << (index % 64));
  }
  // Makes the range larger, not smaller.
  void grow(std::size_t size) {
    size_ = std::max(size_, size);
    words_.resize((size_ + 63) / 64, 0);
  }
  // Adds the members of `other`; says whether that changed this set.
  bool unite(const BitSet& other) {
    COHORT_EXPECT(other.size_ == size_, "both sets have one range");
    bool changed = false;
    for (std::size_t i = 0; i < words_.size(); ++i) {
      const std::uint64_t united = words_[i] | other.words_[i];
      changed = changed || united != words_[i];
      words_[i] = united;
    }
    return changed;
  }

  void intersect(const BitSet& other) {
    COHORT_EXPECT(other.size_ == size_, "both sets have one range");
    for (std::size_t i = 0; i < words_.size(); ++i) words_[i] &= other.words_[i];
  }

  bool meets(const BitSet& other) const {
    COHORT_EXPECT(other.size_ == size_, "both sets have one range");
    for (std::size_t i = 0; i < words_.size(); ++i) {
      if ((words_[i] & other.words_[i]) != 0) return true;
    }
    return false;
  }

  // Is every member one of `other`, which may have another range?
  bool within(const BitSet& other) const {
    for (std::size_t i = 0; i < words_.size(); ++i) {
      if ((words_[i] & ~(i < other.words_.size() ? other.words_[i] : 0)) != 0) return false;
    }
    return true;
  }

  // Calls visit(std::size_t) for each member, in order.
  template <class Visit>
  void for_each(Visit&& visit) const {
    for (std::size_t i = 0; i < words_.size(); ++i) {
      for (std::uint64_t rest = words_[i]; rest != 0; rest &= rest - 1) {
        visit(i * 64 + static_cast<std::size_t>(std::countr_zero(rest)));
      }
    }
  }

  auto operator<=>(const BitSet&) const = default;

 private:
  std::size_t size_ = 0;
  std::vector<std::uint64_t> words_;
};

}  // namespace cohort::model
