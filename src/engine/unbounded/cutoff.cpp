// The cover that the Karp-Miller construction computes names every reachable thread state.  Then n = 1, 2, ... threads
// are searched completely until all of them have been seen; the last one seen is the witness that fewer do not suffice.
//
// "n threads" means at most n alive at a time: groups of any size start with any number that fits, and a thread
// creation at the bound does nothing.  More threads never reach less, for a thread that exists need not move.
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

namespace cohort::engine {

using namespace unbounded;

namespace {

constexpr std::size_t max_states = 20'000'000;

// A thread state by the system's numbers: the control state without the thread inside an atomic section, and the local
// state.
struct Key {
  model::SharedId shared = 0;
  std::uint32_t local = 0;

  auto operator<=>(const Key&) const = default;
};

model::Program without_properties(model::Program program) {
  program.properties.clear();
  program.faults = model::FaultPolicy::Drop;
  for (model::Template& templ : program.templates) {
    for (model::Location& location : templ.locations) location.error.reset();
  }
  return program;
}

template <class Visit>
void for_each_thread_state(const CounterSystem& system, ControlId control, TokenView tokens, Visit&& visit) {
  const Control& here = system.control(control);
  if (here.holder != model::no_id) visit(Key{here.shared, here.holder});
  for (const Token& token : tokens) visit(Key{here.shared, token.place});
}

model::Valuation shared_of(const CounterSystem& system, Key key) {
  for (ControlId control = 0; control < system.control_count(); ++control) {
    if (system.control(control).shared == key.shared) return system.shared_state(control);
  }
  COHORT_UNREACHABLE("a thread state has the shared state of a control state");
}

class Search {
 public:
  Search(Env& env, const model::Program& program)
      : env_(env), program_(without_properties(program)), system_(program_) {}

  Cutoff reachability() {
    Cutoff cutoff;
    if (!find_all(cutoff)) return cutoff;
    std::set<Key> missing = all_;
    return grow(cutoff, [&](BoundedSearch& search, Key& last) {
      const auto outcome = search.run([&](ControlId control, TokenView tokens, std::uint32_t) {
        for_each_thread_state(system_, control, tokens, [&](Key key) {
          if (missing.erase(key) != 0) last = key;
        });
        return missing.empty();
      });
      return std::pair(outcome, missing.empty());
    });
  }

  Cutoff uniform() {
    Cutoff cutoff;
    if (!find_all(cutoff) || !find_depths(cutoff)) return cutoff;
    std::map<Key, std::uint32_t> late = depths_;
    for (const auto& [key, depth] : depths_) cutoff.depth = std::max(cutoff.depth, depth);
    return grow(cutoff, [&](BoundedSearch& search, Key& last) {
      search.set_max_depth(cutoff.depth);
      const auto outcome = search.run([&](ControlId control, TokenView tokens, std::uint32_t depth) {
        for_each_thread_state(system_, control, tokens, [&](Key key) {
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
    for (const std::uint32_t node : tree.cover()) {
      for_each_thread_state(system_, tree.nodes()[node].control, tree.tokens(node), [&](Key key) { all_.insert(key); });
    }
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
                            [&](Key key) { depths_.try_emplace(key, depth); });
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
        if (env_.stop_requested() || seen.size() > max_states) {
          cutoff.unknown = "the depths of the thread states take too long to find";
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
    Key last;
    const auto fewest = static_cast<std::uint32_t>(std::max<std::uint64_t>(1, fewest_threads(system_)));
    for (std::uint32_t threads = fewest;; ++threads) {
      BoundedSearch search(env_, system_, threads, max_states);
      const auto [outcome, done] = look(search, last);
      if (done) {
        cutoff.threads = threads;
        if (!all_.empty()) {
          cutoff.witness_shared = shared_of(system_, last);
          cutoff.witness = system_.thread_state(last.local);
        }
        return cutoff;
      }
      if (outcome == BoundedSearch::Outcome::Stopped) {
        cutoff.unknown =
            fmt::format("more than {} threads are needed; the search with {} was too large", threads - 1, threads);
        return cutoff;
      }
    }
  }

  Env& env_;
  model::Program program_;
  CounterSystem system_;
  std::set<Key> all_;
  std::map<Key, std::uint32_t> depths_;
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
