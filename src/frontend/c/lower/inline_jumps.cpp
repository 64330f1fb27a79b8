// setjmp and longjmp, where longjmp goes back to a call that has not returned.
//
// All calls of a thread are inlined, so the frames that a longjmp can unwind to are those around it: a jump is an edge
// to behind the setjmp, and which of several it is, the buffer tells: setjmp leaves a number there, a different one for
// each place in each frame.  The rest of the buffer is not touched.  What C leaves open (automatic variables that were
// changed since the setjmp and are not volatile) keeps its value; a buffer whose setjmp is in no frame around, be it
// that its function has returned or that another thread has set it, is not modelled.
#include "base/contract.hpp"
#include "frontend/c/lower/fold.hpp"
#include "frontend/c/lower/inline.hpp"

namespace cohort::frontend::c::lower {

using ir::Op;

namespace {

// The first word of a buffer.
AccessId mark_in(Flat& flat, TermId buffer) {
  const ir::TypeId word = flat.unit.add_type({.kind = ir::Type::Kind::Int, .width = 64, .is_signed = true});
  return fold(flat, Access{.pointer = buffer, .type = word});
}

}  // namespace

bool Inliner::is_set_jump(const ir::Node& node) const {
  if (node.kind != ir::Node::Kind::Call || !node.callee) return false;
  const ir::Function& callee = flat_.unit.function(*node.callee);
  return !callee.has_body && ir::intrinsic_named(callee.name) == ir::Intrinsic::SetJump;
}

// Where a jump to this setjmp of the frame arrives.
Inliner::Landing Inliner::landing(Frame& frame, ir::NodeId call) {
  if (const auto known = frame.landings.find(call); known != frame.landings.end()) return known->second;
  const ir::Node node = flat_.unit.function(frame.function).nodes[call.value];
  COHORT_EXPECT(is_set_jump(node) && !frame.starts.empty(), "jumps lead to a setjmp of a frame that is being inlined");
  Landing made{.number = next_jump_++, .value = new_temporary("jump", flat_.int_type(), node)};
  frame.pending.insert(node.next[0]);
  made.node = set_result(frame, node, flat_.load(flat_.whole(made.value)), frame.starts[node.next[0].value]);
  return frame.landings.emplace(call, made).first->second;
}

NodeId Inliner::set_jump(Frame& frame, const ir::Node& node, TermId buffer, NodeId next) {
  const AccessId mark = mark_in(flat_, buffer);
  const TermId number = flat_.constant(landing(frame, frame.at).number, flat_.access(mark).type);
  return assign(frame, node, mark, number, set_result(frame, node, flat_.constant(0, flat_.int_type()), next));
}

NodeId Inliner::long_jump(Frame& frame, const ir::Node& node, TermId buffer, TermId value) {
  if (!frame.in_library)
    add_note("variables that were changed between setjmp and longjmp keep their values", node.span);
  const AccessId mark = mark_in(flat_, buffer);
  const InstId seen = new_temporary("mark", flat_.access(mark).type, node);
  const TermId given = fold(flat_, Term{.op = Op::Cast, .type = flat_.int_type(), .args = {value}});
  const TermId zero = flat_.constant(0, flat_.int_type());
  const TermId is_zero = fold(flat_, Term{.op = Op::Eq, .type = flat_.int_type(), .args = {given, zero}});
  const TermId result = fold(flat_, Term{.op = Op::Conditional,
                                         .type = flat_.int_type(),
                                         .args = {is_zero, flat_.constant(1, flat_.int_type()), given}});
  NodeId otherwise = cut(frame, node, "a longjmp to a setjmp in no function that is still running");
  for (Frame* around = &frame; around != nullptr; around = around->caller) {
    const std::size_t count = around->starts.size();
    for (std::size_t i = 0; i < count; ++i) {
      if (!is_set_jump(flat_.unit.function(around->function).nodes[i])) continue;
      const Landing target = landing(*around, ir::NodeId(i));
      const TermId number = flat_.constant(target.number, flat_.inst(seen).type);
      const TermId is_it =
          fold(flat_, Term{.op = Op::Eq, .type = flat_.int_type(), .args = {flat_.load(flat_.whole(seen)), number}});
      const NodeId landed = leave_frames(frame, around, node, target.node);
      const NodeId jump = assign(frame, node, flat_.whole(target.value), result, landed);
      otherwise = new_node(frame, node,
                           {.kind = Node::Kind::Branch, .has_term = true, .term = is_it, .next = {jump, otherwise}});
    }
  }
  return assign(frame, node, flat_.whole(seen), flat_.load(mark), otherwise);
}

}  // namespace cohort::frontend::c::lower
