// Builds the control-flow graph of one function front to back.  Nodes are emitted in the order of the source; edges to
// what has not been emitted yet are kept as loose ends, either those that flow into the next node or those that wait at
// a label.  Knows nothing of Clang.
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "frontend/c/ir/unit.hpp"

namespace cohort::frontend::c::parse {

class Flow {
 public:
  // An edge without its target: the node and which of its successors it is.
  struct LooseEnd {
    ir::NodeId node;
    std::size_t slot = 0;
  };

  // A place to jump to, before or after it is known where that is.
  struct Label {
    std::optional<ir::NodeId> target;
    std::vector<LooseEnd> waiting;
  };

  // Whether the next node can be reached from the ones before it.
  bool reachable() const { return !pending_.empty(); }

  // Appends the node; what was pending flows into it.  Its first successor is pending afterwards if it has one.
  ir::NodeId emit(ir::Node node);
  // A branch: nonzero goes on at `yes`, zero at `no`; nothing is pending afterwards.
  void branch(ir::Node node, Label& yes, Label& no);
  // The new thread begins at the next node; the present one goes on at `after`.
  void fork(ir::Node node, Label& after);
  // What is pending goes to the label; nothing is pending afterwards.
  void jump(Label& label);
  // The label is here.  Bound before its jumps (`backward`) it needs a node to point to.
  void bind(Label& label);
  void bind_backward(Label& label);

  // Moves the graph into the function: nodes that nobody reaches and nodes that do nothing are left out.  The caller
  // has ended every path.
  void finish(ir::Function& function);

 private:
  void connect(LooseEnd end, ir::NodeId target);
  void wait(Label& label, LooseEnd end);
  ir::NodeId skip_ahead(ir::NodeId id) const;
  std::vector<bool> reached() const;

  std::vector<ir::Node> nodes_;
  std::vector<LooseEnd> pending_;
};

}  // namespace cohort::frontend::c::parse
