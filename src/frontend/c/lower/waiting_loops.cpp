// Take away every node that does something: stores to what others may see, new threads, locks, whatever reads input.
// Every cycle that is left is a loop without effect; one that reads memory and that some branch leads out of is a loop
// in which a thread waits.  An atomic operation may stay: the test-and-set of a lock that is held changes nothing.
// Whether it does, and whether the thread stays for ever, is found out on states: here it is enough to miss none.
#include "frontend/c/lower/waiting_loops.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "frontend/c/lower/propagate.hpp"

namespace cohort::frontend::c::lower {

namespace {

bool is_own(const Flat& flat, AccessId access) {
  const auto& inst = flat.access(access).inst;
  return inst && (flat.inst(*inst).kind == Inst::Kind::Automatic || flat.inst(*inst).kind == Inst::Kind::Thread);
}

bool has_no_effect(const Flat& flat, const Node& node) {
  switch (node.kind) {
    case Node::Kind::Skip:
    case Node::Kind::Branch:
    case Node::Kind::Declare: return true;
    case Node::Kind::AtomicBegin:
    case Node::Kind::AtomicEnd: return !node.in_model && !node.has_term;
    case Node::Kind::Assign:
      return flat.term(node.term).op != ir::Op::Nondet && (is_own(flat, node.access) || node.atomic_group != 0);
    default: return false;
  }
}

bool reads_memory(const Flat& flat, const Node& node) {
  bool reads = false;
  for_each_access(flat, node,
                  [&](AccessId access, bool is_load) { reads = reads || (is_load && !is_own(flat, access)); });
  return reads;
}

// Strongly connected components of the nodes without effect (Kosaraju).
class Loops {
 public:
  Loops(const Flat& flat, const Body& body) : flat_(flat), body_(body), free_(body.nodes.size()) {
    for (std::size_t i = 0; i < free_.size(); ++i) free_[i] = has_no_effect(flat, body.nodes[i]);
    next_.resize(free_.size());
    before_.resize(free_.size());
    for (std::size_t i = 0; i < free_.size(); ++i) {
      for (const NodeId to : body.nodes[i].next) {
        if (!free_[i] || !free_[to.value]) continue;
        next_[i].push_back(to.value);
        before_[to.value].push_back(i);
      }
    }
  }

  std::vector<bool> run() {
    std::vector<bool> result(free_.size(), false);
    std::vector<std::size_t> component(free_.size(), SIZE_MAX);
    const std::vector<std::size_t> order = finish_order();
    for (auto root = order.rbegin(); root != order.rend(); ++root) {
      if (component[*root] != SIZE_MAX) continue;
      std::vector<std::size_t> loop{*root};
      component[*root] = *root;
      for (std::size_t i = 0; i < loop.size(); ++i) {
        for (const std::size_t source : before_[loop[i]]) {
          if (component[source] != SIZE_MAX) continue;
          component[source] = *root;
          loop.push_back(source);
        }
      }
      const bool waits = is_waiting_loop(loop, component);
      for (const std::size_t node : loop) result[node] = waits;
    }
    return result;
  }

 private:
  std::vector<std::size_t> finish_order() const {
    std::vector<std::size_t> order;
    std::vector<bool> seen(free_.size(), false);
    for (std::size_t root = 0; root < free_.size(); ++root) {
      if (!free_[root] || seen[root]) continue;
      seen[root] = true;
      std::vector<std::pair<std::size_t, std::size_t>> stack{{root, 0}};
      while (!stack.empty()) {
        auto& [at, index] = stack.back();
        if (index == next_[at].size()) {
          order.push_back(at);
          stack.pop_back();
          continue;
        }
        const std::size_t to = next_[at][index++];
        if (seen[to]) continue;
        seen[to] = true;
        stack.emplace_back(to, 0);
      }
    }
    return order;
  }

  bool is_waiting_loop(const std::vector<std::size_t>& loop, const std::vector<std::size_t>& component) const {
    const std::size_t own = component[loop.front()];
    const auto& after = next_[loop.front()];
    if (loop.size() == 1 && std::find(after.begin(), after.end(), loop.front()) == after.end()) return false;
    const auto leads_out = [&](std::size_t node) {
      const auto& next = body_.nodes[node].next;
      return std::any_of(next.begin(), next.end(), [&](NodeId to) { return component[to.value] != own; });
    };
    return std::any_of(loop.begin(), loop.end(), leads_out) &&
           std::any_of(loop.begin(), loop.end(),
                       [&](std::size_t node) { return reads_memory(flat_, body_.nodes[node]); });
  }

  const Flat& flat_;
  const Body& body_;
  std::vector<bool> free_;
  std::vector<std::vector<std::size_t>> next_;
  std::vector<std::vector<std::size_t>> before_;
};

}  // namespace

void mark_waiting_loops(Flat& flat) {
  for (Body& body : flat.bodies) {
    const std::vector<bool> waiting = Loops(flat, body).run();
    for (std::size_t i = 0; i < waiting.size(); ++i) body.nodes[i].spins = waiting[i];
  }
}

}  // namespace cohort::frontend::c::lower
