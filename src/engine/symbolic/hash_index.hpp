// From hashes to numbers of things that have them: an open-addressing table that stores no keys.  The user compares the
// things themselves, so a state that is indexed in many ways is stored once.  Several numbers may have the same hash.
// Of the 64 bits of a hash, which must be well mixed, 32 are kept: a lookup costs one miss of the processor's caches,
// and small slots make fewer of them; `prefetch` lets the miss of one lookup pass while others are prepared.
#pragma once

#include <cstdint>
#include <vector>

namespace cohort::engine::symbolic {

class HashIndex {
 public:
  void insert(std::uint64_t hash, std::uint32_t number) { insert_kept(kept(hash), number); }

  void erase(std::uint64_t hash, std::uint32_t number) {
    if (slots_.empty()) return;
    for (std::size_t at = kept(hash) & mask(); slots_[at].number != empty; at = (at + 1) & mask()) {
      if (slots_[at].number != number || slots_[at].hash != kept(hash)) continue;
      slots_[at].number = gone;
      return;
    }
  }

  // Calls visit(number) for everything with this hash until it returns true; returns whether it did.
  template <class Visit>
  bool find(std::uint64_t hash, Visit&& visit) const {
    if (slots_.empty()) return false;
    for (std::size_t at = kept(hash) & mask(); slots_[at].number != empty; at = (at + 1) & mask()) {
      if (slots_[at].hash == kept(hash) && slots_[at].number != gone && visit(slots_[at].number)) return true;
    }
    return false;
  }

  void prefetch(std::uint64_t hash) const {
    if (!slots_.empty()) __builtin_prefetch(&slots_[kept(hash) & mask()]);
  }

  void clear() {
    slots_.clear();
    used_ = 0;
  }

 private:
  static constexpr std::uint32_t empty = UINT32_MAX;
  static constexpr std::uint32_t gone = UINT32_MAX - 1;

  struct Slot {
    std::uint32_t hash = 0;
    std::uint32_t number = empty;
  };

  static std::uint32_t kept(std::uint64_t hash) { return static_cast<std::uint32_t>(hash ^ (hash >> 32U)); }

  void insert_kept(std::uint32_t hash, std::uint32_t number) {
    if (4 * (used_ + 1) > 3 * slots_.size()) grow();
    std::size_t at = hash & mask();
    while (slots_[at].number < gone) at = (at + 1) & mask();
    if (slots_[at].number == empty) ++used_;
    slots_[at] = {hash, number};
  }

  std::size_t mask() const { return slots_.size() - 1; }

  void grow() {
    std::vector<Slot> old(slots_.empty() ? 64 : 2 * slots_.size());
    std::swap(old, slots_);
    used_ = 0;
    for (const Slot& slot : old) {
      if (slot.number < gone) insert_kept(slot.hash, slot.number);
    }
  }

  std::vector<Slot> slots_;  // a power of two of them
  std::size_t used_ = 0;     // slots that are not empty, those given up included
};

}  // namespace cohort::engine::symbolic
