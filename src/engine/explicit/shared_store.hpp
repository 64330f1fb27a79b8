// The set of states seen so far, for the threads of one process: as StateStore, but several insert at once.
//
// Layout: one arena of 32-bit words and one index of (hash tag, reference), both as in StateStore.  Each thread has a
// Writer, which takes blocks of the arena and fills them by itself.  A record is written first, into room that nobody
// else knows, and then published by a compare-and-swap on its place of the index; who loses the race finds either the
// same state there, or goes on to the next place and publishes the same record.  Nothing is ever removed, and a place
// that is taken keeps its entry, so a search that meets a free place has seen everything before it.
//
// The index grows where everybody stands still: each thread asks at the beginning of an insertion whether somebody
// wants it to grow, and waits; the last one that comes to wait, or that leaves the work, moves the entries.
//
// Levels: states found between two calls of begin_level() belong to one level.  They are listed in runs of neighbouring
// records, short enough to be handed out as work; is_new() says whether a state belongs to the current level.
//
// Cost: that of StateStore, and up to a block for each thread.  Not lock striping: each lock would be a line that
// moves from processor to processor at every look-up, where now only insertions write.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "base/env.hpp"
#include "engine/state_store.hpp"

namespace cohort::engine::explicit_ {

class SharedStore {
 public:
  using Ref = StateStore::Ref;
  static constexpr Ref none = StateStore::none;

  // Neighbouring records.
  struct Run {
    Ref begin = 0;
    Ref end = 0;
  };

  // What one thread has of the store; it outlives the store's last use.
  class Writer {
   public:
    // With `env`, growing throws Stopped before it passes the memory limit.
    explicit Writer(SharedStore& store, Env* env = nullptr) : store_(store), env_(env) {}
    Writer(const Writer&) = delete;
    Writer& operator=(const Writer&) = delete;

    // `word` is a code word, padded with zeros to whole words of 32 bits; `hash` is hash_of(word).
    StateStore::Insertion insert(std::span<const std::uint32_t> word, std::uint64_t hash, Ref parent);
    StateStore::Insertion insert(std::span<const std::uint8_t> bytes, Ref parent);
    std::uint64_t inserted() const { return inserted_; }
    void prefetch(std::uint64_t hash) const { store_.prefetch(hash); }
    void prefetch_record(std::uint64_t hash) const { store_.prefetch_record(hash); }
    bool is_new(Ref ref) const { return store_.is_new(ref); }
    const std::uint8_t* bytes(Ref ref) const { return store_.bytes(ref); }
    Ref end() const { return store_.end(); }

   private:
    friend class SharedStore;

    Ref reserve(std::uint32_t words);
    void close_run();

    SharedStore& store_;
    Env* env_;
    Ref used_ = 0;           // the next free word of the block
    Ref block_end_ = 0;      // where it ends; equal to used_ before the first
    Ref run_begin_ = 0;      // of the run that is being filled
    std::vector<Run> runs_;  // of the current level, those that are closed
    std::uint64_t inserted_ = 0;
    std::vector<std::uint32_t> padded_;
  };

  // A thread is in a phase of work while it inserts together with others; all of them enter before the first inserts.
  class Presence {
   public:
    explicit Presence(SharedStore& store) : store_(store) {}
    Presence(const Presence&) = delete;
    Presence& operator=(const Presence&) = delete;
    ~Presence() { store_.leave(); }

   private:
    SharedStore& store_;
  };

  SharedStore();
  ~SharedStore();
  SharedStore(const SharedStore&) = delete;
  SharedStore& operator=(const SharedStore&) = delete;

  static std::uint64_t hash_of(std::span<const std::uint32_t> word);
  // The caller is about to insert or to look for a state of this hash: begins to load what that needs.
  void prefetch(std::uint64_t hash) const {
    __builtin_prefetch(places_.load(std::memory_order_relaxed) + place_of(hash));
  }
  // The same, when the first has had its time.
  void prefetch_record(std::uint64_t hash) const;

  Ref parent(Ref ref) const { return words_[ref]; }
  const std::uint8_t* bytes(Ref ref) const { return reinterpret_cast<const std::uint8_t*>(words_ + ref + 1); }
  static Ref next(Ref ref, std::size_t length) { return ref + 1 + static_cast<Ref>((length + 3) / 4); }
  // Below it are all references.
  Ref end() const;

  // So many threads are about to enter a phase of work; each of them has a Presence.
  void expect(std::uint32_t threads);
  // Between two phases: closes a level, which is the union of what all writers have inserted since the last call.
  std::vector<Run> begin_level(std::span<Writer* const> writers);
  // Was the state inserted since the last begin_level()?
  bool is_new(Ref ref) const {
    const Ref words = new_words_[ref >> block_bits].load(std::memory_order_relaxed);
    return (ref & (block_words - 1)) + words >= block_words;
  }

  // About how many states there are; between two phases, how many without what writers have not counted yet.
  std::uint64_t counted() const { return count_.load(std::memory_order_relaxed); }
  // Between two phases: bytes in use by arena and index.
  std::uint64_t memory() const { return std::uint64_t{end()} * 4 + index_.size() * sizeof(std::uint64_t); }

 private:
  static constexpr unsigned block_bits = 16;
  static constexpr std::uint64_t block_words = std::uint64_t{1} << block_bits;
  static constexpr std::uint32_t run_words = 512;
  static constexpr std::uint32_t count_together = 64;

  std::uint64_t place_of(std::uint64_t hash) const { return (hash >> 32U) & mask_.load(std::memory_order_relaxed); }
  void leave();
  // Waits until everybody stands still and the index has grown; throws if it cannot.
  void grow_together(Env* env);
  void grow(Env* env);

  std::uint32_t* words_ = nullptr;
  std::uint64_t capacity_ = 0;  // in words
  std::atomic<std::uint64_t> next_block_ = 0;
  std::unique_ptr<std::atomic<Ref>[]> new_words_;  // by block: how many of its last words belong to the current level
  std::uint64_t old_blocks_ = 0;                   // blocks that were taken before the level began
  std::vector<std::uint32_t> partly_old_;          // those of them that were half full

  // Changed only while everybody stands still.
  std::vector<std::uint64_t> index_;  // hash tag << 32 | reference, or free_place
  std::atomic<std::uint64_t*> places_ = nullptr;
  std::atomic<std::uint64_t> mask_ = 0;
  std::atomic<std::uint64_t> most_ = 0;  // states for which the index is large enough
  std::atomic<std::uint64_t> count_ = 0;

  std::atomic<bool> grows_ = false;  // somebody wants the index to grow
  std::mutex mutex_;
  std::condition_variable grown_;
  std::uint32_t present_ = 0;
  std::uint32_t waiting_ = 0;
  std::uint64_t growths_ = 0;  // tried
  bool failed_ = false;        // the last one
};

}  // namespace cohort::engine::explicit_
