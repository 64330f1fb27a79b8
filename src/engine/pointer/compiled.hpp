// The program compiled for speed: expressions become an array of nodes that read cells, edges become sequences of
// guarded writes.  In a quantifier's body what does not depend on the bound process is evaluated before all else, so
// that `exists i, j: i != j and a[i] and b[j]` goes through all j only for an i with a[i].  The interpreter of the
// model defines what they mean; the tests compare the two state by state.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "engine/pointer/layout.hpp"
#include "model/expr.hpp"

namespace cohort::engine::pointer {

class Compiled {
 public:
  using NodeId = std::uint32_t;
  static constexpr NodeId none = UINT32_MAX;
  static constexpr std::size_t deepest_quantifier = 16;

  enum class Outcome : std::uint8_t { Blocked, Done, Fault };

  explicit Compiled(const Layout& layout);

  const Layout& layout() const { return *layout_; }

  // What process `self` makes of `cells` by the edge; without Done, `cells` is left in between.
  Outcome step(std::uint32_t edge, std::uint32_t self, std::span<Cell> cells);
  // The processes whose cells the last step wrote, perhaps several times.
  std::span<const std::uint32_t> touched() const { return touched_; }
  std::span<const std::uint32_t> edges_from(Cell location) const { return out_edges_[location]; }

  // The first property that the state violates by itself.
  std::optional<model::PropertyId> violated(std::span<const Cell> cells);

  // For conditions that are evaluated by parts: the value of `root` with processes bound, none where it faults.
  // `depth`: so many quantifiers lie around it.
  NodeId compile(model::ExprId root, std::size_t depth = 0);
  std::optional<bool> evaluate(NodeId root, std::span<const Cell> cells, std::span<const std::uint32_t> bound);

 private:
  struct Node {
    model::Op op = model::Op::Const;
    model::Type::Kind kind = model::Type::Kind::Bool;
    NodeId args[3] = {none, none, none};  // quantifiers: the body, and what comes before it, if anything
    model::Value value = 0;               // constant, location, or least value of the variable
    std::uint32_t slot = 0;               // variable: its cell, or its place in a block
    bool can_fault = false;               // quantifiers: their bodies
    model::Type type = model::Type::boolean();
  };
  struct Write {
    bool shared = false;
    std::uint32_t slot = 0;  // cell, or place in a block
    NodeId ref = none;       // none: the executing process
    NodeId value = none;
    CellType type;
    model::Type wraps = model::Type::boolean();
  };
  struct Action {
    NodeId guard = none;
    std::vector<Write> writes;
  };
  struct Edge {
    Cell target = 0;
    std::vector<Action> actions;
  };
  struct Bad {
    NodeId condition = none;
    model::PropertyId property;
  };

  NodeId add(Node node);
  void compile_body(Node& node, model::ExprId body, std::size_t depth);
  model::Value run(NodeId id);
  model::Value run_binary(const Node& node);
  model::Value run_quantifier(const Node& node);
  model::Value arithmetic(const Node& node, model::Value left, model::Value right);
  // The block of the process that a reference denotes; records a fault.
  const Cell* process(model::Value reference);
  bool perform(const Action& action);
  model::Value fail() {
    fault_ = true;
    return 0;
  }

  const Layout* layout_;
  std::vector<Node> nodes_;
  std::map<std::pair<model::ExprId, std::size_t>, NodeId> index_;  // by expression and depth
  std::vector<Edge> edges_;
  std::vector<std::vector<std::uint32_t>> out_edges_;
  std::vector<std::optional<model::PropertyId>> error_;  // by location
  std::vector<Bad> bad_;
  bool faults_violate_ = true;
  // Of the evaluation that is going on.
  Cell* cells_ = nullptr;
  std::uint32_t self_ = 0;
  std::uint32_t bound_[deepest_quantifier] = {};
  std::size_t depth_ = 0;
  bool fault_ = false;
  std::vector<std::pair<std::size_t, Cell>> pending_;
  std::vector<std::uint32_t> touched_;
};

}  // namespace cohort::engine::pointer
