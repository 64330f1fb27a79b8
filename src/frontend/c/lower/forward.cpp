// A value that goes through a temporary costs a variable and often a step.  It is forwarded along a path without
// branches or joins when the temporary has no other use, nothing on the way writes it or what the value reads and, if
// the value reads memory that others may see, nothing on the way and nothing before it in its use is visible to others:
// the reads of a node are split left to right, so the first of them happens when the original read would have.  A value
// whose computation may go wrong is treated the same, and passes nothing that may go wrong itself: an execution must
// not end, or wait, before what went wrong is seen.
#include "frontend/c/lower/forward.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "base/contract.hpp"
#include "base/poll.hpp"
#include "frontend/c/lower/fold.hpp"
#include "frontend/c/lower/propagate.hpp"

namespace cohort::frontend::c::lower {

using ir::Op;

namespace {

class Forwarding {
 public:
  explicit Forwarding(Flat& flat) : flat_(flat), taken_(seen_by_others(flat)) {
    uses_.assign(flat.insts.size(), 0);
    for (const Body& body : flat.bodies) {
      if (body.has_result) uses_[body.result.value] += 2;
      for (const Node& node : body.nodes) {
        for_each_access(flat, node, [&](AccessId id, bool is_load) {
          const Access& access = flat.access(id);
          if (!access.inst) return;
          if (is_partial(flat, access)) taken_[access.inst->value] = true;
          if (is_load) ++uses_[access.inst->value];
        });
        if (node.has_access && is_partial(flat, flat.access(node.access))) {
          taken_[flat.access(node.access).inst->value] = true;
        }
      }
    }
  }

  bool run(Body& body) {
    COHORT_EXPECT(uses_.size() == taken_.size(), "of every object its uses are counted");
    std::vector<std::size_t> predecessors(body.nodes.size(), 0);
    ++predecessors[body.entry.value];
    for (const Node& node : body.nodes) {
      for (const NodeId next : node.next) ++predecessors[next.value];
    }
    bool changed = false;
    for (std::size_t i = 0; i < body.nodes.size(); ++i) changed = forward(body, i, predecessors) || changed;
    return changed;
  }

 private:
  struct Value {
    TermId term;
    bool shared = false;   // reads memory that others may see
    bool fragile = false;  // computing it may go wrong
  };

  bool is_private(InstId id) const {
    const Inst& inst = flat_.inst(id);
    return (inst.kind == Inst::Kind::Automatic || inst.kind == Inst::Kind::Thread) && !taken_[id.value];
  }

  bool is_scalar_inst(InstId id) const { return is_scalar(flat_.unit.type(flat_.inst(id).type)); }

  bool is_private(AccessId id) const {
    const Access& access = flat_.access(id);
    return access.inst && is_private(*access.inst);
  }

  bool reads_shared(TermId term) const {
    bool result = false;
    for_each_access(flat_, term,
                    [&](AccessId access, bool is_load) { result = result || (is_load && !is_private(access)); });
    return result;
  }

  bool mentions(TermId id, Op op) const {
    const Term& term = flat_.term(id);
    return term.op == op ||
           std::any_of(term.args.begin(), term.args.end(), [&](TermId arg) { return mentions(arg, op); });
  }

  bool writes(const Node& node, InstId inst) const {
    if (node.kind == Node::Kind::Declare) return node.inst == inst;
    return node.has_access && flat_.access(node.access).inst == inst;
  }

  bool writes_operand(const Node& node, TermId value) const {
    std::optional<InstId> written;
    if (node.has_access) written = flat_.access(node.access).inst;
    if (node.kind == Node::Kind::Declare) written = node.inst;
    if (!written) return false;
    bool result = false;
    for_each_access(flat_, value, [&](AccessId access, bool is_load) {
      result = result || (is_load && flat_.access(access).inst == written);
    });
    return result;
  }

  bool can_go_wrong(const Node& node) const {
    if (node.has_term && matters(flat_, node.term)) return true;
    if (!node.has_access) return false;
    const Access& access = flat_.access(node.access);
    return !is_inside(flat_, access) || changes_constant(flat_, node, *access.inst);
  }

  // May the value pass this node?
  bool passes(const Node& node, const Value& value) const {
    if (node.next.size() != 1 || writes_operand(node, value.term)) return false;
    // Behind the end of a life the same access would be another one.
    const auto written = node.has_access ? flat_.access(node.access).inst : std::nullopt;
    if (written && flat_.inst(*written).ends) return false;
    if (value.fragile && can_go_wrong(node)) return false;
    const bool visible = value.shared || value.fragile;
    switch (node.kind) {
      case Node::Kind::Skip:
      case Node::Kind::Declare: return true;
      case Node::Kind::Assign: return !visible || (is_private(node.access) && !reads_shared(node.term));
      default: return !visible && node.kind != Node::Kind::Async;
    }
  }

  // Is the temporary the first thing that the node reads of what others may see?
  bool reads_first(const Node& node, InstId temporary) const {
    bool first = true;
    bool found = false;
    for_each_access(flat_, node, [&](AccessId id, bool is_load) {
      if (!is_load) return;
      if (flat_.access(id).inst == temporary) found = true;
      if (!found && !is_private(id)) first = false;
    });
    return first && found;
  }

  bool forward(Body& body, std::size_t start, const std::vector<std::size_t>& predecessors) {
    const Node source = body.nodes[start];
    if (source.kind != Node::Kind::Assign) return false;
    const Access target = flat_.access(source.access);
    if (!target.inst || !is_scalar_inst(*target.inst) || !is_private(*target.inst)) return false;
    if (uses_[target.inst->value] != 1 || flat_.inst(*target.inst).kind != Inst::Kind::Automatic) return false;
    if (mentions(source.term, Op::Nondet) && flat_.term(source.term).op != Op::Nondet) return false;
    const Value value{source.term, reads_shared(source.term), matters(flat_, source.term)};
    NodeId at = source.next[0];
    for (std::size_t steps = 0; steps < 64; ++steps) {
      if (predecessors[at.value] != 1 || at.value == start) return false;
      Node& node = body.nodes[at.value];
      if (uses(node, *target.inst)) return put(body, start, node, *target.inst, value);
      if (writes(node, *target.inst) || !passes(node, value)) return false;
      at = node.next[0];
    }
    return false;
  }

  bool uses(const Node& node, InstId inst) const {
    bool result = false;
    for_each_access(flat_, node,
                    [&](AccessId id, bool is_load) { result = result || (is_load && flat_.access(id).inst == inst); });
    return result;
  }

  bool put(Body& body, std::size_t start, Node& node, InstId temporary, const Value& value) {
    const Node source = body.nodes[start];
    const bool visible = value.shared || value.fragile;
    if (visible && (!reads_first(node, temporary) || node.kind == Node::Kind::AtomicBegin)) return false;
    if (visible && (node.atomic_group != source.atomic_group)) return false;
    // Where a statement is a step, a read does not move to another one.
    if (visible && flat_.options.interleave_statements && node.statement != source.statement) return false;
    if (value.fragile && node.has_term && matters(flat_, node.term)) return false;
    const auto replace = [&](Term term) {
      const bool is_it = flat_.access(term.access).inst == temporary;
      return is_it ? fold(flat_, Term{.op = Op::Cast, .type = term.type, .args = {source.term}})
                   : flat_.add(std::move(term));
    };
    if (node.has_term) node.term = rewrite(flat_, node.term, replace);
    if (node.kind == Node::Kind::Spawn) node.argument = rewrite(flat_, node.argument, replace);
    if (node.has_number) node.number = rewrite(flat_, node.number, replace);
    if (node.has_access) node.access = rewrite(flat_, node.access, replace);
    body.nodes[start] = Node{.kind = Node::Kind::Skip, .next = source.next};
    uses_[temporary.value] = 0;
    return true;
  }

  Flat& flat_;
  std::vector<std::size_t> uses_;
  std::vector<bool> taken_;
};

}  // namespace

void forward_temporaries(Flat& flat) {
  constexpr int max_rounds = 8;
  for (int round = 0; round < max_rounds; ++round) {
    Forwarding forwarding(flat);
    bool changed = false;
    for (Body& body : flat.bodies) {
      poll(flat.options.env, "forward");
      changed = forwarding.run(body) || changed;
    }
    if (!changed) return;
  }
}

}  // namespace cohort::frontend::c::lower
