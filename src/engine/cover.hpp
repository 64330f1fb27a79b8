// The minimal cover of a program: the fewest configurations, with "any number of threads" as a count, below which lies
// exactly what any number of threads reaches; and the Karp-Miller tree that it is read off (STAR paper, section 2.3).
// Implemented by engine/unbounded.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/env.hpp"
#include "engine/options.hpp"
#include "model/program.hpp"
#include "model/state.hpp"

namespace cohort::engine {

struct CoverOptions {
  bool tree = false;     // all nodes of the tree, not only those of the cover
  bool classic = false;  // the tree of 1969, in which branches know nothing of each other
  std::optional<SearchOrder> order;
};

// A configuration of the cover, or a node of the tree.
struct CoverNode {
  model::Valuation shared;
  std::vector<std::pair<model::ThreadState, std::optional<std::uint32_t>>> threads;  // no count: any number
  bool in_cover = false;
  // Of the tree: where it comes from and by which step.  A node whose branch ends there because of another node is
  // shown, too, since it stands in the tree of the paper; it is in the cover only by that other node.
  std::optional<std::uint32_t> parent;
  std::optional<model::EdgeRef> step;
  bool ends = false;
};

struct Cover {
  // What keeps it from being computed; empty: the rest is valid.
  std::string unknown;
  std::vector<CoverNode> nodes;  // a parent stands before its children
};

Cover minimal_cover(Env& env, const model::Program& program, const CoverOptions& options);

// Why the program has no cover that can be computed; none: it can be tried.
std::optional<std::string> cover_refuses(const model::Program& program);

}  // namespace cohort::engine
