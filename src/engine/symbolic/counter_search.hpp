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
// The reduction (--por) expands, where it can, one thread only; see lone_steps.hpp, model/dependence.hpp for the
// conditions and docs/symbolic.md for the proof.  Then `known_` is a subset of the reachable states which contains a
// violation if there is one.  A state with a thread in a passing set, or inside an atomic section from which only one
// step leads, is not stored: the search goes on from the next at once, and the origin says how many were passed. Inside
// an atomic section this could go on without end, so only the first `longest_way` states are passed.
#pragma once

#include <optional>
#include <vector>

#include "base/env.hpp"
#include "engine/engine.hpp"
#include "engine/symbolic/image.hpp"
#include "engine/symbolic/known_states.hpp"
#include "engine/symbolic/lone_steps.hpp"
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

  // One step of a way between stored states.
  struct Leg {
    SharedSet shared = 0;
    Cells cells;
    Mover mover;
    const EdgeRelation* edge = nullptr;
  };

  // `loose_parts`: see tie.hpp; tests ask for as many tied sets as there can be.
  CounterSearch(Env& env, const Task& task, std::size_t loose_parts = Ties::default_loose_parts);

  // Explores until a violation is found, nothing is left, or the environment stops it.  Throws dd::OutOfMemory.
  std::optional<Found> run();
  // After a complete search with the reduction: adds what that left out, by expanding everything in full.  A violation
  // that is found then has no trace, and shows that the reduction is wrong.
  std::optional<Found> close();
  bool finished() const { return finished_; }

  const Encoding& encoding() const { return encoding_; }
  SetTable& sets() { return sets_; }
  const SetTable& sets() const { return sets_; }
  ThreadImages& images() { return images_; }
  Ties& ties() { return images_.ties(); }
  CellView cells(const CounterState& state) const { return cells_[state.cells]; }
  const std::vector<Node>& nodes() const { return nodes_; }
  std::vector<Origin> origins(std::uint32_t node) const { return origins_.all(nodes_[node].origins); }
  // The ways that the origin may stand for: its step may have split the states into several.
  std::vector<std::vector<Leg>> ways(const Origin& origin);
  std::uint32_t bound() const { return bound_; }
  // States that together represent what was reached.
  std::vector<CounterState> reached();
  // What is known when the search is stopped, in words.
  std::string established() const;
  void record(Statistics& statistics) const;

 private:
  static constexpr std::uint32_t longest_way = 64;

  struct Step {
    Mover mover;
    const ThreadOutcome* outcome;
  };

  std::optional<Found> explore();
  bool is_closed();
  std::optional<Found> expand(std::uint32_t node);
  template <class Visit>
  void for_each_outcome(SharedSet shared, CellView cells, Mover mover, Visit&& visit);
  // The threads of the state that are to be expanded.
  std::vector<Mover> movers(SharedSet shared, CellView cells);
  // Makes the step; false when a passive thread blocks it.
  bool apply(const Step& step, SharedSet& shared, Cells& cells);
  // The step of one thread of the set, if there is one only.
  std::optional<Step> only_step(SharedSet shared, CellView cells, LocalSet set);
  std::optional<std::size_t> atomic_cell(CellView cells) const;
  // Puts the state with the cells `after_` among the successors.
  std::optional<Found> emit(SharedSet shared, Origin origin);
  // Looks up the successors of one state, which are all on their way from memory by then, and keeps what is new.
  std::optional<Found> settle();
  // With the reduction: goes on to the first state from which there is a choice.
  std::optional<Found> pass(SharedSet& shared, Origin& origin);
  std::optional<Violation> violation(SharedSet shared, CellView cells) const;

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
  std::optional<LoneSteps> reduction_;
  std::uint64_t reduced_ = 0;  // states expanded by one thread alone
  std::uint64_t passed_ = 0;   // states that were not stored
  std::vector<Node> nodes_;
  Cells before_;  // of the state that is expanded
  Cells after_;   // of its successor at hand
  struct Successor {
    SharedSet shared;
    Origin origin;
    std::size_t begin;  // in `successor_cells_`
    std::size_t end;
    std::uint64_t hash;
  };
  std::vector<Successor> successors_;  // of the state that is expanded
  Cells successor_cells_;
  std::uint64_t layers_ = 0;
  std::uint64_t reorderings_ = 0;
  std::uint64_t emitted_ = 0;
  bool finished_ = false;
};

}  // namespace cohort::engine::symbolic
