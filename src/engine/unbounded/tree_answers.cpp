#include "engine/unbounded/tree_answers.hpp"

#include <algorithm>

#include "engine/unbounded/backward.hpp"
#include "engine/unbounded/thread_states.hpp"
#include "engine/unbounded/unroll.hpp"
#include "engine/unbounded/verdict.hpp"

namespace cohort::engine::unbounded {

namespace {

// An unrolled execution repeats what the tree repeated.  A person wants the shortest one with the fewest threads, so
// that is looked for first, backwards: by the rules on the path in the tree, which are few and enough, and then, as
// long as that costs little beside the tree, by all rules, which may show one with fewer threads.
constexpr std::uint64_t used_search_steps = 3'000'000;
constexpr std::uint64_t quick_search_steps = 50'000;
constexpr std::uint64_t least_any_search_steps = 5'000;
constexpr std::size_t max_unrolled_steps = 20'000;
// After a proof, how many threads suffice is looked for as long as that costs little beside the proof.
constexpr std::size_t least_sufficient_states = 5'000;

std::optional<Execution> unrolled_execution(const KarpMiller& tree) {
  const CounterSystem& system = tree.system();
  const std::uint32_t node = tree.bad_node();
  Tokens wanted;
  if (tree.bad_rule() != none) {
    const TokenView needed = system.pre(system.rule(tree.bad_rule()));
    wanted.assign(needed.begin(), needed.end());
  } else {
    wanted = violating_part(system, tree.nodes()[node].control, tree.tokens(node), *tree.bad_property());
  }
  auto execution = unroll(tree, node, wanted, max_unrolled_steps);
  if (execution && tree.bad_rule() != none) execution->rules.push_back(tree.bad_rule());
  return execution;
}

// The rules on the path to a node; every repetition on that path uses them too.
std::vector<RuleId> rules_to(const KarpMiller& tree, std::uint32_t node) {
  std::vector<RuleId> rules;
  if (tree.bad_rule() != none) rules.push_back(tree.bad_rule());
  for (; tree.nodes()[node].parent != none; node = tree.nodes()[node].parent) rules.push_back(tree.nodes()[node].rule);
  std::sort(rules.begin(), rules.end());
  rules.erase(std::unique(rules.begin(), rules.end()), rules.end());
  return rules;
}

// Does the search find a violation within so many steps?  It looks for one with fewer threads about as long as it took
// to find the first.
bool finds(Backward& search, std::uint64_t most_steps) {
  constexpr std::uint64_t first_steps = 500;
  std::uint64_t taken = 0;
  for (std::uint64_t steps = first_steps; taken < most_steps; steps *= 2) {
    const auto outcome = search.run(std::min(steps, most_steps - taken));
    if (outcome != Backward::Outcome::Paused) return outcome == Backward::Outcome::Violation;
    taken += steps;
  }
  return false;
}

std::optional<Execution> small_execution(Env& env, CounterSystem& system, const Possible& possible,
                                         const KarpMiller& tree, std::uint64_t most_used_steps) {
  if (!possible.complete()) return std::nullopt;
  const std::vector<RuleId> used = rules_to(tree, tree.bad_node());
  const Net path(system, possible, &used);
  Backward along(env, path);
  if (!finds(along, most_used_steps)) return std::nullopt;
  const Net net(system, possible);
  Backward search(env, net);
  const bool found = finds(search, std::max(least_any_search_steps, 2 * tree.steps()));
  return found ? search.execution() : along.execution();
}

}  // namespace

std::optional<result::Result> quick_violation(Env& env, CounterSystem& system, const Possible& possible,
                                              const KarpMiller& tree) {
  const auto execution = small_execution(env, system, possible, tree, quick_search_steps);
  if (!execution) return std::nullopt;
  return unsafe(env, system, *execution, {});
}

result::Result violation(Env& env, CounterSystem& system, const KarpMiller& tree) {
  auto execution = small_execution(env, system, Possible(env, system), tree, used_search_steps);
  if (!execution) execution = unrolled_execution(tree);
  if (!execution) {
    return result::Result::unknown(
        "a violation is reachable, but the execution that shows it is too long to write down");
  }
  return unsafe(env, system, *execution, {});
}

result::Result covered(Env& env, CounterSystem& system, const KarpMiller& tree) {
  result::Result result = safe();
  const std::size_t max_states = least_sufficient_states + tree.nodes().size() / 4;
  const SufficientThreads sufficient = sufficient_threads(env, system, reachable_thread_states(tree), max_states);
  if (sufficient.known) result.sufficient_threads = sufficient.threads;
  return result;
}

}  // namespace cohort::engine::unbounded
