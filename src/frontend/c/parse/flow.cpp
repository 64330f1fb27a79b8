#include "frontend/c/parse/flow.hpp"

#include "base/contract.hpp"

namespace cohort::frontend::c::parse {

using ir::Node;
using ir::NodeId;

namespace {

std::size_t successor_count(Node::Kind kind) {
  switch (kind) {
    case Node::Kind::Branch:
    case Node::Kind::Async: return 2;
    case Node::Kind::Return:
    case Node::Kind::EndAsync:
    case Node::Kind::Unsupported: return 0;
    default: return 1;
  }
}

constexpr NodeId nowhere(UINT32_MAX);

}  // namespace

void Flow::connect(LooseEnd end, NodeId target) {
  nodes_[end.node.value].next[end.slot] = target;
}

void Flow::wait(Label& label, LooseEnd end) {
  if (label.target) {
    connect(end, *label.target);
  } else {
    label.waiting.push_back(end);
  }
}

NodeId Flow::emit(Node node) {
  const NodeId id(nodes_.size());
  for (const LooseEnd& end : pending_) connect(end, id);
  pending_.clear();
  node.next.assign(successor_count(node.kind), nowhere);
  if (!node.next.empty()) pending_.push_back({id, 0});
  nodes_.push_back(std::move(node));
  return id;
}

void Flow::branch(Node node, Label& yes, Label& no) {
  COHORT_EXPECT(node.kind == Node::Kind::Branch, "only a branch branches");
  const NodeId id = emit(std::move(node));
  pending_.clear();
  wait(yes, {id, 0});
  wait(no, {id, 1});
}

void Flow::fork(Node node, Label& after) {
  COHORT_EXPECT(node.kind == Node::Kind::Async, "only Async begins a thread");
  const NodeId id = emit(std::move(node));
  pending_ = {{id, 1}};
  wait(after, {id, 0});
}

void Flow::jump(Label& label) {
  for (const LooseEnd& end : pending_) wait(label, end);
  pending_.clear();
}

void Flow::bind(Label& label) {
  COHORT_EXPECT(!label.target, "a label is bound once");
  pending_.insert(pending_.end(), label.waiting.begin(), label.waiting.end());
  label.waiting.clear();
}

void Flow::bind_backward(Label& label) {
  bind(label);
  label.target = emit({.kind = Node::Kind::Skip});
}

// Where control ends up after the nodes that do nothing; a cycle of those (an empty endless loop) keeps one.
NodeId Flow::skip_ahead(NodeId id) const {
  std::size_t steps = 0;
  while (nodes_[id.value].kind == Node::Kind::Skip && steps++ < nodes_.size()) id = nodes_[id.value].next[0];
  return id;
}

std::vector<bool> Flow::reached() const {
  std::vector<bool> seen(nodes_.size(), false);
  std::vector<NodeId> open;
  const auto visit = [&](NodeId id) {
    COHORT_EXPECT(id != nowhere, "every edge leads somewhere");
    const NodeId target = skip_ahead(id);
    if (!seen[target.value]) open.push_back(target);
    seen[target.value] = true;
  };
  visit(NodeId(0));
  while (!open.empty()) {
    const NodeId id = open.back();
    open.pop_back();
    for (const NodeId next : nodes_[id.value].next) visit(next);
  }
  return seen;
}

void Flow::finish(ir::Function& function) {
  COHORT_EXPECT(pending_.empty(), "every path of a function has an end");
  COHORT_EXPECT(!nodes_.empty(), "a function has a node");
  const std::vector<bool> kept = reached();
  std::vector<NodeId> renamed(nodes_.size(), nowhere);
  std::size_t count = 0;
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    if (kept[i]) renamed[i] = NodeId(count++);
  }
  std::vector<std::vector<NodeId>> successors(nodes_.size());
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    if (!kept[i]) continue;
    for (const NodeId next : nodes_[i].next) successors[i].push_back(renamed[skip_ahead(next).value]);
  }
  function.entry = renamed[skip_ahead(NodeId(0)).value];
  function.nodes.clear();
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    if (!kept[i]) continue;
    nodes_[i].next = std::move(successors[i]);
    function.nodes.push_back(std::move(nodes_[i]));
  }
  function.has_body = true;
  nodes_.clear();
}

}  // namespace cohort::frontend::c::parse
