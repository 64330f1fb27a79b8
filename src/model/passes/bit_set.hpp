// A set of small numbers from a fixed range, one bit each: the element of data-flow analyses.
#pragma once

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

  bool operator==(const BitSet&) const = default;

 private:
  std::size_t size_ = 0;
  std::vector<std::uint64_t> words_;
};

}  // namespace cohort::model
