// The model's atomic section is a flag, C's conventions nest (a function named __VERIFIER_atomic_f that calls another).
// Calls are inlined, so the depth is known at almost every node: only the outermost begin and end reach the model.
#include "frontend/c/lower/sections.hpp"

#include <map>

#include "base/contract.hpp"

namespace cohort::frontend::c::lower {

namespace {

constexpr Depths deepest = Depths{1} << 31U;

// Edges that close a cycle of a depth-first search: a step must not run round a loop.
std::vector<std::pair<NodeId, NodeId>> back_edges(const Body& body) {
  enum class Mark : std::uint8_t { New, Open, Done };
  std::vector<Mark> marks(body.nodes.size(), Mark::New);
  std::vector<std::pair<NodeId, NodeId>> result;
  std::vector<std::pair<NodeId, std::size_t>> stack{{body.entry, 0}};
  marks[body.entry.value] = Mark::Open;
  while (!stack.empty()) {
    auto& [at, index] = stack.back();
    const auto& next = body.nodes[at.value].next;
    if (index == next.size()) {
      marks[at.value] = Mark::Done;
      stack.pop_back();
      continue;
    }
    const NodeId to = next[index++];
    if (marks[to.value] == Mark::Open) result.emplace_back(at, to);
    if (marks[to.value] != Mark::New) continue;
    marks[to.value] = Mark::Open;
    stack.emplace_back(to, 0);
  }
  return result;
}

}  // namespace

void bracket_groups(Flat& flat, Body& body) {
  const bool statements = flat.options.interleave_statements;
  const auto key = [&](const Node& node) -> std::pair<std::uint32_t, std::uint32_t> {
    if (node.atomic_group != 0) return {1, node.atomic_group};
    return {0, statements ? node.statement : 0};
  };
  const auto outside_key = std::pair<std::uint32_t, std::uint32_t>{0, 0};
  const auto backs = back_edges(body);
  const auto closes_loop = [&](NodeId from, NodeId to) {
    for (const auto& edge : backs) {
      if (edge == std::pair(from, to)) return true;
    }
    return false;
  };
  const std::size_t count = body.nodes.size();
  const auto add = [&](Node::Kind kind, const Node& like, NodeId next) {
    Node node{.kind = kind, .next = {next}};
    node.spins = like.spins;
    node.span = like.span;
    node.text = like.text;
    node.call = like.call;
    body.nodes.push_back(std::move(node));
    return NodeId(body.nodes.size() - 1);
  };
  const auto enter = [&](NodeId to) {
    return key(body.nodes[to.value]) == outside_key ? to : add(Node::Kind::AtomicBegin, Node(body.nodes[to.value]), to);
  };
  COHORT_EXPECT(body.entry.value < count, "the body begins at one of its nodes");
  for (std::size_t i = 0; i < count; ++i) {
    const auto from = key(body.nodes[i]);
    for (std::size_t j = 0; j < body.nodes[i].next.size(); ++j) {
      NodeId to = body.nodes[i].next[j];
      if (from == key(body.nodes[to.value]) && !closes_loop(NodeId(i), to)) continue;
      to = enter(to);
      if (from != outside_key) to = add(Node::Kind::AtomicEnd, Node(body.nodes[i]), to);
      body.nodes[i].next[j] = to;
    }
  }
  body.entry = enter(body.entry);
}

std::vector<Depths> section_depths(const Body& body) {
  std::vector<Depths> result(body.nodes.size(), 0);
  std::vector<NodeId> pending;
  const auto flow = [&](NodeId to, Depths depths) {
    const Depths united = result[to.value] | depths;
    if (united == result[to.value]) return;
    result[to.value] = united;
    pending.push_back(to);
  };
  COHORT_EXPECT(body.entry.value < body.nodes.size(), "the body begins at one of its nodes");
  flow(body.entry, outside);
  while (!pending.empty()) {
    const NodeId at = pending.back();
    pending.pop_back();
    const Node& node = body.nodes[at.value];
    Depths after = result[at.value];
    COHORT_EXPECT(after != 0, "what is reached is reached at some depth");
    if (node.kind == Node::Kind::AtomicBegin) after = (after << 1U) | (after & deepest);
    if (node.kind == Node::Kind::AtomicEnd) after = (after >> 1U) | (after & outside);
    for (std::size_t i = 0; i < node.next.size(); ++i) {
      // A new thread begins outside.
      flow(node.next[i], node.kind == Node::Kind::Async && i == 1 ? outside : after);
    }
  }
  return result;
}

}  // namespace cohort::frontend::c::lower
