#include "engine/unbounded/tree_answers.hpp"

#include <algorithm>

#include "engine/unbounded/backward.hpp"
#include "engine/unbounded/thread_states.hpp"
#include "engine/unbounded/unroll.hpp"
#include "engine/unbounded/verdict.hpp"

namespace cohort::engine::unbounded {

namespace {

// An unrolled execution repeats what the tree repeated.  A person wants the shortest one with the fewest threads, so
// that is looked for first, backwards and within so many predecessors.
constexpr std::uint64_t any_search_steps = 100'000;
constexpr std::uint64_t used_search_steps = 3'000'000;
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

// An execution with few threads, found backwards: first by any rules, then by those that the tree used, which are few
// and enough.
std::optional<Execution> small_execution(Env& env, CounterSystem& system, const KarpMiller& tree) {
  const Possible possible(env, system);
  if (!possible.complete()) return std::nullopt;
  const std::vector<RuleId> used = rules_to(tree, tree.bad_node());
  for (const auto* rules : {static_cast<const std::vector<RuleId>*>(nullptr), &used}) {
    const Net net(system, possible, rules);
    Backward search(env, net);
    if (search.run(rules ? used_search_steps : any_search_steps) == Backward::Outcome::Violation)
      return search.execution();
  }
  return std::nullopt;
}

}  // namespace

result::Result violation(Env& env, CounterSystem& system, const KarpMiller& tree) {
  auto execution = small_execution(env, system, tree);
  if (!execution) execution = unrolled_execution(tree);
  if (!execution) {
    return result::Result::unknown(
        "a violation is reachable, but the execution that shows it is too long to write down");
  }
  return unsafe(system, *execution, {});
}

result::Result covered(Env& env, CounterSystem& system, const KarpMiller& tree) {
  result::Result result = safe();
  const std::size_t max_states = least_sufficient_states + tree.nodes().size() / 4;
  const SufficientThreads sufficient = sufficient_threads(env, system, reachable_thread_states(tree), max_states);
  if (sufficient.known) result.sufficient_threads = sufficient.threads;
  return result;
}

}  // namespace cohort::engine::unbounded
