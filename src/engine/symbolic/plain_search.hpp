// Symbolic reachability without symmetry: the baseline of the BOOM paper's section 7.1.  Threads have names (slots);
// locations are explicit, one list of places for all slots, and for each such list one diagram over the shared
// variables and every thread's own copies of the locals holds the states.  So nothing has to be spliced or merged, and
// permuted states are all explored.
//
// The search goes by layers like the counter search and keeps, for each explored set, where its parts came from.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "base/env.hpp"
#include "engine/engine.hpp"
#include "engine/symbolic/reduction.hpp"
#include "engine/symbolic/sets.hpp"
#include "engine/symbolic/transitions.hpp"
#include "engine/symbolic/violation.hpp"
#include "model/run.hpp"

namespace cohort::engine::symbolic {

class PlainSearch {
 public:
  // What each slot's thread is at; empty slots at the end are left out.
  using Places = std::vector<std::optional<Place>>;

  PlainSearch(Env& env, const Task& task);

  struct Origin {
    std::uint32_t node = 0;
    std::uint32_t slot = 0;
    const EdgeRelation* edge = nullptr;
  };
  struct Node {
    Places places;
    dd::Bdd states;
    std::vector<Origin> origins;
  };
  struct Found {
    Node node;
    model::PropertyId property;
  };

  std::optional<Found> run();
  // As in CounterSearch.
  std::optional<Found> close();
  bool finished() const { return finished_; }
  model::Run trace(const Found& found);
  const std::map<Places, dd::Bdd>& reached() const { return reached_; }
  const Encoding& encoding() const { return encoding_; }
  std::uint32_t bound() const { return bound_; }
  // Shared variables and the copies of all threads that are alive.
  dd::VarSet variables(const Places& places) const;
  std::string established() const;
  void record(Statistics& statistics) const;

 private:
  // An edge's parts, spoken by the thread in a slot.
  struct SlotEdge {
    Relation main;
    Relation active;  // of the broadcast, without the passive threads
    Relation rest;
    dd::Bdd enabled;
  };

  std::optional<Found> explore();
  bool is_closed();
  std::optional<Found> expand(std::uint32_t node);
  std::optional<Found> step(std::uint32_t node, std::uint32_t slot, const EdgeRelation& edge);
  std::optional<Found> emit(Places places, const dd::Bdd& states, const Origin& origin);
  std::optional<Found> violation(const Node& node) const;
  std::vector<std::uint32_t> movers(const Node& node);
  bool may_move_alone(const Node& node, std::uint32_t slot);
  // Where the children of the edge go: their slots, as many as there is room for.
  std::vector<std::uint32_t> child_slots(const Places& places, const EdgeRelation& edge) const;

  const SlotEdge& slot_edge(const EdgeRelation& edge, std::uint32_t slot);
  Relation with_passive(const EdgeRelation& edge, std::uint32_t slot, const Places& places);
  Relation spoken_by(const Relation& relation, std::uint32_t slot) const;
  const dd::Renaming& to_slot(std::uint32_t slot) const { return to_slot_[slot]; }
  std::vector<dd::Var> slot_vars(std::uint32_t slot) const;
  std::optional<model::State> predecessor(const model::State& after, const Origin& origin);
  model::State pick_state(const Places& places, const dd::Bdd& states) const;

  Env& env_;
  const model::Program& program_;
  EngineOptions options_;
  std::uint32_t bound_;
  Encoding encoding_;
  Transitions transitions_;
  Violations violations_;
  std::optional<Reduction> reduction_;
  std::vector<dd::Renaming> to_slot_;  // locals, before and after, to the slot's copies
  std::map<std::pair<const EdgeRelation*, std::uint32_t>, SlotEdge> slot_edges_;
  std::map<std::tuple<const EdgeRelation*, std::uint32_t, std::uint32_t>, dd::Bdd>
      passive_;  // by active and passive slot
  std::map<Places, dd::Bdd> reached_;
  std::map<Places, Node> frontier_;
  std::vector<Node> nodes_;
  std::uint64_t layers_ = 0;
  std::uint64_t reorderings_ = 0;
  std::uint64_t reduced_ = 0;
  bool finished_ = false;
};

}  // namespace cohort::engine::symbolic
