// An object that only one body accesses, directly or through a pointer, and that body has one thread in the whole
// execution, is nobody else's business, wherever it was declared.  In a routine that many threads run, an automatic
// object is each thread's own as long as its address stays in objects that are each thread's own.
#include "frontend/c/lower/sharing.hpp"

#include <algorithm>

#include "base/contract.hpp"
#include "frontend/c/lower/propagate.hpp"
#include "frontend/c/lower/threads.hpp"

namespace cohort::frontend::c::lower {

namespace {

// Does the life of the object begin outside of loops and of the threads that labels begin?
bool begins_once(const Flat& flat, const Body& body, InstId inst) {
  std::vector<bool> in_thread(body.nodes.size(), false);
  std::vector<NodeId> stack;
  for (const Node& node : body.nodes) {
    if (node.kind == Node::Kind::Async) stack.push_back(node.next[1]);
  }
  while (!stack.empty()) {
    const NodeId at = stack.back();
    stack.pop_back();
    if (in_thread[at.value]) continue;
    in_thread[at.value] = true;
    for (const NodeId next : body.nodes[at.value].next) stack.push_back(next);
  }
  const std::vector<bool> loops = nodes_in_loops(body);
  // An object with an initialiser has no declaration of its own: its life begins with a store.
  const auto begins = [&](const Node& node, bool by_store) {
    if (node.kind == Node::Kind::Declare) return node.inst == inst;
    return by_store && node.kind == Node::Kind::Assign && flat.access(node.access).inst == inst;
  };
  for (const bool by_store : {false, true}) {
    bool found = false;
    for (std::size_t i = 0; i < body.nodes.size(); ++i) {
      if (!begins(body.nodes[i], by_store)) continue;
      if (loops[i] || in_thread[i]) return false;
      found = true;
    }
    if (found) return true;
  }
  return false;
}

}  // namespace

Sharing::Sharing(const Flat& flat, const PointsTo& points_to)
    : flat_(flat),
      points_to_(points_to),
      many_(bodies_of_many(flat)),
      accessors_(flat.insts.size()),
      owner_(flat.insts.size()) {
  find_accessors();
  for (std::size_t i = 0; i < flat.insts.size(); ++i) {
    const Inst& inst = flat.insts[i];
    const auto& users = accessors_[i];
    const bool own = inst.kind == Inst::Kind::Automatic || inst.kind == Inst::Kind::Thread;
    if (own && (users.empty() || users == std::set{inst.body})) owner_[i] = inst.body;
    if (!own && users.size() == 1 && !many_[users.begin()->value]) owner_[i] = *users.begin();
  }
  COHORT_EXPECT(many_.size() == flat.bodies.size(), "of every body it is known how often it runs");
  find_escaped();
}

void Sharing::find_accessors() {
  for (std::size_t i = 0; i < flat_.bodies.size(); ++i) {
    const Body& body = flat_.bodies[i];
    const auto touch = [&](AccessId access, bool writes) {
      for (const Target& place : points_to_.places(access)) {
        if (place.function) continue;
        accessors_[place.inst.value].insert(BodyId(i));
        // Whoever accesses an object looks at its size.
        if (const auto extent = flat_.inst(place.inst).extent) accessors_[extent->value].insert(BodyId(i));
        if (const auto freed = flat_.inst(place.inst).freed) accessors_[freed->value].insert(BodyId(i));
        if (const auto ended = flat_.inst(place.inst).ended) accessors_[ended->value].insert(BodyId(i));
        if (writes) written_.insert({place.inst, place.offset});
      }
    };
    for (const Node& node : body.nodes) {
      for_each_access(flat_, node, [&](AccessId access, bool is_load) {
        if (is_load) touch(access, false);
      });
      if (node.has_access) touch(node.access, true);
      if (node.kind == Node::Kind::Free) {
        for (const Target& target : points_to_.targets(node.term)) {
          if (target.function) continue;
          accessors_[target.inst.value].insert(BodyId(i));
          const auto freed = flat_.inst(target.inst).freed;
          if (!freed) continue;
          accessors_[freed->value].insert(BodyId(i));
          written_.insert({*freed, 0});
        }
      }
      if (node.kind == Node::Kind::Havoc) change_from_outside(BodyId(i), node);
      if (node.kind == Node::Kind::Declare) begin(BodyId(i), node);
    }
    if (body.parameter) written_.insert({*body.parameter, 0});
    if (body.number) written_.insert({*body.number, 0});
  }
}

// An object that begins as zeros is written.
void Sharing::begin(BodyId body, const Node& node) {
  accessors_[node.inst.value].insert(body);
  if (!node.zeroed) return;
  for (const auto& [offset, type] : scalars_of(flat_.unit, flat_.inst(node.inst).type)) {
    written_.insert({node.inst, offset});
  }
}

// A function that nobody defines writes to all that it can get at.
void Sharing::change_from_outside(BodyId body, const Node& node) {
  COHORT_EXPECT(body.value < flat_.bodies.size() && node.has_term,
                "what is changed is reached from a pointer of the body");
  for (const InstId id : points_to_.reachable(node.term)) {
    accessors_[id.value].insert(body);
    if (!is_writable_from_outside(flat_.inst(id))) continue;
    for (const auto& [offset, type] : scalars_of(flat_.unit, flat_.inst(id).type)) written_.insert({id, offset});
  }
}

void Sharing::find_escaped() {
  // What is reachable from cells that several threads can read, or is handed to a new thread.
  std::set<InstId> visible;
  std::vector<InstId> pending;
  const auto show = [&](const std::set<Target>& targets) {
    for (const Target& target : targets) {
      if (!target.function && visible.insert(target.inst).second) pending.push_back(target.inst);
    }
  };
  for (const auto& [cell, targets] : points_to_.cells()) {
    const Inst& inst = flat_.inst(cell.first);
    const bool handed_over = std::any_of(flat_.bodies.begin(), flat_.bodies.end(),
                                         [&](const Body& body) { return body.parameter == cell.first; });
    if (handed_over || inst.kind == Inst::Kind::Static || inst.kind == Inst::Kind::Heap) show(targets);
  }
  while (!pending.empty()) {
    const InstId inst = pending.back();
    pending.pop_back();
    for (const auto& [cell, targets] : points_to_.cells()) {
      if (cell.first == inst) show(targets);
    }
  }
  for (std::size_t i = 0; i < flat_.insts.size(); ++i) {
    const Inst& inst = flat_.insts[i];
    if (inst.kind != Inst::Kind::Automatic && inst.kind != Inst::Kind::Thread) continue;
    if (!many_[inst.body.value] || !visible.contains(InstId(i)) || accessors_[i].empty()) continue;
    // An object of main from before its labelled threads is there once, for all of them.
    if (flat_.bodies[inst.body.value].is_main && begins_once(flat_, flat_.bodies[inst.body.value], InstId(i))) {
      COHORT_EXPECT(accessors_[i].size() >= 1, "what escapes is accessed by somebody");
      owner_[i].reset();
      if (inst.ended) owner_[inst.ended->value].reset();
    } else {
      escaped_.push_back(InstId(i));
      if (inst.ended) escaped_.push_back(*inst.ended);
    }
  }
}

}  // namespace cohort::frontend::c::lower
