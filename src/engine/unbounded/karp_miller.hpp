// The Karp-Miller tree of a counter system without broadcasts, grown until its labels cover all that is reachable, or
// until one violates a property.  See karp_miller.cpp for the construction.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/env.hpp"
#include "engine/engine.hpp"
#include "engine/unbounded/antichain.hpp"
#include "engine/unbounded/counter_system.hpp"
#include "engine/unbounded/worklist.hpp"

namespace cohort::engine::unbounded {

struct KarpMillerOptions {
  std::optional<SearchOrder> order;          // none: labels with many omegas first
  bool classic = false;                      // the construction of 1969: nothing is shared between branches
  KarpMillerImprovements improvements = {};  // `classic` has none of them
  bool stop_at_violation = true;
  bool keep_ends = false;  // remember the labels that became no nodes, to show the tree
};

class KarpMiller {
 public:
  enum class Outcome : std::uint8_t { Covered, Violation, Stopped, Paused };

  struct Node {
    ControlId control = 0;
    std::uint32_t tokens_begin = 0;
    std::uint32_t tokens_count = 0;
    std::uint32_t parent = none;
    RuleId rule = none;
    std::uint32_t accelerations_begin = 0;  // the ancestors it was accelerated against, in order
    std::uint32_t accelerations_count = 0;
    std::uint32_t omegas = 0;    // how many places have omega
    std::uint32_t chain = none;  // list of ancestors in the same control state, this node included
    std::uint32_t first_child = none;
    std::uint32_t next_sibling = none;
    bool active = true;
    bool dead = false;  // no node of its subtree is active, nor will be
  };

  // A label that became no node: another one covers it, or it repeats an ancestor (`classic`).
  struct End {
    Configuration label;
    std::uint32_t parent = none;
    RuleId rule = none;
  };

  KarpMiller(Env& env, CounterSystem& system, const KarpMillerOptions& options);

  // Paused after so many rules have been fired; the next call goes on from there.
  Outcome run(std::uint64_t max_steps = UINT64_MAX);

  const CounterSystem& system() const { return *system_; }
  const std::vector<Node>& nodes() const { return nodes_; }
  TokenView tokens(std::uint32_t node) const {
    return {arena_.data() + nodes_[node].tokens_begin, nodes_[node].tokens_count};
  }
  std::span<const std::uint32_t> accelerations(std::uint32_t node) const {
    return {accelerations_.data() + nodes_[node].accelerations_begin, nodes_[node].accelerations_count};
  }
  // Where branches ended because of other nodes, with the option `keep_ends`.
  const std::vector<End>& ends() const { return ends_; }
  // After Covered: the nodes whose labels cover everything reachable (an antichain unless `classic`).
  std::vector<std::uint32_t> cover() const;
  // How many rules have been fired.
  std::uint64_t steps() const { return steps_; }
  // After Violation: the node whose label violates, the property, and the rule that faults, if that is the violation.
  std::uint32_t bad_node() const { return bad_node_; }
  std::optional<model::PropertyId> bad_property() const { return bad_property_; }
  RuleId bad_rule() const { return bad_rule_; }

  // Does every rule lead from the cover into what the cover covers?  Checked before any SAFE verdict: a mistake of the
  // search becomes an internal error, never an answer.
  bool is_closed();

 private:
  using Item = Worklist::Item;

  bool expand(std::uint32_t node);
  bool step(const Item& item);
  bool end_branch(const Configuration& label, std::uint32_t parent, RuleId rule);
  bool add_node(Configuration& label, std::uint32_t parent, RuleId rule);
  void accelerate(Configuration& label, std::uint32_t parent);
  std::uint32_t nearest_chain(std::uint32_t node, ControlId control) const;
  std::uint32_t new_chain(std::uint32_t node);
  bool repeats_ancestor(const Configuration& label, std::uint32_t parent) const;
  bool is_covered(ControlId control, TokenView tokens);
  void deactivate_covered(std::uint32_t node);
  void deactivate_alone(std::uint32_t node);
  ControlId file_of(ControlId control) const { return options_.improvements.index ? control : 0; }
  Summary summary_of(TokenView tokens) const { return options_.improvements.index ? Summary::of(tokens) : Summary{}; }
  void deactivate_subtree(std::uint32_t root, std::uint32_t except);
  void schedule(std::uint32_t node, const std::vector<RuleId>& rules);
  void report();
  // Are the active labels an antichain, and is every label what its rule leads to from its parent, up to omegas?
  bool is_tree_of_steps() const;

  Env* env_;
  CounterSystem* system_;
  KarpMillerOptions options_;
  std::vector<Node> nodes_;
  std::vector<Token> arena_;
  std::vector<std::uint32_t> accelerations_;
  std::vector<std::uint32_t> pending_accelerations_;
  struct Link {
    std::uint32_t node = 0;
    std::uint32_t next = none;
  };
  std::vector<Link> links_;
  std::vector<End> ends_;
  Antichain active_;
  Worklist work_;
  Configuration label_;        // of the node that is being made
  std::vector<RuleId> rules_;  // of the node that is being expanded
  std::uint32_t bad_node_ = none;
  std::optional<model::PropertyId> bad_property_;
  RuleId bad_rule_ = none;
  bool started_ = false;
  std::uint64_t steps_ = 0;
  std::uint64_t comparisons_ = 0;
  std::uint64_t occupied_sum_ = 0;
  std::uint32_t occupied_most_ = 0;
};

}  // namespace cohort::engine::unbounded
