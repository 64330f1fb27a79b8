// Many programs end by joining their threads, and check nothing after that.  To wait for a thread one must tell it
// apart from others, which costs the symmetry of threads and bounds their number; here it is for nothing.
//
// Call a node of main silent if it, and all that can follow it in main, only reads memory, waits, branches, assigns
// automatic objects whose address nobody has, and at last ends the process.  Whatever other threads do while main is at
// a silent node they can do while main is before the first of them: it changes nothing that they see.  And nothing of
// main itself is reported from there on.  So main may as well end the process at its first silent node: the
// interleavings in which others go on are those in which main is slow.  Inside of an atomic section main cannot be
// slow, nor in the middle of a step that did something before: there it goes on to the end of the section or step.
//
// This is about violations by what threads do.  A deadlock is a violation by what they do not, and faults, overflows
// and races make reading and computing visible: where those are asked for, main stays as it is.
#include "frontend/c/lower/epilogue.hpp"

#include <algorithm>
#include <set>

#include "base/contract.hpp"
#include "frontend/c/lower/propagate.hpp"
#include "frontend/c/lower/sections.hpp"

namespace cohort::frontend::c::lower {

namespace {

// Instances that a term or access mentions.
class Mentions {
 public:
  explicit Mentions(const Flat& flat) : flat_(flat) {}

  void visit(TermId id) {
    if (!seen_.insert(id).second) return;
    const Term& term = flat_.term(id);
    for (const TermId arg : term.args) visit(arg);
    if (term.op == ir::Op::Load || term.op == ir::Op::AddressOf) visit(flat_.access(term.access));
  }

  void visit(const Access& access) {
    if (access.inst) {
      insts_.insert(*access.inst);
    } else {
      visit(access.pointer);
    }
    for (const Index& index : access.indices) visit(index.term);
  }

  void visit(const Node& node) {
    if (node.has_term) visit(node.term);
    if (node.kind == Node::Kind::Spawn) visit(node.argument);
    if (node.has_number) visit(node.number);
    if (node.has_access) visit(flat_.access(node.access));
  }

  bool contains(InstId inst) const { return insts_.contains(inst); }

 private:
  const Flat& flat_;
  std::set<TermId> seen_;
  std::set<InstId> insts_;
};

// May other threads than main be given what main frees?
bool allocates_elsewhere(const Flat& flat) {
  return flat.options.reuse && std::any_of(flat.bodies.begin(), flat.bodies.end(), [](const Body& body) {
           return !body.is_main && std::any_of(body.nodes.begin(), body.nodes.end(),
                                               [](const Node& node) { return node.kind == Node::Kind::Allocate; });
         });
}

bool is_quiet(const Flat& flat, const Node& node, const std::vector<bool>& seen) {
  switch (node.kind) {
    case Node::Kind::Skip:
    case Node::Kind::Branch:
    case Node::Kind::Assume:
    case Node::Kind::Declare:
    case Node::Kind::AtomicBegin:
    case Node::Kind::AtomicEnd:
    case Node::Kind::EndProcess: return true;
    case Node::Kind::Free: return !allocates_elsewhere(flat);  // nobody looks for faults here
    case Node::Kind::Assign: {
      const auto& inst = flat.access(node.access).inst;
      return inst && flat.inst(*inst).kind == Inst::Kind::Automatic && !seen[inst->value];
    }
    default: return false;
  }
}

// The greatest set of quiet nodes that is closed under what follows.
std::vector<bool> silent_nodes(const Flat& flat, const Body& body) {
  const std::vector<bool> seen = seen_by_others(flat);
  std::vector<bool> silent(body.nodes.size());
  for (std::size_t i = 0; i < silent.size(); ++i) silent[i] = is_quiet(flat, body.nodes[i], seen);
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t i = 0; i < silent.size(); ++i) {
      const auto& next = body.nodes[i].next;
      if (!silent[i] || std::all_of(next.begin(), next.end(), [&](NodeId to) { return silent[to.value]; })) continue;
      silent[i] = false;
      changed = true;
    }
  }
  return silent;
}

void end_at_silent_nodes(const Flat& flat, Body& body) {
  COHORT_EXPECT(body.is_main && !body.has_async, "only main ends the process");
  const std::vector<bool> silent = silent_nodes(flat, body);
  const std::vector<Depths> depths = section_depths(body);
  COHORT_EXPECT(silent.size() == depths.size(), "of every node it is known how deep in sections it is");
  for (std::size_t i = 0; i < silent.size(); ++i) {
    if (!silent[i] || depths[i] != outside) continue;
    // It belongs to no statement and no group of nodes that are one step, so that these end before it.
    Node end{.kind = Node::Kind::EndProcess};
    end.span = body.nodes[i].span;
    end.text = body.nodes[i].text;
    body.nodes[i] = std::move(end);
  }
}

void visit_reachable(const Body& body, Mentions& mentions) {
  std::vector<bool> seen(body.nodes.size(), false);
  std::vector<NodeId> pending{body.entry};
  while (!pending.empty()) {
    const NodeId at = pending.back();
    pending.pop_back();
    if (seen[at.value]) continue;
    seen[at.value] = true;
    mentions.visit(body.nodes[at.value]);
    pending.insert(pending.end(), body.nodes[at.value].next.begin(), body.nodes[at.value].next.end());
  }
}

}  // namespace

void drop_epilogue(Flat& flat, ThreadTable& table) {
  for (const Wrong kind : {Wrong::Deadlock, Wrong::Fault, Wrong::Overflow, Wrong::Race}) {
    if (flat.options.asks_for(kind)) return;
  }
  Mentions mentions(flat);
  for (Body& body : flat.bodies) {
    // A label of CPROVER starts threads that run main's code, and end there.
    if (body.is_main && !body.has_async) end_at_silent_nodes(flat, body);
    visit_reachable(body, mentions);
  }
  if (table.finished && !mentions.contains(*table.finished)) table.finished.reset();
  if (table.results && !mentions.contains(*table.results)) table.results.reset();
}

}  // namespace cohort::frontend::c::lower
