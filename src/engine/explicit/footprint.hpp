// What threads touch: the cells of the shared state that a thread reads and writes in its next step, with indices
// evaluated in the state, and those that it may ever read or write from a local state on.  A cell is a slot of the
// shared valuation; beyond those, properties that ask for threads at several places have cells of their own.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <unordered_map>
#include <vector>

#include "model/analysis/bit_set.hpp"
#include "model/pair_table.hpp"
#include "model/thread_system.hpp"

namespace cohort::engine::explicit_ {

// Of the next steps of a thread, enabled or not: of an edge that cannot be taken, what decides that.
struct Footprint {
  std::vector<std::uint32_t> reads;
  std::vector<std::uint32_t> writes;
  bool spawns = false;
  bool ends = false;
  bool stops_others = false;  // enters an atomic section and stays inside
};

// Of a thread, and of all threads that it creates.
struct Future {
  model::BitSet reads;  // cells
  model::BitSet writes;
  bool spawns = false;
  bool ends = false;
  bool stays_inside = false;  // may enter an atomic section that it perhaps never leaves
};

class Footprints {
 public:
  explicit Footprints(model::ThreadSystem& system);

  // Are there only steps of one thread each, and properties that cells can speak of?
  bool covers_program() const { return covered_; }

  // Valid until the next call.
  const Footprint& next(model::SharedId shared, model::LocalId local);
  const Future& future(model::LocalId local);

  // How many threads one step creates, at most.
  std::size_t most_created() const { return most_created_; }

  // May what the second thread does make a difference to the next steps of the first, or the other way round?  `full`:
  // so many threads are alive that one step may reach the bound.
  static bool conflict(const Footprint& next, const Future& future, bool full);

 private:
  struct Access {
    model::VarId var;
    bool writes = false;
    std::optional<model::ExprId> index;  // none: the variable, or any element

    auto operator<=>(const Access&) const = default;
  };
  using Expressions = std::set<std::optional<model::ExprId>>;  // none: any value
  struct EdgeFacts {
    const model::Edge* edge = nullptr;
    std::uint32_t target = 0;  // a node
    std::vector<Access> accesses;
    std::vector<std::pair<model::VarId, std::optional<model::ExprId>>> assigned;  // locals
    std::vector<std::uint32_t> children;                                          // nodes
    std::vector<model::ExprId> conditions;                                        // conjuncts of all guards
    bool ends = false;
    bool enters = false;
    bool leaves = false;
  };
  // Of the code that a thread at a location may execute from there on.
  struct NodeFacts {
    bool known = false;
    std::map<model::VarId, Expressions> changes;  // of its locals
    std::vector<model::VarId> relevant;           // locals that indices depend on
  };
  struct Reads {
    bool open = false;                                                          // chooses, or looks behind the step
    std::vector<std::pair<model::VarId, std::optional<model::ExprId>>> shared;  // with indices
    std::vector<model::VarId> locals;
  };
  // The values that locals may have; those that are not listed have any.
  using ValueSets = std::map<model::VarId, std::set<model::Value>>;
  class Walk;

  std::uint32_t node(model::TemplateId templ, model::LocId location) const {
    return static_cast<std::uint32_t>(first_node_[templ.value] + location.value);
  }
  model::TemplateId template_of(std::uint32_t node) const;
  const model::Location& location(std::uint32_t node) const;
  bool always_goes_on(std::uint32_t node) const;
  void collect_edges();
  EdgeFacts facts_of(model::TemplateId templ, const model::Edge& edge) const;
  void find_properties();
  bool keeps_waiting_inside() const;
  bool is_announced(const model::Property& property) const;
  std::vector<Access> surely_accessed(std::uint32_t node) const;
  const NodeFacts& facts_at(std::uint32_t node);
  void find_relevant(const std::vector<model::ExprId>& indices, NodeFacts& facts) const;
  ValueSets value_sets(const NodeFacts& facts, const model::ThreadState& thread) const;
  bool grow(model::VarId var, const Expressions& values, const model::ThreadState& thread, ValueSets& sets) const;
  const Reads& reads_of(model::ExprId root) const;
  std::optional<std::set<model::Value>> values_of(model::ExprId root, const model::ThreadState& thread,
                                                  const ValueSets& sets, const NodeFacts& facts) const;
  void touch_all(const model::Variable& variable, std::vector<std::uint32_t>& cells) const;
  Footprint compute(model::SharedId shared, model::LocalId local) const;
  bool is_excluded(const EdgeFacts& edge, const model::ThreadState& thread, const ValueSets& sets,
                   const NodeFacts& facts) const;
  void add_access(const Access& access, const std::optional<std::set<model::Value>>& indices, Future& result) const;
  void add_step(const EdgeFacts& edge, Future& result) const;
  void add_children(std::vector<std::uint32_t> pending, Future& result) const;
  Future compute(const NodeFacts& facts, const model::ThreadState& thread) const;

  model::ThreadSystem& system_;
  const model::Program& program_;
  bool covered_ = true;
  bool follows_sections_ = false;  // does it matter who may stay inside of an atomic section?
  std::size_t most_created_ = 0;
  std::vector<std::size_t> first_node_;
  std::vector<std::vector<std::uint32_t>> edges_from_;  // by node: indices in edges_
  std::vector<EdgeFacts> edges_;
  std::vector<NodeFacts> nodes_;
  std::vector<std::vector<std::uint32_t>> watching_;  // by node: cells of properties that a thread there helps
  std::size_t cells_ = 0;
  mutable std::unordered_map<model::ExprId, Reads> reads_;
  model::PairTable next_index_;
  std::vector<Footprint> next_;
  // Local states at one node that agree on the relevant locals have the same future.
  std::map<std::vector<model::Value>, std::uint32_t> future_index_;
  std::vector<Future> futures_;
  std::vector<std::uint32_t> future_of_;  // by local state
};

}  // namespace cohort::engine::explicit_
