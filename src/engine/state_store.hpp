// The set of states seen so far, each with its parent.  A state is a short byte string made by a prefix-free code (no
// code word begins another), so its length need not be stored.
//
// Layout: one arena of 32-bit words.  A record is the parent's reference and then the bytes, padded with zeros to whole
// words; a reference is the record's word index, so 2^32 words (16 GiB) can be named.  The arena is reserved as address
// space once and touched as it grows: nothing is ever copied.  Records stand in the order of insertion, which makes the
// arena itself the queue of a breadth-first search. The index is an open-addressing table of (hash tag, reference) in 8
// bytes, filled to 5/8 at most; a lookup that fails reads the arena only on a clash of 32-bit tags.  Cost: 4 bytes for
// the parent, the padded bytes, and 13 to 26 bytes of index a state.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/env.hpp"

namespace cohort::engine {

class StateStore {
 public:
  using Ref = std::uint32_t;
  static constexpr Ref none = UINT32_MAX;

  struct Insertion {
    Ref ref = none;
    bool fresh = false;
  };

  // With `env`, growing throws Stopped before it passes the memory limit.
  explicit StateStore(Env* env = nullptr);
  ~StateStore();
  StateStore(const StateStore&) = delete;
  StateStore& operator=(const StateStore&) = delete;

  // `bytes` is a code word; it is copied.  Throws std::bad_alloc when the arena is full.
  Insertion insert(std::span<const std::uint8_t> bytes, Ref parent);

  Ref parent(Ref ref) const { return words_[ref]; }
  const std::uint8_t* bytes(Ref ref) const { return reinterpret_cast<const std::uint8_t*>(words_ + ref + 1); }
  // The record after `ref`, whose code word is `length` bytes long; equals end() after the last.
  Ref next(Ref ref, std::size_t length) const { return ref + 1 + words_for(length); }
  Ref begin() const { return 0; }
  Ref end() const { return used_; }

  std::uint64_t size() const { return count_; }
  // Bytes in use by arena and index.
  std::uint64_t memory() const { return std::uint64_t{used_} * 4 + index_.size() * sizeof(std::uint64_t); }

 private:
  static Ref words_for(std::size_t length) { return static_cast<Ref>((length + 3) / 4); }

  void grow_index();

  Env* env_;
  std::uint32_t* words_ = nullptr;
  std::uint64_t capacity_ = 0;  // in words
  Ref used_ = 0;
  std::uint64_t count_ = 0;
  std::vector<std::uint64_t> index_;  // hash tag << 32 | reference, or free_place
  std::uint64_t mask_ = 0;
};

}  // namespace cohort::engine
