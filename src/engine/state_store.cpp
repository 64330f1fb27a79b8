#include "engine/state_store.hpp"

#include <sys/mman.h>

#include <cstring>
#include <new>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "base/contract.hpp"

namespace cohort::engine {

namespace {

constexpr std::uint64_t free_place = UINT64_MAX;
constexpr std::uint64_t tag_bits = 0xFFFFFFFF00000000ULL;
constexpr std::uint64_t initial_places = std::uint64_t{1} << 12U;
// The last reference is StateStore::none.
constexpr std::uint64_t max_words = (std::uint64_t{1} << 32U) - 1;
constexpr std::uint64_t min_words = std::uint64_t{1} << 20U;

}  // namespace

StateStore::StateStore(Env* env) : env_(env), index_(initial_places, free_place), mask_(initial_places - 1) {
  // Address space may be limited (ulimit -v): take what can be had.
  for (capacity_ = max_words; capacity_ >= min_words; capacity_ /= 2) {
    void* memory =
        mmap(nullptr, capacity_ * 4, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory != MAP_FAILED) {
      words_ = static_cast<std::uint32_t*>(memory);
      return;
    }
  }
  throw std::bad_alloc();
}

StateStore::~StateStore() {
  munmap(words_, capacity_ * 4);
}

StateStore::Insertion StateStore::insert(std::span<const std::uint8_t> bytes, Ref parent) {
  COHORT_EXPECT(!bytes.empty(), "a state has a code word");
  if (8 * (count_ + 1) > 5 * index_.size()) grow_index();
  const std::uint64_t hash = XXH3_64bits(bytes.data(), bytes.size());
  // The tag alone chooses the place, so that the index can grow without hashing again.  Neighbours in a table of 2^k
  // places share k bits of their tags; the other 32 - k keep most comparisons out of the arena.
  const std::uint64_t tag = hash & tag_bits;
  std::uint64_t place = (hash >> 32U) & mask_;
  for (; index_[place] != free_place; place = (place + 1) & mask_) {
    if ((index_[place] & tag_bits) != tag) continue;
    const Ref ref = static_cast<Ref>(index_[place]);
    // Code words are prefix-free: agreeing on the whole of one means being equal.
    if (std::memcmp(this->bytes(ref), bytes.data(), bytes.size()) == 0) return {ref, false};
  }
  const Ref words = 1 + words_for(bytes.size());
  if (std::uint64_t{used_} + words > capacity_) throw std::bad_alloc();
  const Ref ref = used_;
  words_[ref] = parent;
  std::memcpy(words_ + ref + 1, bytes.data(), bytes.size());
  used_ += words;
  ++count_;
  index_[place] = tag | ref;
  return {ref, true};
}

void StateStore::grow_index() {
  if (env_ != nullptr && !env_->has_room(2 * index_.size() * sizeof(std::uint64_t))) {
    throw Stopped(env_->describe_stop());
  }
  std::vector<std::uint64_t> old(2 * index_.size(), free_place);
  old.swap(index_);
  mask_ = index_.size() - 1;
  for (const std::uint64_t entry : old) {
    if (entry == free_place) continue;
    std::uint64_t place = (entry >> 32U) & mask_;
    while (index_[place] != free_place) place = (place + 1) & mask_;
    index_[place] = entry;
  }
}

}  // namespace cohort::engine
