// The labels of a finished Karp-Miller tree cover exactly what is reachable.  With coverage between branches the active
// ones are the minimal cover already; in the classic tree labels repeat, and those that another one covers are left
// out.  Violations and faults play no part: the cover is that of the program without them.
#include "engine/cover.hpp"

#include <algorithm>

#include <fmt/core.h>

#include "base/contract.hpp"
#include "engine/unbounded/karp_miller.hpp"
#include "engine/unbounded/karp_miller_engine.hpp"
#include "model/passes/without_properties.hpp"

namespace cohort::engine {

using namespace unbounded;

namespace {

// Is there a thread whose place says something?  That of a Petri net, which takes its transitions, has but one.
bool shows_single(const CounterSystem& system, ControlId control) {
  return system.has_single() && system.program().templ(system.single_state(control).templ).locations.size() > 1;
}

CoverNode node_of(const CounterSystem& system, ControlId control, TokenView tokens) {
  CoverNode node;
  node.shared = system.shared_state(control);
  if (shows_single(system, control)) node.threads.emplace_back(system.single_state(control), 1);
  if (system.control(control).holder != model::no_id) node.threads.emplace_back(system.holder_state(control), 1);
  for (const Token& token : tokens) {
    node.threads.emplace_back(system.thread_state(token.place),
                              token.count == omega ? std::nullopt : std::optional(token.count));
  }
  return node;
}

class Search {
 public:
  Search(Env& env, const model::Program& program, const CoverOptions& options)
      : env_(env),
        options_(options),
        program_(model::without_properties(program)),
        system_(program_, &env),
        tree_(env, system_, tree_options(options)) {}

  Cover run() {
    Cover cover;
    if (tree_.run() != KarpMiller::Outcome::Covered) return stopped();
    if (!options_.classic) COHORT_EXPECT(tree_.is_closed(), "the cover is closed under every rule");
    std::vector<std::uint32_t> minimal = options_.classic ? maximal_nodes() : tree_.cover();
    std::sort(minimal.begin(), minimal.end());
    if (env_.stop_reason() != StopReason::None) return stopped();
    if (options_.tree) {
      add_tree(cover);
      for (const std::uint32_t node : minimal) cover.nodes[number_[node]].in_cover = true;
      return cover;
    }
    for (const std::uint32_t node : minimal) {
      cover.nodes.push_back(node_of(system_, tree_.nodes()[node].control, tree_.tokens(node)));
      cover.nodes.back().in_cover = true;
    }
    return cover;
  }

 private:
  static KarpMillerOptions tree_options(const CoverOptions& options) {
    KarpMillerOptions result;
    result.classic = options.classic;
    result.order = options.order;
    if (options.classic && !options.order) result.order = SearchOrder::DepthFirst;
    result.keep_ends = options.tree;
    return result;
  }

  Cover stopped() const {
    return {fmt::format("{}; the tree has {} nodes and is not complete", env_.describe_stop(), tree_.nodes().size()),
            {}};
  }

  // Of nodes with equal labels, the first.
  std::vector<std::uint32_t> maximal_nodes() {
    std::vector<std::uint32_t> maximal;
    const auto& nodes = tree_.nodes();
    for (std::uint32_t node = 0; node < nodes.size(); ++node) {
      if (env_.stop_requested("cover")) return maximal;
      const auto below = [&](std::uint32_t one, std::uint32_t other) {
        return nodes[one].control == nodes[other].control && covers(tree_.tokens(other), tree_.tokens(one));
      };
      if (std::any_of(maximal.begin(), maximal.end(), [&](std::uint32_t other) { return below(node, other); }))
        continue;
      std::erase_if(maximal, [&](std::uint32_t other) { return below(other, node); });
      maximal.push_back(node);
    }
    return maximal;
  }

  // Depth first, children in the order in which they were made, those that ended at once behind the others.
  void add_tree(Cover& cover) {
    const auto& nodes = tree_.nodes();
    number_.assign(nodes.size(), 0);
    std::vector<std::vector<std::uint32_t>> children(nodes.size());
    std::vector<std::vector<std::uint32_t>> ends(nodes.size());
    std::vector<std::uint32_t> roots;
    for (std::uint32_t node = 0; node < nodes.size(); ++node) {
      (nodes[node].parent == none ? roots : children[nodes[node].parent]).push_back(node);
    }
    for (std::uint32_t i = 0; i < tree_.ends().size(); ++i) {
      if (tree_.ends()[i].parent != none) ends[tree_.ends()[i].parent].push_back(i);
    }
    std::vector<std::uint32_t> stack(roots.rbegin(), roots.rend());
    while (!stack.empty()) {
      const std::uint32_t node = stack.back();
      stack.pop_back();
      number_[node] = static_cast<std::uint32_t>(cover.nodes.size());
      add(cover, nodes[node].control, tree_.tokens(node), nodes[node].parent, nodes[node].rule);
      for (const std::uint32_t end : ends[node]) {
        const KarpMiller::End& ended = tree_.ends()[end];
        add(cover, ended.label.control, ended.label.tokens, ended.parent, ended.rule);
        cover.nodes.back().ends = true;
      }
      stack.insert(stack.end(), children[node].rbegin(), children[node].rend());
    }
  }

  void add(Cover& cover, ControlId control, TokenView tokens, std::uint32_t parent, RuleId rule) const {
    cover.nodes.push_back(node_of(system_, control, tokens));
    if (parent == none) return;
    cover.nodes.back().parent = number_[parent];
    cover.nodes.back().step = system_.rule(rule).edge;
  }

  Env& env_;
  CoverOptions options_;
  model::Program program_;
  CounterSystem system_;
  KarpMiller tree_;
  std::vector<std::uint32_t> number_;  // of nodes of the tree, in the cover
};

}  // namespace

std::optional<std::string> cover_refuses(const model::Program& program) {
  return KarpMillerEngine().refuses({model::without_properties(program), std::nullopt, {}});
}

Cover minimal_cover(Env& env, const model::Program& program, const CoverOptions& options) {
  COHORT_EXPECT(!cover_refuses(program), "only for programs that are not refused");
  return Search(env, program, options).run();
}

}  // namespace cohort::engine
