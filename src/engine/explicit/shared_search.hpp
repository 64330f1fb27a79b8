// Breadth-first search by the threads of one process, which share the store of states and the numbers of shared and
// local states (model/common_numbers.hpp).  Each thread has a thread system and a space of its own, whose tables it
// alone reads and writes.
//
// The search goes level by level.  The states of a level lie in runs of neighbours; whoever is free takes the next run,
// expands its states and stores the successors, which are the next level.  When all runs are taken and all threads are
// done, the level is complete.  A level that is too small to be worth waking anybody is expanded by the first thread
// alone, so that long and narrow spaces cost what they cost one thread.
//
// Why results do not depend on the number of threads: levels are sets, the same whoever computes them (for the
// reduction see shared_worker.hpp).  Each state's parent is a state of the level before, so runs are as short as for
// one thread. Which of several violations of one level is found first does depend on it.
//
// A limit that one thread meets, a violation or a failure halts all: at the latest when each has expanded the state
// that it is at.
//
// Cost: the tables of expanded thread states are made by each thread that needs them; everything else once.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <new>
#include <span>
#include <vector>

#include "base/contract.hpp"
#include "engine/explicit/search.hpp"
#include "engine/explicit/shared_worker.hpp"
#include "exchange/threads.hpp"

namespace cohort::engine::explicit_ {

template <class Space>
class SharedSearch {
 public:
  using Worker = SharedWorker<Space>;
  using Ref = SharedStore::Ref;

  // One thread for each of `envs`, the calling one among them.
  SharedSearch(std::span<Env* const> envs, const Task& task, bool reduces) {
    COHORT_EXPECT(!envs.empty(), "somebody works");
    for (Env* env : envs) {
      workers_.push_back(std::make_unique<Worker>(*env, task, numbers_, store_, news_, reduces));
      writers_.push_back(&workers_.back()->writer());
    }
  }

  // Prepares the spaces, before the first state.
  template <class Visit>
  void for_each_worker(Visit&& visit) {
    for (const auto& worker : workers_) visit(*worker);
  }

  SearchOutcome run() {
    in_threads([&] {
      guarded([&] {
        store_.expect(1);
        const SharedStore::Presence presence(store_);
        first().seed();
      });
      end_level();
      search();
    });
    return outcome_;
  }

  // After a complete search of spaces that have more successors since: goes on until the store is closed under them.
  SearchOutcome close() {
    COHORT_EXPECT(outcome_.complete, "what is not complete is not closed");
    level_ = all_;
    all_.clear();
    in_threads([&] { search(); });
    return outcome_;
  }

  // After a complete search: each step that was to be explored leads to a state that is stored, and none of them
  // violates a property.  True as well when a limit stopped it.
  bool is_closed() {
    bool closed = true;
    const std::uint64_t states = size();
    const std::vector<bool> partial = this->partial();
    for_each_state([&](Ref ref) {
      if (first().env().stop_requested("explicit-search")) return false;
      const auto visit = [&](auto, const auto& transition) {
        closed = !transition.faults && !first().writer().insert(first().space().encode_next(), ref).fresh &&
                 !first().space().violated_by_next();
        return closed;
      };
      for_each_explored(first().space(), partial, ref, visit);
      return closed;
    });
    return closed && size() == states;
  }

  // Which states were not expanded in full.
  std::vector<bool> partial() {
    std::vector<bool> result;
    for_each_worker([&](const Worker& worker) {
      for (const Ref ref : worker.partial()) mark(result, ref);
    });
    return result;
  }

  // Calls visit(ref) for each state, which is then the current one of the first worker; stops when it returns false.
  template <class Visit>
  void for_each_state(Visit&& visit) {
    for (const SharedStore::Run& run : all_) {
      for (Ref ref = run.begin; ref != run.end;) {
        const Ref next = SharedStore::next(ref, first().load(ref));
        if (!visit(ref)) return;
        ref = next;
      }
    }
  }

  // Before run(): gives up when there are more.
  void limit_states(std::uint64_t most) {
    for_each_worker([&](Worker& worker) { worker.limit_states(most / workers_.size() + 1); });
  }

  // Before run(): all threads take part in levels of so many words.
  void share_levels_from(std::uint64_t words) { least_words_ = words; }

  Worker& first() { return *workers_.front(); }
  const SharedStore& store() const { return store_; }
  std::uint64_t size() const {
    std::uint64_t states = 0;
    for (const auto& writer : writers_) states += writer->inserted();
    return states;
  }
  // How many levels were expanded by all threads together.
  std::uint64_t shared_levels() const { return shared_levels_; }

 private:
  // The calling thread leads; the others work when it says so, until `lead` returns.
  template <class Lead>
  void in_threads(Lead&& lead) {
    outcome_.complete = false;
    over_ = false;
    phases_before_ = phase_;
    exchange::run_in_threads(static_cast<std::uint32_t>(workers_.size()), [&](exchange::Exchange& exchange) {
      if (exchange.self() != 0) return follow(exchange.self());
      guarded(lead);
      {
        const std::lock_guard lock(mutex_);
        over_ = true;
      }
      begun_.notify_all();
    });
    finish();
  }

  void finish() {
    news_.rethrow();
    outcome_.transitions = 0;
    for_each_worker([&](Worker& worker) { outcome_.transitions += worker.transitions(); });
    if (const auto& violation = news_.violation()) {
      outcome_.bad = violation->ref;
      outcome_.fault = violation->fault;
      outcome_.property = violation->property;
    }
    outcome_.complete = !news_.halted();
    first().system().catch_up();
  }

  // A limit or a failure ends the search for all.
  template <class Work>
  void guarded(Work&& work) {
    try {
      work();
    } catch (const Stopped&) {
      news_.halt();
    } catch (...) {
      news_.fail(std::current_exception());
    }
  }

  void end_level() { level_ = store_.begin_level(writers_); }

  void search() {
    while (!level_.empty() && !news_.halted()) {
      std::uint64_t words = 0;
      for (const SharedStore::Run& run : level_) words += run.end - run.begin;
      all_.insert(all_.end(), level_.begin(), level_.end());
      next_run_ = 0;
      if (words < least_words_ || workers_.size() == 1) {
        store_.expect(1);
        work(first());
      } else {
        ++shared_levels_;
        together();
      }
      if (!news_.halted()) ++outcome_.depth;
      end_level();
    }
    all_.insert(all_.end(), level_.begin(), level_.end());
  }

  void together() {
    store_.expect(static_cast<std::uint32_t>(workers_.size()));
    {
      const std::lock_guard lock(mutex_);
      ++phase_;
      working_ = workers_.size() - 1;
    }
    begun_.notify_all();
    work(first());
    std::unique_lock lock(mutex_);
    ended_.wait(lock, [&] { return working_ == 0; });
  }

  void follow(std::uint32_t self) {
    for (std::uint64_t seen = phases_before_;;) {
      {
        std::unique_lock lock(mutex_);
        begun_.wait(lock, [&] { return over_ || phase_ != seen; });
        if (over_) return;
        seen = phase_;
      }
      work(*workers_[self]);
      const std::lock_guard lock(mutex_);
      if (--working_ == 0) ended_.notify_one();
    }
  }

  void work(Worker& worker) {
    const SharedStore::Presence presence(store_);
    guarded([&] {
      for (;;) {
        const std::size_t number = next_run_.fetch_add(1, std::memory_order_relaxed);
        if (number >= level_.size() || news_.halted()) break;
        worker.expand(level_[number]);
        if (&worker == workers_.front().get()) show_progress();
      }
      worker.settle();
    });
  }

  void show_progress() {
    first().env().report_progress([&] {
      return std::to_string(store_.counted()) + " states, " + std::to_string(outcome_.depth) + " levels, " +
             std::to_string(workers_.size()) + " threads";
    });
  }

  model::ThreadSystem::Numbers numbers_;
  SharedStore store_;
  SharedNews news_;
  std::vector<std::unique_ptr<Worker>> workers_;
  std::vector<SharedStore::Writer*> writers_;
  std::vector<SharedStore::Run> level_;  // being expanded
  std::vector<SharedStore::Run> all_;    // of all levels, in their order
  std::atomic<std::size_t> next_run_ = 0;
  // Some thousand states: a millisecond or so, many times what it takes to wake a thread.
  std::uint64_t least_words_ = 8192;
  std::uint64_t shared_levels_ = 0;
  SearchOutcome outcome_;

  std::mutex mutex_;
  std::condition_variable begun_;
  std::condition_variable ended_;
  std::uint64_t phase_ = 0;
  std::uint64_t phases_before_ = 0;  // when the threads started
  std::size_t working_ = 0;          // of those that follow
  bool over_ = false;
};

}  // namespace cohort::engine::explicit_
