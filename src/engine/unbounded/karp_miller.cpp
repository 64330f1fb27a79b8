// Which thread states are reachable with any number of threads?  Karp and Miller (1969) answer it for vector addition
// systems: grow the tree of configurations; where a label covers that of an ancestor in the same control state, the
// steps between them can be repeated, so every place that gained threads gets omega, "as many as wanted".  The tree is
// finite and its labels cover exactly what is reachable.
//
// The STAR paper builds the tree on a Boolean program directly and makes it usable by three changes, all here:
//   - a node ends where *any* active node covers it (section 3.3.2.1), not only an equal one on its own path;
//   - successors that keep the control state come first (3.3.2.2), for they tend to cover the others;
//   - a label is compared with the minimal ancestors only (3.3.3): if it covers an ancestor, it covers a minimal one
//   below that, and the
//     acceleration against the minimal one gives at least the same omegas.
// The paper discards covered nodes that are not yet explored.  Reynier and Servais (2011) showed how to go further and
// drop the whole subtree of a covered node without the mistake of Finkel's minimal coverability tree (1993): a new node
// n deactivates x when some y above x (or x itself) is covered by n and y is active or no ancestor of n; acceleration
// still looks at all ancestors, active or not.  Used here with active y, which deactivates less and is therefore as
// complete.  The active labels at the end are the minimal coverability set.
//
// Labels with the most omegas come first, the oldest among them: they cover much, and what they cover is never
// explored. On the abstractions made by SATABS this makes the tree hardly larger than the cover, where depth first can
// be a thousand times larger; see bench/karp_miller.
//
// Rejected: Finkel's tree (misses states); pruning without keeping inactive ancestors for acceleration (may not end).
//
// Invariants: the label of a node is reachable in the limit (each omega by repeating the path from a recorded
// ancestor); a node's ancestors stay stored; active labels form an antichain unless `classic`.  Cost: the tree, which
// no elementary function bounds; on programs, a few thousand nodes.
#include "engine/unbounded/karp_miller.hpp"

#include <algorithm>

#include <fmt/core.h>

#include "base/contract.hpp"
#include "engine/self_check.hpp"

namespace cohort::engine::unbounded {

KarpMiller::KarpMiller(Env& env, CounterSystem& system, const KarpMillerOptions& options)
    : env_(&env), system_(&system), options_(options), work_(options.order) {
  if (options_.classic) options_.improvements = {false, false, false, false, false, false};
}

KarpMiller::Outcome KarpMiller::run(std::uint64_t max_steps) {
  const auto& initial = system_->initial();
  for (std::size_t i = 0; i < initial.size() && !started_; ++i) {
    label_ = initial[i];
    if (add_node(label_, none, none)) return Outcome::Violation;
  }
  started_ = true;
  const std::uint64_t pause = max_steps < UINT64_MAX - steps_ ? steps_ + max_steps : UINT64_MAX;
  while (!work_.empty()) {
    if (env_->stop_requested("karp-miller")) {
      report();
      return Outcome::Stopped;
    }
    env_->report_progress([&] {
      return fmt::format("karp-miller: {} nodes, {} active, {} to do", nodes_.size(), active_.size(), work_.size());
    });
    if (steps_ >= pause) return Outcome::Paused;
    if (step(work_.pop())) {
      report();
      return Outcome::Violation;
    }
  }
  report();
  if (options_.improvements.coverage) {
    self_check(*env_, "the active labels are an antichain, each what a step leads to from its parent",
               [&] { return is_tree_of_steps(); });
    if (env_->stop_reason() != StopReason::None) return Outcome::Stopped;
  }
  return Outcome::Covered;
}

// Fires one rule from one node; true when that shows a violation.
bool KarpMiller::step(const Item& item) {
  if (item.rule == none) return expand(item.node);
  if (!nodes_[item.node].active) return false;
  ++steps_;
  const Rule& rule = system_->rule(item.rule);
  COHORT_EXPECT(rule.broadcast == none, "broadcasts are not accelerated");
  const TokenView before = tokens(item.node);
  label_.control = rule.to;
  label_.tokens.assign(before.begin(), before.end());
  remove(label_.tokens, system_->pre(rule));
  add(label_.tokens, system_->post(rule));
  return add_node(label_, item.node, item.rule);
}

// Nothing of it is a violation, for the node that covers it was none.
bool KarpMiller::end_branch(const Configuration& label, std::uint32_t parent, RuleId rule) {
  if (options_.keep_ends) ends_.push_back({label, parent, rule});
  return false;
}

// `label` is accelerated in place.
bool KarpMiller::add_node(Configuration& label, std::uint32_t parent, RuleId rule) {
  const bool coverage = options_.improvements.coverage;
  if (coverage && is_covered(label.control, label.tokens)) return end_branch(label, parent, rule);
  pending_accelerations_.clear();
  if (parent != none) accelerate(label, parent);
  if (!coverage && repeats_ancestor(label, parent)) return end_branch(label, parent, rule);
  const auto id = static_cast<std::uint32_t>(nodes_.size());
  COHORT_EXPECT(id < none - 1 && arena_.size() + label.tokens.size() < none, "nodes are numbered with 32 bits");
  Node node;
  node.control = label.control;
  node.tokens_begin = static_cast<std::uint32_t>(arena_.size());
  node.tokens_count = static_cast<std::uint32_t>(label.tokens.size());
  node.omegas = static_cast<std::uint32_t>(
      std::count_if(label.tokens.begin(), label.tokens.end(), [](const Token& token) { return token.count == omega; }));
  node.parent = parent;
  node.rule = rule;
  node.accelerations_begin = static_cast<std::uint32_t>(accelerations_.size());
  node.accelerations_count = static_cast<std::uint32_t>(pending_accelerations_.size());
  accelerations_.insert(accelerations_.end(), pending_accelerations_.begin(), pending_accelerations_.end());
  arena_.insert(arena_.end(), label.tokens.begin(), label.tokens.end());
  if (parent != none) {
    node.next_sibling = nodes_[parent].first_child;
    nodes_[parent].first_child = id;
  }
  nodes_.push_back(node);
  nodes_[id].chain = new_chain(id);
  occupied_sum_ += label.tokens.size();
  occupied_most_ = std::max(occupied_most_, node.tokens_count);
  if (const auto property = system_->violated(label.control, label.tokens); property && bad_node_ == none) {
    bad_node_ = id;
    bad_property_ = property;
    if (options_.stop_at_violation) return true;
  }
  if (coverage) {
    deactivate_covered(id);
    active_.insert(file_of(label.control), summary_of(label.tokens), id);
  }
  // The rules are found when the node's turn comes: much of what waits is deactivated before.
  work_.push({id, none}, node.omegas);
  return false;
}

bool KarpMiller::expand(std::uint32_t node) {
  if (!nodes_[node].active) return false;
  std::vector<RuleId>& rules = rules_;
  rules.clear();
  system_->enabled(nodes_[node].control, tokens(node), rules);
  for (const RuleId id : rules) {
    if (!system_->rule(id).faults || bad_node_ != none) continue;
    bad_node_ = node;
    bad_rule_ = id;
    if (options_.stop_at_violation) return true;
  }
  std::erase_if(rules, [&](RuleId id) { return system_->rule(id).faults; });
  schedule(node, rules);
  return false;
}

void KarpMiller::schedule(std::uint32_t node, const std::vector<RuleId>& rules) {
  const ControlId here = nodes_[node].control;
  if (!options_.improvements.shared_first) {
    for (const RuleId id : rules) work_.push({node, id}, nodes_[node].omegas);
    return;
  }
  const bool depth_first = options_.order == SearchOrder::DepthFirst;
  for (const bool same : {!depth_first, depth_first}) {
    for (const RuleId id : rules) {
      if ((system_->rule(id).to == here) == same) work_.push({node, id}, nodes_[node].omegas);
    }
  }
}

// The chain of the nearest ancestor (or `node` itself) in this control state.
std::uint32_t KarpMiller::nearest_chain(std::uint32_t node, ControlId control) const {
  for (; node != none; node = nodes_[node].parent) {
    if (nodes_[node].control == control) return nodes_[node].chain;
  }
  return none;
}

// A new node goes in front of the chain of its ancestors, unless it covers one of them and only minimal ones are kept.
std::uint32_t KarpMiller::new_chain(std::uint32_t node) {
  const std::uint32_t above = nearest_chain(nodes_[node].parent, nodes_[node].control);
  if (options_.improvements.minimal_chains) {
    for (std::uint32_t link = above; link != none; link = links_[link].next) {
      if (covers(tokens(node), tokens(links_[link].node))) return above;
    }
  }
  links_.push_back({node, above});
  return static_cast<std::uint32_t>(links_.size() - 1);
}

void KarpMiller::accelerate(Configuration& label, std::uint32_t parent) {
  const std::uint32_t chain = nearest_chain(parent, label.control);
  bool changed = true;
  while (changed) {
    changed = false;
    for (std::uint32_t link = chain; link != none; link = links_[link].next) {
      const TokenView ancestor = tokens(links_[link].node);
      ++comparisons_;
      if (!covers(label.tokens, ancestor)) continue;
      bool grew = false;
      for (Token& token : label.tokens) {
        if (token.count == omega || count_at(ancestor, token.place) >= token.count) continue;
        token.count = omega;
        grew = true;
      }
      if (!grew) continue;
      changed = true;
      pending_accelerations_.push_back(links_[link].node);
    }
    // The classic rule looks at each ancestor once.
    if (options_.classic) return;
  }
}

bool KarpMiller::repeats_ancestor(const Configuration& label, std::uint32_t parent) const {
  for (std::uint32_t node = parent; node != none; node = nodes_[node].parent) {
    if (nodes_[node].control != label.control) continue;
    const TokenView other = tokens(node);
    if (std::equal(label.tokens.begin(), label.tokens.end(), other.begin(), other.end())) return true;
  }
  return false;
}

bool KarpMiller::is_covered(ControlId control, TokenView label) {
  return active_.any_above(file_of(control), summary_of(label), [&](std::uint32_t node) {
    return nodes_[node].control == control && covers(tokens(node), label);
  });
}

void KarpMiller::deactivate_covered(std::uint32_t node) {
  const ControlId control = nodes_[node].control;
  std::vector<std::uint32_t> roots;
  active_.any_below(file_of(control), summary_of(tokens(node)), [&](std::uint32_t other) {
    if (nodes_[other].control == control && covers(tokens(node), tokens(other))) roots.push_back(other);
    return false;
  });
  for (const std::uint32_t root : roots) {
    if (options_.improvements.subtrees) {
      deactivate_subtree(root, node);
    } else {
      deactivate_alone(root);
    }
  }
}

void KarpMiller::deactivate_alone(std::uint32_t node) {
  nodes_[node].active = false;
  active_.remove_if(file_of(nodes_[node].control), [&](std::uint32_t other) { return other == node; });
}

// Deactivates every node below `root` but `except`, which is just being added.
void KarpMiller::deactivate_subtree(std::uint32_t root, std::uint32_t except) {
  std::vector<std::uint32_t> stack{root};
  std::vector<ControlId> touched;
  while (!stack.empty()) {
    const std::uint32_t node = stack.back();
    stack.pop_back();
    if (node == except || nodes_[node].dead) continue;
    if (nodes_[node].active) {
      nodes_[node].active = false;
      touched.push_back(file_of(nodes_[node].control));
    }
    nodes_[node].dead = true;
    for (std::uint32_t child = nodes_[node].first_child; child != none; child = nodes_[child].next_sibling) {
      stack.push_back(child);
    }
  }
  // If the new node is below the root, the path between them stays, and nothing else of the subtree.
  std::uint32_t top = except;
  while (top != none && top != root) top = nodes_[top].parent;
  if (top == root) {
    for (std::uint32_t child = except; child != root; child = nodes_[child].parent) {
      nodes_[nodes_[child].parent].dead = false;
      nodes_[nodes_[child].parent].first_child = child;
      nodes_[child].next_sibling = none;
    }
  }
  std::sort(touched.begin(), touched.end());
  touched.erase(std::unique(touched.begin(), touched.end()), touched.end());
  for (const ControlId control : touched) {
    active_.remove_if(control, [&](std::uint32_t node) { return !nodes_[node].active; });
  }
}

std::vector<std::uint32_t> KarpMiller::cover() const {
  std::vector<std::uint32_t> result;
  if (!options_.improvements.coverage) {
    for (std::uint32_t node = 0; node < nodes_.size(); ++node) result.push_back(node);
  } else {
    active_.for_each([&](std::uint32_t node) { result.push_back(node); });
  }
  return result;
}

bool KarpMiller::is_tree_of_steps() const {
  const std::vector<std::uint32_t> active = cover();
  for (const std::uint32_t node : active) {
    if (env_->stop_requested("karp-miller-check")) return true;
    for (const std::uint32_t other : active) {
      const bool same = nodes_[node].control == nodes_[other].control;
      if (node != other && same && covers(tokens(node), tokens(other))) return false;
    }
  }
  for (std::uint32_t node = 0; node < nodes_.size(); ++node) {
    if (env_->stop_requested("karp-miller-check")) return true;
    const Node& made = nodes_[node];
    if (made.parent == none) continue;
    const Rule& rule = system_->rule(made.rule);
    const TokenView before = tokens(made.parent);
    Tokens after(before.begin(), before.end());
    remove(after, system_->pre(rule));
    add(after, system_->post(rule));
    // Acceleration only raises counts, to omega.
    if (made.control != rule.to || !covers(tokens(node), after)) return false;
    for (const Token& token : tokens(node)) {
      if (token.count != omega && token.count != count_at(after, token.place)) return false;
    }
  }
  return true;
}

bool KarpMiller::is_closed() {
  COHORT_EXPECT(options_.improvements.coverage, "without coverage there is no index to check with");
  for (const Configuration& start : system_->initial()) {
    if (!is_covered(start.control, start.tokens)) return false;
  }
  std::vector<RuleId> rules;
  for (const std::uint32_t node : cover()) {
    if (env_->stop_requested("karp-miller-check")) return true;
    rules.clear();
    system_->enabled(nodes_[node].control, tokens(node), rules);
    for (const RuleId id : rules) {
      const Rule& rule = system_->rule(id);
      if (rule.faults) continue;
      const TokenView before = tokens(node);
      Tokens after(before.begin(), before.end());
      remove(after, system_->pre(rule));
      add(after, system_->post(rule));
      if (!is_covered(rule.to, after)) return false;
    }
  }
  return true;
}

void KarpMiller::report() {
  Statistics& statistics = env_->statistics;
  statistics.set("tree_nodes", std::uint64_t{nodes_.size()});
  statistics.set("cover", std::uint64_t{options_.improvements.coverage ? active_.size() : nodes_.size()});
  statistics.set("rules_fired", steps_);
  statistics.set("accelerations", std::uint64_t{accelerations_.size()});
  statistics.set("ancestor_comparisons", comparisons_);
  statistics.set("control_states", std::uint64_t{system_->control_count()});
  statistics.set("local_states", std::uint64_t{system_->place_count()});
  statistics.set("rules", std::uint64_t{system_->rule_count()});
  statistics.set("occupied_local_states_most", std::uint64_t{occupied_most_});
  statistics.set("occupied_local_states_average",
                 nodes_.empty() ? 0.0 : static_cast<double>(occupied_sum_) / static_cast<double>(nodes_.size()));
}

}  // namespace cohort::engine::unbounded
