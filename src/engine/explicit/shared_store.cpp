#include "engine/explicit/shared_store.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <cstring>
#include <new>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "base/contract.hpp"

namespace cohort::engine::explicit_ {

namespace {

constexpr std::uint64_t free_place = UINT64_MAX;
constexpr std::uint64_t tag_bits = 0xFFFFFFFF00000000ULL;
constexpr std::uint64_t initial_places = std::uint64_t{1} << 12U;
constexpr std::uint64_t max_words = (std::uint64_t{1} << 32U);
constexpr std::uint64_t min_words = std::uint64_t{1} << 20U;

// Filled to 5/8, as by one thread.
constexpr std::uint64_t most_for(std::uint64_t places) {
  return places / 8 * 5;
}

}  // namespace

SharedStore::SharedStore()
    : index_(initial_places, free_place),
      places_(index_.data()),
      mask_(initial_places - 1),
      most_(most_for(initial_places)) {
  // Address space may be limited (ulimit -v): take what can be had.
  for (capacity_ = max_words; capacity_ >= min_words; capacity_ /= 2) {
    void* memory =
        mmap(nullptr, capacity_ * 4, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory != MAP_FAILED) {
      words_ = static_cast<std::uint32_t*>(memory);
      break;
    }
  }
  if (words_ == nullptr) throw std::bad_alloc();
  new_words_ = std::make_unique<std::atomic<Ref>[]>(capacity_ >> block_bits);
}

SharedStore::~SharedStore() {
  munmap(words_, capacity_ * 4);
}

std::uint64_t SharedStore::hash_of(std::span<const std::uint32_t> word) {
  return XXH3_64bits(word.data(), word.size_bytes());
}

void SharedStore::prefetch_record(std::uint64_t hash) const {
  std::uint64_t* places = places_.load(std::memory_order_relaxed);
  const std::uint64_t entry = std::atomic_ref(places[place_of(hash)]).load(std::memory_order_relaxed);
  if (entry != free_place && (entry & tag_bits) == (hash & tag_bits))
    __builtin_prefetch(words_ + static_cast<Ref>(entry));
}

SharedStore::Ref SharedStore::end() const {
  return static_cast<Ref>(std::min<std::uint64_t>(next_block_.load() << block_bits, none));
}

StateStore::Insertion SharedStore::Writer::insert(std::span<const std::uint8_t> bytes, Ref parent) {
  padded_.assign((bytes.size() + 3) / 4, 0);
  std::memcpy(padded_.data(), bytes.data(), bytes.size());
  return insert(padded_, hash_of(padded_), parent);
}

StateStore::Insertion SharedStore::Writer::insert(std::span<const std::uint32_t> word, std::uint64_t hash, Ref parent) {
  COHORT_EXPECT(!word.empty(), "a state has a code word");
  SharedStore& store = store_;
  if (store.grows_.load(std::memory_order_relaxed)) store.grow_together(env_);
  const std::uint64_t tag = hash & tag_bits;
  const std::uint64_t mask = store.mask_.load(std::memory_order_relaxed);
  std::uint64_t* const places = store.places_.load(std::memory_order_relaxed);
  const auto is_here = [&](Ref ref) {
    // Code words are prefix-free, and padding is alike: they differ before the shorter one ends.
    // So nothing is read behind its end, where somebody may be writing, as long as the loop ends at a difference.
    const std::uint32_t* other = store.words_ + ref + 1;
    for (const std::uint32_t part : word) {
      if (part != *other++) return false;
    }
    return true;
  };
  Ref ref = none;
  for (std::uint64_t place = store.place_of(hash);; place = (place + 1) & mask) {
    const std::atomic_ref slot(places[place]);
    std::uint64_t entry = slot.load(std::memory_order_acquire);
    if (entry == free_place) {
      if (ref == none) {
        ref = reserve(1 + static_cast<std::uint32_t>(word.size()));
        store.words_[ref] = parent;
        std::memcpy(store.words_ + ref + 1, word.data(), word.size_bytes());
      }
      if (slot.compare_exchange_strong(entry, tag | ref, std::memory_order_acq_rel, std::memory_order_acquire)) break;
    }
    if ((entry & tag_bits) == tag && is_here(static_cast<Ref>(entry))) return {static_cast<Ref>(entry), false};
  }
  used_ += 1 + static_cast<Ref>(word.size());
  if (used_ - run_begin_ >= run_words) close_run();
  if (++inserted_ % count_together == 0) {
    const std::uint64_t count = store.count_.fetch_add(count_together, std::memory_order_relaxed) + count_together;
    if (count > store.most_.load(std::memory_order_relaxed)) store.grows_.store(true, std::memory_order_relaxed);
  }
  return {ref, true};
}

// Room for a record, which is taken when it is published.
SharedStore::Ref SharedStore::Writer::reserve(std::uint32_t words) {
  // The last reference is `none`.
  if (std::uint64_t{used_} + words <= block_end_) return used_;
  const std::uint64_t blocks = (words + block_words - 1) >> block_bits;
  const std::uint64_t first = store_.next_block_.fetch_add(blocks, std::memory_order_relaxed);
  const std::uint64_t end = (first + blocks) << block_bits;
  if (end > std::min<std::uint64_t>(store_.capacity_, none)) throw std::bad_alloc();
  close_run();
  used_ = run_begin_ = static_cast<Ref>(first << block_bits);
  block_end_ = static_cast<Ref>(end);
  for (std::uint64_t block = first; block < first + blocks; ++block) {
    store_.new_words_[block].store(static_cast<Ref>(block_words), std::memory_order_relaxed);
  }
  return used_;
}

void SharedStore::Writer::close_run() {
  if (run_begin_ < used_) runs_.push_back({run_begin_, used_});
  run_begin_ = used_;
}

void SharedStore::expect(std::uint32_t threads) {
  const std::lock_guard lock(mutex_);
  COHORT_EXPECT(present_ == 0, "one phase follows another");
  present_ = threads;
}

void SharedStore::leave() {
  const std::lock_guard lock(mutex_);
  --present_;
  // Those who wait would wait for ever; one of them will do it.
  if (waiting_ > 0 && waiting_ == present_) grown_.notify_all();
}

void SharedStore::grow_together(Env* env) {
  std::unique_lock lock(mutex_);
  if (!grows_.load(std::memory_order_relaxed)) return;
  const std::uint64_t before = growths_;
  ++waiting_;
  grown_.wait(lock, [&] { return growths_ != before || waiting_ >= present_; });
  if (growths_ == before) {
    failed_ = true;
    ++growths_;
    grows_.store(false, std::memory_order_relaxed);
    --waiting_;
    grown_.notify_all();
    grow(env);
    failed_ = false;
    return;
  }
  --waiting_;
  if (failed_) throw Stopped("the index of states cannot grow");
}

void SharedStore::grow(Env* env) {
  const std::uint64_t places = 2 * index_.size();
  if (env != nullptr && !env->has_room(places * sizeof(std::uint64_t))) throw Stopped(env->describe_stop());
  std::vector<std::uint64_t> old(places, free_place);
  old.swap(index_);
  const std::uint64_t mask = places - 1;
  for (const std::uint64_t entry : old) {
    if (entry == free_place) continue;
    std::uint64_t place = (entry >> 32U) & mask;
    while (index_[place] != free_place) place = (place + 1) & mask;
    index_[place] = entry;
  }
  places_.store(index_.data(), std::memory_order_relaxed);
  mask_.store(mask, std::memory_order_relaxed);
  most_.store(most_for(places), std::memory_order_relaxed);
}

std::vector<SharedStore::Run> SharedStore::begin_level(std::span<Writer* const> writers) {
  for (const std::uint32_t block : partly_old_) new_words_[block].store(0, std::memory_order_relaxed);
  partly_old_.clear();
  const std::uint64_t blocks = std::min(next_block_.load(), capacity_ >> block_bits);
  for (; old_blocks_ < blocks; ++old_blocks_) new_words_[old_blocks_].store(0, std::memory_order_relaxed);
  std::vector<Run> level;
  for (Writer* writer : writers) {
    writer->close_run();
    level.insert(level.end(), writer->runs_.begin(), writer->runs_.end());
    writer->runs_.clear();
    if (writer->used_ == writer->block_end_) continue;
    partly_old_.push_back(writer->used_ >> block_bits);
    const std::uint64_t old = writer->used_ & (block_words - 1);
    new_words_[partly_old_.back()].store(static_cast<Ref>(block_words - old), std::memory_order_relaxed);
  }
  return level;
}

}  // namespace cohort::engine::explicit_
