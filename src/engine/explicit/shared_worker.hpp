// What one thread does in a search that several threads of one process make together (shared_search.hpp): it expands
// runs of states and puts their successors into the common store.
//
// Successors are collected, some dozens at a time.  What the store needs to look one of them up is on its way to the
// processor meanwhile, so that the thread does not wait for memory at each of them; with one look-up at a time, most of
// the time of a large search is spent waiting.  The same batch is where violations are looked for: in the new states,
// once they are stored.
//
// Reduction: a state where the stubborn set was taken is expanded in full if none of the successors is in the next
// level (persistent.hpp wants a strict order in which each state is put off to a later one; the level is one that does
// not depend on who expands what).  What belongs to the next level is decided by the levels before alone, so for the
// same sets the same states are explored by any number of threads.
#pragma once

#include <atomic>
#include <cstdint>
#include <cstring>
#include <exception>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "engine/engine.hpp"
#include "engine/explicit/shared_store.hpp"
#include "model/thread_system.hpp"

namespace cohort::engine::explicit_ {

struct SharedViolation {
  SharedStore::Ref ref = SharedStore::none;
  bool fault = false;  // a step of this state faults
  std::optional<model::PropertyId> property;
};

// What the threads of a search tell each other on the way.
class SharedNews {
 public:
  // Nobody begins with another state.
  bool halted() const { return halted_.load(std::memory_order_relaxed); }
  void halt() { halted_.store(true, std::memory_order_relaxed); }
  // Runs to violations of one level are equally long, so the first one that is heard of is as good as any.
  void claim(const SharedViolation& violation) {
    const std::lock_guard lock(mutex_);
    if (!violation_) violation_ = violation;
    halt();
  }
  void fail(std::exception_ptr failure) {
    const std::lock_guard lock(mutex_);
    if (!failure_) failure_ = std::move(failure);
    halt();
  }

  // When nobody works any more.
  const std::optional<SharedViolation>& violation() const { return violation_; }
  void rethrow() const {
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  std::atomic<bool> halted_ = false;
  std::mutex mutex_;
  std::optional<SharedViolation> violation_;
  std::exception_ptr failure_;
};

template <class Space>
class SharedWorker {
 public:
  using Ref = SharedStore::Ref;

  SharedWorker(Env& env, const Task& task, model::ThreadSystem::Numbers& numbers, SharedStore& store, SharedNews& news,
               bool reduces)
      : env_(env),
        news_(news),
        system_(task.program, &env, &numbers),
        space_(system_, *task.bound, reduces),
        writer_(store, &env) {}

  model::ThreadSystem& system() { return system_; }
  Space& space() { return space_; }
  SharedStore::Writer& writer() { return writer_; }
  Env& env() { return env_; }
  std::uint64_t transitions() const { return transitions_; }
  // States that it has not expanded in full.
  const std::vector<Ref>& partial() const { return partial_; }
  void limit_states(std::uint64_t most) { most_states_ = most; }

  void seed() {
    space_.for_each_initial([&] { add(space_.encode_next(), SharedStore::none, not_picked); });
    settle();
  }

  // Until somebody halts.
  void expand(SharedStore::Run run) {
    for (Ref ref = run.begin; ref != run.end && !news_.halted();) {
      if (env_.stop_requested("explicit-search") || writer_.inserted() > most_states_) return news_.halt();
      ref = SharedStore::next(ref, load(ref));
      expand_current();
      if (hashes_.size() >= batch) settle();
    }
  }

  // Stores what was collected, looks at what is new, and expands in full what must be.
  void settle() {
    while (!hashes_.empty() || !new_.empty() || !picked_.empty()) {
      store();
      look_at_new();
      if (news_.halted()) break;
      expand_rest();
    }
    picked_.clear();
  }

  // Makes a stored state the current one; returns the length of its code word.
  std::size_t load(Ref ref) {
    const std::uint8_t* word = writer_.bytes(ref);
    const auto length = static_cast<std::size_t>(space_.load(word) - word);
    if (!space_.knows_current()) system_.catch_up();
    ref_ = ref;
    return length;
  }

 private:
  static constexpr std::size_t batch = 48;
  static constexpr std::size_t largest_batch = 1024;  // one state may have many successors
  static constexpr std::uint32_t not_picked = UINT32_MAX;

  struct Picked {
    Ref ref = SharedStore::none;
    bool leads_on = false;  // to a state of the next level
  };
  struct Successor {
    std::uint32_t begin = 0;  // in words_
    std::uint32_t length = 0;
    Ref parent = SharedStore::none;
    std::uint32_t picked = not_picked;  // index in picked_
  };

  void expand_current() {
    const std::uint64_t before = transitions_;
    bool goes_on = false;
    if constexpr (requires { space_.pick(); }) {
      using Part = typename Space::Part;
      const bool picks = space_.pick();
      const std::uint32_t index = picks ? static_cast<std::uint32_t>(picked_.size()) : not_picked;
      if (picks) picked_.push_back({ref_, false});
      goes_on = space_.for_each_successor(visitor(ref_, index), {.part = picks ? Part::Picked : Part::All});
    } else {
      goes_on = space_.for_each_successor(visitor(ref_, not_picked));
    }
    if (!goes_on || transitions_ > before) return;
    if (const auto property = space_.violated_by_deadlock()) news_.claim({ref_, false, property});
  }

  auto visitor(Ref parent, std::uint32_t picked) {
    return [this, parent, picked](auto, const auto& transition) {
      ++transitions_;
      if (transition.faults) {
        news_.claim({parent, true, std::nullopt});
        return false;
      }
      add(space_.encode_next(), parent, picked);
      return true;
    };
  }

  void add(std::span<const std::uint8_t> bytes, Ref parent, std::uint32_t picked) {
    const auto begin = static_cast<std::uint32_t>(words_.size());
    const auto length = static_cast<std::uint32_t>((bytes.size() + 3) / 4);
    words_.resize(begin + length, 0);
    std::memcpy(words_.data() + begin, bytes.data(), bytes.size());
    successors_.push_back({begin, length, parent, picked});
    const std::uint64_t hash = SharedStore::hash_of({words_.data() + begin, length});
    hashes_.push_back(hash);
    writer_.prefetch(hash);
    if (hashes_.size() >= largest_batch) store();
  }

  void store() {
    for (const std::uint64_t hash : hashes_) writer_.prefetch_record(hash);
    for (std::size_t i = 0; i < hashes_.size(); ++i) {
      const Successor& next = successors_[i];
      const auto [ref, fresh] = writer_.insert({words_.data() + next.begin, next.length}, hashes_[i], next.parent);
      if (fresh) new_.push_back(ref);
      if (next.picked != not_picked) {
        Picked& picked = picked_[next.picked];
        picked.leads_on = picked.leads_on || fresh || writer_.is_new(ref);
      }
    }
    hashes_.clear();
    successors_.clear();
    words_.clear();
  }

  void look_at_new() {
    for (const Ref ref : new_) {
      load(ref);
      if (const auto property = space_.violated_by_current()) {
        news_.claim({ref, false, property});
        break;
      }
    }
    new_.clear();
  }

  void expand_rest() {
    if constexpr (requires { space_.pick(); }) {
      using Part = typename Space::Part;
      put_off_.clear();
      for (const Picked& picked : picked_) {
        (picked.leads_on ? partial_ : put_off_).push_back(picked.ref);
      }
      picked_.clear();
      for (const Ref ref : put_off_) {
        load(ref);
        space_.pick_again();
        if (!space_.for_each_successor(visitor(ref, not_picked), {.part = Part::Rest})) return;
      }
    }
  }

  Env& env_;
  SharedNews& news_;
  model::ThreadSystem system_;
  Space space_;
  SharedStore::Writer writer_;
  Ref ref_ = SharedStore::none;  // the current state
  std::uint64_t transitions_ = 0;
  std::uint64_t most_states_ = UINT64_MAX;
  // What was collected: hashes_ and successors_ go together.
  std::vector<std::uint64_t> hashes_;
  std::vector<Successor> successors_;
  std::vector<std::uint32_t> words_;
  std::vector<Ref> new_;
  std::vector<Picked> picked_;
  std::vector<Ref> put_off_;
  std::vector<Ref> partial_;
};

}  // namespace cohort::engine::explicit_
