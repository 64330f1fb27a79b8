// Take away every node that does something: stores to what others may see, new threads, locks, whatever reads input.
// Every cycle that is left is a loop without effect; one that reads memory and that some branch leads out of is a loop
// in which a thread waits.  An atomic operation may stay: the test-and-set of a lock that is held changes nothing.
// Whether it does, and whether the thread stays for ever, is found out on states: here it is enough to miss none.
#include "frontend/c/lower/waiting_loops.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "base/contract.hpp"
#include "frontend/c/lower/propagate.hpp"
#include "model/analysis/components.hpp"

namespace cohort::frontend::c::lower {

namespace {

// `seen`: see seen_by_others().
bool is_own(const Flat& flat, const std::vector<bool>& seen, AccessId access) {
  const auto& inst = flat.access(access).inst;
  if (!inst || seen[inst->value]) return false;
  return flat.inst(*inst).kind == Inst::Kind::Automatic || flat.inst(*inst).kind == Inst::Kind::Thread;
}

bool has_no_effect(const Flat& flat, const std::vector<bool>& seen, const Node& node) {
  switch (node.kind) {
    case Node::Kind::Skip:
    case Node::Kind::Branch:
    case Node::Kind::Declare: return true;
    case Node::Kind::AtomicBegin:
    case Node::Kind::AtomicEnd: return !node.in_model && !node.has_term;
    case Node::Kind::Assign:
      return flat.term(node.term).op != ir::Op::Nondet && (is_own(flat, seen, node.access) || node.atomic_group != 0);
    default: return false;
  }
}

bool reads_memory(const Flat& flat, const std::vector<bool>& seen, const Node& node) {
  bool reads = false;
  for_each_access(flat, node,
                  [&](AccessId access, bool is_load) { reads = reads || (is_load && !is_own(flat, seen, access)); });
  return reads;
}

// The nodes of loops without effect, of all of which none or all wait.
std::vector<bool> waiting_loops(const Flat& flat, const std::vector<bool>& seen, const Body& body) {
  std::vector<bool> free(body.nodes.size());
  std::vector<std::size_t> roots;
  for (std::size_t i = 0; i < free.size(); ++i) {
    free[i] = has_no_effect(flat, seen, body.nodes[i]);
    if (free[i]) roots.push_back(i);
  }
  const auto free_after = [&](std::uint32_t node) {
    std::vector<std::uint32_t> result;
    for (const NodeId to : body.nodes[node].next) {
      if (free[to.value]) result.push_back(to.value);
    }
    return result;
  };
  std::vector<bool> result(free.size(), false);
  std::vector<std::uint32_t> part(free.size(), UINT32_MAX);  // by node, some member of its loop
  model::for_each_component(free.size(), roots, free_after, [&](const auto& component) {
    if (!component.cyclic) return;
    const auto& loop = component.members;
    for (const std::uint32_t node : loop) part[node] = loop.front();
    const auto leads_out = [&](std::uint32_t node) {
      const auto& next = body.nodes[node].next;
      return std::any_of(next.begin(), next.end(), [&](NodeId to) { return part[to.value] != loop.front(); });
    };
    const auto reads = [&](std::uint32_t node) { return reads_memory(flat, seen, body.nodes[node]); };
    if (!std::any_of(loop.begin(), loop.end(), leads_out) || !std::any_of(loop.begin(), loop.end(), reads)) return;
    for (const std::uint32_t node : loop) result[node] = true;
  });
  return result;
}

}  // namespace

void mark_waiting_loops(Flat& flat) {
  const std::vector<bool> seen = seen_by_others(flat);
  for (Body& body : flat.bodies) {
    const std::vector<bool> waiting = waiting_loops(flat, seen, body);
    COHORT_EXPECT(waiting.size() == body.nodes.size(), "of every node it is known whether it waits");
    for (std::size_t i = 0; i < waiting.size(); ++i) body.nodes[i].spins = waiting[i];
  }
}

}  // namespace cohort::frontend::c::lower
