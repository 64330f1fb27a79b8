// A map from pairs of 32-bit numbers to 32-bit numbers, for the inner loop of every explicit engine: open addressing
// with linear probing, 12 bytes an entry, at most half full, nothing is ever removed.
#pragma once

#include <cstdint>
#include <vector>

#include "base/contract.hpp"

namespace cohort::model {

class PairTable {
 public:
  static constexpr std::uint32_t absent = UINT32_MAX;

  std::uint32_t find(std::uint32_t first, std::uint32_t second) const {
    if (keys_.empty()) return absent;
    return values_[position(key(first, second))];
  }

  // The pair must be absent.
  void insert(std::uint32_t first, std::uint32_t second, std::uint32_t value) {
    COHORT_EXPECT(value != absent, "the value that marks free places is not stored");
    if (2 * (count_ + 1) > keys_.size()) grow();
    const std::size_t place = position(key(first, second));
    COHORT_EXPECT(values_[place] == absent, "a pair is inserted once");
    keys_[place] = key(first, second);
    values_[place] = value;
    ++count_;
  }

  std::size_t size() const { return count_; }

 private:
  static std::uint64_t key(std::uint32_t first, std::uint32_t second) { return (std::uint64_t{first} << 32U) | second; }

  // Where `key` is, or the free place where it would go.
  std::size_t position(std::uint64_t key) const {
    std::size_t place = (key * 0x9E3779B97F4A7C15ULL) >> shift_;
    while (values_[place] != absent && keys_[place] != key) place = (place + 1) & (keys_.size() - 1);
    return place;
  }

  void grow() {
    const std::vector<std::uint64_t> keys = std::move(keys_);
    const std::vector<std::uint32_t> values = std::move(values_);
    const std::size_t size = keys.empty() ? 64 : 2 * keys.size();
    shift_ = keys.empty() ? 58 : shift_ - 1;
    keys_.assign(size, 0);
    values_.assign(size, absent);
    for (std::size_t i = 0; i < keys.size(); ++i) {
      if (values[i] == absent) continue;
      const std::size_t place = position(keys[i]);
      keys_[place] = keys[i];
      values_[place] = values[i];
    }
  }

  std::vector<std::uint64_t> keys_;
  std::vector<std::uint32_t> values_;
  std::size_t count_ = 0;
  unsigned shift_ = 64;
};

}  // namespace cohort::model
