// Remembers states that were sent to another worker shortly before, so that they are not sent again: most repeated
// successors come soon after each other.
//
// A table of short code words, one for each value of a hash; a newer word takes the place of an older one.  It compares
// whole words, so nothing is ever held back that was not sent; words that are too long are not remembered.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "base/contract.hpp"

namespace cohort::engine::explicit_ {

class SentFilter {
 public:
  // Was it sent?  Then it is known from now on.
  bool was_sent(std::span<const std::uint8_t> word) {
    COHORT_EXPECT(!word.empty(), "a state has a code word");
    if (word.size() > longest) return false;
    Entry& entry = entries_[hash(word) % entries_.size()];
    if (entry.length == word.size() && std::memcmp(entry.bytes.data(), word.data(), word.size()) == 0) return true;
    entry.length = static_cast<std::uint8_t>(word.size());
    std::memcpy(entry.bytes.data(), word.data(), word.size());
    return false;
  }

 private:
  static constexpr std::size_t longest = 47;
  static constexpr std::size_t places = std::size_t{1} << 14U;  // 768 KiB: it stays in a cache of the second level

  struct Entry {
    std::uint8_t length = 0;
    std::array<std::uint8_t, longest> bytes{};
  };

  // FNV-1a: the words are short.
  static std::uint64_t hash(std::span<const std::uint8_t> word) {
    std::uint64_t hash = 0xCBF29CE484222325ULL;
    for (const std::uint8_t byte : word) hash = (hash ^ byte) * 0x100000001B3ULL;
    return hash ^ (hash >> 29U);
  }

  std::vector<Entry> entries_ = std::vector<Entry>(places);
};

}  // namespace cohort::engine::explicit_
