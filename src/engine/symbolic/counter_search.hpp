// Symbolic counter abstraction (BOOM, algorithm 2): the reachable symbolic states of a Boolean program with at most N
// threads, layer by layer.
//
// Each layer holds what is new after one more step, merged; expanding it gives the next.  Going by layers finds a
// violation after the fewest steps, and it is what makes merging effective: states that differ in one component mostly
// arise after equally many steps. A depth-first order was rejected: it expands states before those they could have been
// merged with are there.
//
// Invariants: the states represented by `reached_` are exactly those reachable in the steps made so far; each
// represented state was expanded, or waits in `frontier_`; a node's origins are nodes of the layer before.
//
// The reduction (--por) expands, where it can, one thread only; see model/dependence.hpp for the conditions and
// docs/symbolic.md for the proof.  Then `reached_` is a subset of the reachable states which contains a violation if
// there is one.
#pragma once

#include <optional>
#include <vector>

#include "base/env.hpp"
#include "engine/engine.hpp"
#include "engine/symbolic/image.hpp"
#include "engine/symbolic/reduction.hpp"
#include "engine/symbolic/store.hpp"
#include "engine/symbolic/violation.hpp"

namespace cohort::engine::symbolic {

class CounterSearch {
 public:
  struct Node {
    CounterState state;
    std::vector<Origin> origins;
  };
  struct Found {
    CounterState state;
    Origin origin;
    bool initial = false;
    Violation violation;
  };

  CounterSearch(Env& env, const Task& task);

  // Explores until a violation is found, nothing is left, or the environment stops it.  Throws dd::OutOfMemory.
  std::optional<Found> run();
  bool finished() const { return finished_; }

  const Encoding& encoding() const { return encoding_; }
  SetTable& sets() { return sets_; }
  const SetTable& sets() const { return sets_; }
  ThreadImages& images() { return images_; }
  const std::vector<Node>& nodes() const { return nodes_; }
  std::uint32_t bound() const { return bound_; }
  std::vector<CounterState> reached() const { return reached_.states(); }
  // What is known when the search is stopped, in words.
  std::string established() const;
  void record(Statistics& statistics) const;

 private:
  std::optional<Found> expand(std::uint32_t node);
  // The cells whose threads are expanded: the atomic one, one that the reduction allows to be alone, or all.
  Cells movers(const CounterState& state);
  bool may_move_alone(const CounterState& state, const Cell& cell);
  std::optional<Found> emit(CounterState state, const Origin& origin);
  std::optional<Violation> violation(const CounterState& state) const;

  Env& env_;
  const model::Program& program_;
  EngineOptions options_;
  std::uint32_t bound_;
  Encoding encoding_;
  Transitions transitions_;
  Violations violations_;
  SetTable sets_;
  ThreadImages images_;
  StateStore reached_;
  StateStore frontier_;
  std::optional<Reduction> reduction_;
  std::uint64_t reduced_ = 0;  // states expanded by one thread alone
  std::vector<Node> nodes_;
  std::uint64_t layers_ = 0;
  std::uint64_t emitted_ = 0;
  bool finished_ = false;
};

}  // namespace cohort::engine::symbolic
