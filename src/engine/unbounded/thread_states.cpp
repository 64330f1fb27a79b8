#include "engine/unbounded/thread_states.hpp"

#include <algorithm>

#include "engine/unbounded/bounded_search.hpp"

namespace cohort::engine::unbounded {

std::set<ThreadStateKey> reachable_thread_states(const KarpMiller& tree) {
  std::set<ThreadStateKey> all;
  for (const std::uint32_t node : tree.cover()) {
    for_each_thread_state(tree.system(), tree.nodes()[node].control, tree.tokens(node),
                          [&](ThreadStateKey key) { all.insert(key); });
  }
  return all;
}

SufficientThreads sufficient_threads(Env& env, CounterSystem& system, std::set<ThreadStateKey> wanted,
                                     std::size_t max_states) {
  SufficientThreads answer;
  answer.threads = static_cast<std::uint32_t>(std::max<std::uint64_t>(1, fewest_threads(system)));
  for (std::size_t visited = 0;; ++answer.threads) {
    BoundedSearch search(env, system, answer.threads, max_states - visited);
    const auto outcome = search.run([&](ControlId control, TokenView tokens, std::uint32_t) {
      for_each_thread_state(system, control, tokens, [&](ThreadStateKey key) {
        if (wanted.erase(key) != 0) answer.last = key;
      });
      return wanted.empty();
    });
    answer.known = wanted.empty();
    visited += search.state_count();
    if (answer.known || outcome == BoundedSearch::Outcome::Stopped || visited >= max_states) return answer;
  }
}

}  // namespace cohort::engine::unbounded
