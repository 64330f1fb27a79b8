// The cover that the Karp-Miller construction computes names every reachable thread state; thread_states.hpp says how
// many threads reach them all.
//
// The uniform cutoff compares the number of steps, too.  The fewest steps from any number of threads are found breadth
// first over configurations with omegas, without acceleration; a configuration that one at most as deep covers adds
// nothing.  Then n threads are searched breadth first to that depth, until every thread state is reached as soon.
#include "engine/cutoff.hpp"

#include <algorithm>
#include <map>
#include <set>

#include <fmt/core.h>

#include "base/contract.hpp"
#include "engine/unbounded/antichain.hpp"
#include "engine/unbounded/bounded_search.hpp"
#include "engine/unbounded/karp_miller.hpp"
#include "engine/unbounded/karp_miller_engine.hpp"
#include "engine/unbounded/thread_states.hpp"

namespace cohort::engine {

using namespace unbounded;

namespace {

constexpr std::size_t max_states = 20'000'000;

model::Program without_properties(model::Program program) {
  program.properties.clear();
  program.faults = model::FaultPolicy::Drop;
  for (model::Template& templ : program.templates) {
    for (model::Location& location : templ.locations) location.error.reset();
  }
  return program;
}

model::Valuation shared_of(const CounterSystem& system, ThreadStateKey key) {
  for (ControlId control = 0; control < system.control_count(); ++control) {
    if (system.control(control).shared == key.shared) return system.shared_state(control);
  }
  COHORT_UNREACHABLE("a thread state has the shared state of a control state");
}

class Search {
 public:
  Search(Env& env, const model::Program& program)
      : env_(env), program_(without_properties(program)), system_(program_, &env) {}

  Cutoff reachability() {
    Cutoff cutoff;
    if (!find_all(cutoff)) return cutoff;
    const SufficientThreads found = sufficient_threads(env_, system_, all_, max_states);
    if (found.known) return finish(cutoff, found.threads, found.last);
    return too_large(cutoff, found.threads);
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
  bool find_all(Cutoff& cutoff) {
    KarpMiller tree(env_, system_, {});
    if (tree.run() != KarpMiller::Outcome::Covered) {
      cutoff.unknown = fmt::format("{}; the reachable thread states are not known", env_.describe_stop());
      return false;
    }
    COHORT_EXPECT(tree.is_closed(), "the cover is closed under every rule");
    all_ = reachable_thread_states(tree);
    cutoff.thread_states = all_.size();
    return true;
  }

  // Breadth first over configurations with omegas until every thread state has its depth.
  bool find_depths(Cutoff& cutoff) {
    std::vector<Configuration> seen;
    Antichain index;
    std::vector<std::uint32_t> layer;
    std::vector<std::uint32_t> next;
    const auto reach = [&](Configuration configuration, std::uint32_t depth) {
      const Summary summary = Summary::of(configuration.tokens);
      const bool known = index.any_above(configuration.control, summary, [&](std::uint32_t other) {
        return covers(seen[other].tokens, configuration.tokens);
      });
      if (known) return;
      for_each_thread_state(system_, configuration.control, configuration.tokens,
                            [&](ThreadStateKey key) { depths_.try_emplace(key, depth); });
      index.insert(configuration.control, summary, static_cast<std::uint32_t>(seen.size()));
      next.push_back(static_cast<std::uint32_t>(seen.size()));
      seen.push_back(std::move(configuration));
    };
    for (const Configuration& start : system_.initial()) reach(start, 0);
    std::vector<RuleId> rules;
    for (std::uint32_t depth = 1; depths_.size() < all_.size(); ++depth) {
      std::swap(layer, next);
      next.clear();
      COHORT_EXPECT(!layer.empty(), "every reachable thread state has a depth");
      for (const std::uint32_t id : layer) {
        if (env_.stop_requested("cutoff") || seen.size() > max_states) {
          cutoff.unknown = "the depths of the thread states take too long to find";
          if (env_.stop_reason() != StopReason::None) cutoff.unknown = env_.describe_stop();
          return false;
        }
        rules.clear();
        system_.enabled(seen[id].control, seen[id].tokens, rules);
        for (const RuleId rule_id : rules) {
          const Rule& rule = system_.rule(rule_id);
          Configuration after{rule.to, seen[id].tokens};
          remove(after.tokens, system_.pre(rule));
          add(after.tokens, system_.post(rule));
          reach(std::move(after), depth);
        }
      }
    }
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

std::optional<std::string> cutoff_refuses(const model::Program& program) {
  return KarpMillerEngine().refuses({program, std::nullopt, {}});
}

Cutoff reachability_cutoff(Env& env, const model::Program& program) {
  COHORT_EXPECT(!cutoff_refuses(program), "only for programs that are not refused");
  return Search(env, program).reachability();
}

Cutoff uniform_cutoff(Env& env, const model::Program& program) {
  COHORT_EXPECT(!cutoff_refuses(program), "only for programs that are not refused");
  return Search(env, program).uniform();
}

}  // namespace cohort::engine
