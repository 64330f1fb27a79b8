// Two ways to a cutoff take turns.  The cover that the Karp-Miller construction computes names every reachable thread
// state; thread_states.hpp says how many threads reach them all.  Dynamic detection (dynamic_cutoff.hpp) searches few
// threads and shows during that search that more reach nothing else; it alone takes broadcasts.
//
// The uniform cutoff compares the number of steps, too (fewest_steps.hpp).  Then n threads are searched breadth first
// to the largest of these depths, until every thread state is reached as soon.
#include "engine/cutoff.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include <fmt/core.h>

#include "base/contract.hpp"
#include "engine/unbounded/bounded_search.hpp"
#include "engine/unbounded/dynamic_cutoff.hpp"
#include "engine/unbounded/dynamic_cutoff_engine.hpp"
#include "engine/unbounded/fewest_steps.hpp"
#include "engine/unbounded/karp_miller.hpp"
#include "engine/unbounded/karp_miller_engine.hpp"
#include "engine/unbounded/thread_states.hpp"
#include "model/passes/without_properties.hpp"

namespace cohort::engine {

using namespace unbounded;

namespace {

constexpr std::size_t max_states = 20'000'000;
constexpr std::uint64_t first_turn = 20'000;

model::Valuation shared_of(const CounterSystem& system, ThreadStateKey key) {
  for (ControlId control = 0; control < system.control_count(); ++control) {
    if (system.control(control).shared == key.shared) return system.shared_state(control);
  }
  COHORT_UNREACHABLE("a thread state has the shared state of a control state");
}

class Search {
 public:
  Search(Env& env, const model::Program& program)
      : env_(env), program_(model::without_properties(program)), system_(program_, &env) {}

  Cutoff reachability() {
    Cutoff cutoff;
    const Possible possible(env_, system_);
    if (!possible.complete()) return stopped(cutoff, "");
    const Net net(system_, possible);
    DynamicCutoff dynamic(env_, net);
    std::optional<KarpMiller> tree;
    if (!system_.has_broadcasts()) tree.emplace(env_, system_, KarpMillerOptions{});
    for (std::uint64_t turn = first_turn;; turn *= 2) {
      if (env_.poll_now("cutoff")) {
        return stopped(cutoff, fmt::format("; {} threads reach {} thread states", dynamic.threads_searched(),
                                           dynamic.reached().size()));
      }
      if (tree && tree->run(turn) == KarpMiller::Outcome::Covered) {
        take_all(*tree, cutoff);
        const SufficientThreads found = sufficient_threads(env_, system_, all_, max_states);
        if (found.known) return finish(cutoff, found.threads, found.last);
        return too_large(cutoff, found.threads);
      }
      if (dynamic.run(turn) == DynamicCutoff::Outcome::Found) {
        for (const auto& [key, threads] : dynamic.reached()) all_.insert(key);
        cutoff.thread_states = all_.size();
        return finish(cutoff, dynamic.cutoff(), dynamic.last());
      }
    }
  }

  Cutoff uniform() {
    Cutoff cutoff;
    if (!find_all(cutoff) || !find_depths(cutoff)) return cutoff;
    std::map<ThreadStateKey, std::uint32_t> late = depths_;
    for (const auto& [key, depth] : depths_) cutoff.depth = std::max(cutoff.depth, depth);
    return grow(cutoff, [&](BoundedSearch& search, ThreadStateKey& last) {
      search.set_max_depth(cutoff.depth);
      const auto outcome = search.run([&](ControlId control, TokenView tokens, std::uint32_t depth) {
        for_each_thread_state(system_, control, tokens, [&](ThreadStateKey key) {
          const auto it = late.find(key);
          if (it == late.end() || depth > it->second) return;
          late.erase(it);
          last = key;
        });
        return late.empty();
      });
      return std::pair(outcome, late.empty());
    });
  }

 private:
  void take_all(KarpMiller& tree, Cutoff& cutoff) {
    COHORT_EXPECT(tree.is_closed(), "the cover is closed under every rule");
    all_ = reachable_thread_states(tree);
    cutoff.thread_states = all_.size();
  }

  bool find_all(Cutoff& cutoff) {
    KarpMiller tree(env_, system_, {});
    if (tree.run() != KarpMiller::Outcome::Covered) {
      cutoff = stopped(cutoff, "; the reachable thread states are not known");
      return false;
    }
    take_all(tree, cutoff);
    return true;
  }

  bool find_depths(Cutoff& cutoff) {
    const SufficientThreads few = sufficient_threads(env_, system_, all_, max_states);
    if (!few.known) {
      cutoff = too_large(cutoff, few.threads);
      return false;
    }
    const Possible possible(env_, system_);
    if (!possible.complete()) {
      cutoff = stopped(cutoff, "");
      return false;
    }
    const Net net(system_, possible);
    FewestSteps fewest(env_, net, few.threads);
    if (!fewest.run()) {
      cutoff = stopped(cutoff, fmt::format("; {} threads reach all, but perhaps not in the fewest steps", few.threads));
      return false;
    }
    env_.statistics.set("backward_searches", fewest.questions());
    depths_ = fewest.steps();
    COHORT_EXPECT(depths_.size() == all_.size(), "every reachable thread state has a depth");
    return true;
  }

  // Tries more and more threads until `look` is content.
  template <class Look>
  Cutoff grow(Cutoff cutoff, Look&& look) {
    ThreadStateKey last;
    const auto fewest = static_cast<std::uint32_t>(std::max<std::uint64_t>(1, fewest_threads(system_)));
    for (std::uint32_t threads = fewest;; ++threads) {
      BoundedSearch search(env_, system_, threads, max_states);
      const auto [outcome, done] = look(search, last);
      if (done) return finish(cutoff, threads, last);
      if (outcome == BoundedSearch::Outcome::Stopped) return too_large(cutoff, threads);
    }
  }

  Cutoff finish(Cutoff cutoff, std::uint32_t threads, ThreadStateKey last) const {
    cutoff.threads = threads;
    if (!all_.empty()) {
      cutoff.witness_shared = shared_of(system_, last);
      cutoff.witness = system_.thread_state(last.local);
    }
    return cutoff;
  }

  Cutoff stopped(Cutoff cutoff, const std::string& established) const {
    cutoff.unknown = env_.describe_stop() + established;
    return cutoff;
  }

  Cutoff too_large(Cutoff cutoff, std::uint32_t threads) const {
    cutoff.unknown =
        fmt::format("more than {} threads are needed; the search with {} was too large", threads - 1, threads);
    if (env_.stop_reason() != StopReason::None) cutoff.unknown = env_.describe_stop();
    return cutoff;
  }

  Env& env_;
  model::Program program_;
  CounterSystem system_;
  std::set<ThreadStateKey> all_;
  std::map<ThreadStateKey, std::uint32_t> depths_;
};

}  // namespace

std::optional<std::string> cutoff_refuses(const model::Program& program, bool uniform) {
  if (uniform) return KarpMillerEngine().refuses({program, std::nullopt, {}});
  return DynamicCutoffEngine().refuses({program, std::nullopt, {}});
}

Cutoff reachability_cutoff(Env& env, const model::Program& program) {
  COHORT_EXPECT(!cutoff_refuses(program), "only for programs that are not refused");
  return Search(env, program).reachability();
}

Cutoff uniform_cutoff(Env& env, const model::Program& program) {
  COHORT_EXPECT(!cutoff_refuses(program, true), "only for programs that are not refused");
  return Search(env, program).uniform();
}

}  // namespace cohort::engine
