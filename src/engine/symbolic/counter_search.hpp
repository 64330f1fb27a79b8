// Symbolic counter abstraction (BOOM, algorithm 2): the reachable symbolic states of a Boolean program with at most N
// threads, layer by layer.
//
// Each layer holds what is new after one more step, merged; expanding it gives the next.  Going by layers finds a
// violation after the fewest steps, and it is what makes merging effective: states that differ in one component mostly
// arise after equally many steps. A depth-first order was rejected: it expands states before those they could have been
// merged with are there.
//
// Invariants: the states in `known_` are exactly those reachable in the steps made so far; each of them was expanded
// with a node, or waits in `frontier_`; a node's origins are nodes of the layer before.
//
// The reduction (--por) expands, where it can, one thread only; see model/dependence.hpp for the conditions and
// docs/symbolic.md for the proof.  Then `known_` is a subset of the reachable states which contains a violation if
// there is one.
#pragma once

#include <optional>
#include <vector>

#include "base/env.hpp"
#include "engine/engine.hpp"
#include "engine/symbolic/image.hpp"
#include "engine/symbolic/known_states.hpp"
#include "engine/symbolic/reduction.hpp"
#include "engine/symbolic/store.hpp"
#include "engine/symbolic/violation.hpp"

namespace cohort::engine::symbolic {

class CounterSearch {
 public:
  struct Node {
    CounterState state;
    Origins::List origins;
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
  CellView cells(const CounterState& state) const { return cells_[state.cells]; }
  const std::vector<Node>& nodes() const { return nodes_; }
  std::vector<Origin> origins(std::uint32_t node) const { return origins_.all(nodes_[node].origins); }
  std::uint32_t bound() const { return bound_; }
  // States that together represent what was reached.
  std::vector<CounterState> reached();
  // What is known when the search is stopped, in words.
  std::string established() const;
  void record(Statistics& statistics) const;

 private:
  std::optional<Found> expand(std::uint32_t node);
  // The cells whose threads are expanded: the atomic one, one that the reduction allows to be alone, or all.
  CellView movers(SharedSet shared, CellView cells);
  bool may_move_alone(SharedSet shared, CellView cells, const Cell& cell);
  std::optional<Found> emit(const CounterState& state, const Origin& origin);
  std::optional<Violation> violation(const CounterState& state) const;

  Env& env_;
  const model::Program& program_;
  EngineOptions options_;
  std::uint32_t bound_;
  Encoding encoding_;
  Transitions transitions_;
  Violations violations_;
  SetTable sets_;
  CellsTable cells_;
  Origins origins_;
  ThreadImages images_;
  KnownStates known_;
  StateStore frontier_;
  std::optional<Reduction> reduction_;
  std::uint64_t reduced_ = 0;  // states expanded by one thread alone
  std::vector<Node> nodes_;
  Cells before_;  // of the state that is expanded
  Cells after_;   // of its successor at hand
  std::uint64_t layers_ = 0;
  std::uint64_t emitted_ = 0;
  bool finished_ = false;
};

}  // namespace cohort::engine::symbolic
