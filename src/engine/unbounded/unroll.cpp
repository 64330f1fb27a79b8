// An omega in a label is a promise: repeating the steps from some ancestor brings as many threads as wanted.  To redeem
// it, walk from the node to the root and keep what is *wanted*: the fewest threads that must be present so that the
// steps chosen so far can be taken.
//
//   - Back over a rule: wanted becomes (wanted - post) + pre, in each place separately.
//   - Back over an acceleration against ancestor a: while more is wanted at a place that became omega there than the
//   label had before, prepend one
//     more round of the steps from a to here, which is walking back from here to a and treating what is wanted at a as
//     wanted here again.
//
// A round gives each such place at least one thread more, so what is wanted there shrinks with every round until the
// label before the acceleration covers it.  Rounds contain accelerations of their own and are unrolled by the same
// rule; each of them looks only at the places that it made omega itself, and its rounds never take from places that are
// finite in its label, so the nesting ends.  At the root, what is wanted lies below the initial configuration, and its
// omegas there say how many threads to start.
#include "engine/unbounded/unroll.hpp"

#include <algorithm>
#include <unordered_map>

#include "base/contract.hpp"

namespace cohort::engine::unbounded {

namespace {

class Unroller {
 public:
  Unroller(const KarpMiller& tree, std::size_t max_steps) : tree_(tree), max_steps_(max_steps) {}

  std::optional<Execution> run(std::uint32_t node, const Tokens& wanted) {
    wanted_ = wanted;
    std::uint32_t here = node;
    for (; tree_.nodes()[here].parent != none; here = tree_.nodes()[here].parent) {
      if (!back_over(here, tree_.accelerations(here).size())) return std::nullopt;
    }
    Execution execution;
    execution.start = complete_start(
        tree_.system(), {tree_.nodes()[here].control, Tokens(tree_.tokens(here).begin(), tree_.tokens(here).end())},
        wanted_);
    std::reverse(rules_.begin(), rules_.end());
    execution.rules = std::move(rules_);
    return execution;
  }

 private:
  // For each acceleration of a node: the places that became omega, with their counts before.
  using Gains = std::vector<Tokens>;

  const Gains& gains_of(std::uint32_t node) {
    const auto [entry, is_new] = gains_.try_emplace(node);
    if (!is_new) return entry->second;
    const CounterSystem& system = tree_.system();
    const KarpMiller::Node& here = tree_.nodes()[node];
    const TokenView parent = tree_.tokens(here.parent);
    Tokens label(parent.begin(), parent.end());
    remove(label, system.pre(system.rule(here.rule)));
    add(label, system.post(system.rule(here.rule)));
    for (const std::uint32_t ancestor : tree_.accelerations(node)) {
      Tokens gained;
      for (Token& token : label) {
        if (token.count == omega || count_at(tree_.tokens(ancestor), token.place) >= token.count) continue;
        gained.push_back(token);
        token.count = omega;
      }
      COHORT_EXPECT(!gained.empty(), "an acceleration makes some place omega");
      entry->second.push_back(std::move(gained));
    }
    return entry->second;
  }

  bool wants_more(const Tokens& gained) const {
    return std::any_of(gained.begin(), gained.end(),
                       [&](const Token& token) { return count_at(wanted_, token.place) > token.count; });
  }

  // From `node` after its first `accelerations` accelerations to its parent.
  bool back_over(std::uint32_t node, std::size_t accelerations) {
    for (std::size_t i = accelerations; i-- > 0;) {
      while (wants_more(gains_of(node)[i])) {
        if (!back_to(node, i, tree_.accelerations(node)[i])) return false;
      }
    }
    const CounterSystem& system = tree_.system();
    const Rule& rule = system.rule(tree_.nodes()[node].rule);
    wanted_ = minus(wanted_, system.post(rule));
    add(wanted_, system.pre(rule));
    rules_.push_back(tree_.nodes()[node].rule);
    return rules_.size() <= max_steps_;
  }

  bool back_to(std::uint32_t node, std::size_t accelerations, std::uint32_t ancestor) {
    if (!back_over(node, accelerations)) return false;
    for (std::uint32_t here = tree_.nodes()[node].parent; here != ancestor; here = tree_.nodes()[here].parent) {
      COHORT_EXPECT(here != none, "an acceleration is against an ancestor");
      if (!back_over(here, tree_.accelerations(here).size())) return false;
    }
    return true;
  }

  const KarpMiller& tree_;
  std::size_t max_steps_;
  Tokens wanted_;
  std::vector<RuleId> rules_;  // the last one first
  std::unordered_map<std::uint32_t, Gains> gains_;
};

// How many of `tokens` are threads at this location, whatever their locals.
Count threads_at(const CounterSystem& system, const Tokens& tokens, const model::InitialThreads& group) {
  Count count = 0;
  for (const Token& token : tokens) {
    const model::ThreadState thread = system.thread_state(token.place);
    if (thread.templ == group.templ && thread.location == group.location) count += token.count;
  }
  return count;
}

// Where a group of any size shares its location with groups that have a count, at least so many threads stand there.
void fill_up(const CounterSystem& system, const Configuration& initial, const model::InitialThreads& group,
             Configuration& start) {
  Count required = 0;
  for (const model::InitialThreads& other : system.program().initial) {
    if (other.templ == group.templ && other.location == group.location) required += other.count.value_or(0);
  }
  const Count present = required > 0 ? threads_at(system, start.tokens, group) : 0;
  if (present >= required) return;
  for (const Token& token : initial.tokens) {
    const model::ThreadState thread = system.thread_state(token.place);
    if (thread.templ != group.templ || thread.location != group.location || token.count != omega) continue;
    add(start.tokens, token.place, required - present);
    return;
  }
  COHORT_UNREACHABLE("a group of any size has a place");
}

}  // namespace

Configuration complete_start(const CounterSystem& system, const Configuration& initial, const Tokens& wanted) {
  COHORT_EXPECT(covers(initial.tokens, wanted), "what is wanted at the start can be there");
  Configuration start{initial.control, {}};
  for (const Token& token : initial.tokens) {
    const Count count = token.count == omega ? count_at(wanted, token.place) : token.count;
    if (count > 0) start.tokens.push_back({token.place, count});
  }
  for (const model::InitialThreads& group : system.program().initial) {
    if (!group.count) fill_up(system, initial, group, start);
  }
  return start;
}

std::optional<Execution> unroll(const KarpMiller& tree, std::uint32_t node, const Tokens& wanted,
                                std::size_t max_steps) {
  COHORT_EXPECT(covers(tree.tokens(node), wanted), "the node's label covers what is wanted");
  return Unroller(tree, max_steps).run(node, wanted);
}

Tokens violating_part(const CounterSystem& system, ControlId control, TokenView tokens, model::PropertyId id) {
  Tokens part;
  if (system.error_at_control(control) == id) return part;
  for (const Token& token : tokens) {
    if (system.error_at(token.place) != id) continue;
    part.push_back({token.place, 1});
    return part;
  }
  std::vector<std::pair<model::TemplateId, model::LocId>> wanted = system.program().properties[id.value].threads;
  const auto satisfy = [&](const model::ThreadState& thread) {
    const auto it = std::find(wanted.begin(), wanted.end(), std::pair(thread.templ, thread.location));
    if (it == wanted.end()) return false;
    wanted.erase(it);
    return true;
  };
  if (system.has_single()) satisfy(system.single_state(control));
  if (system.control(control).holder != model::no_id) satisfy(system.holder_state(control));
  for (const Token& token : tokens) {
    const model::ThreadState thread = system.thread_state(token.place);
    for (Count i = 0; i < token.count && satisfy(thread); ++i) add(part, token.place, 1);
  }
  COHORT_EXPECT(wanted.empty(), "the configuration violates the property");
  return part;
}

}  // namespace cohort::engine::unbounded
