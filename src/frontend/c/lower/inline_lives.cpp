// The ends of lives: a flag for each object that somebody may use when it lives no more (lives.hpp), which is set where
// its block or function is left.
#include <algorithm>

#include "base/contract.hpp"
#include "frontend/c/lower/inline.hpp"

namespace cohort::frontend::c::lower {

bool Inliner::is_mortal(const Frame& frame, ir::ObjectId object) const {
  const auto& mortal = flat_.unit.function(frame.function).mortal;
  return std::find(mortal.begin(), mortal.end(), object) != mortal.end();
}

NodeId Inliner::set_ended(Frame& frame, const ir::Node& node, ir::ObjectId object, bool ended, NodeId next) {
  const InstId inst = instance(frame, object);
  COHORT_EXPECT(flat_.inst(inst).kind == Inst::Kind::Automatic, "what is on a stack lives for a time");
  if (!flat_.inst(inst).ended) {
    const InstId flag = flat_.add(Inst{.name = flat_.inst(inst).name + " has ended",
                                       .type = flat_.bool_type(),
                                       .kind = Inst::Kind::Automatic,
                                       .body = current_,
                                       .is_temporary = true,
                                       .is_bookkeeping = true,
                                       .ends = inst,
                                       .span = flat_.inst(inst).span});
    flat_.insts[inst.value].ended = flag;
  }
  const TermId value = flat_.constant(ended ? 1 : 0, flat_.bool_type());
  ir::Node silent = node;
  silent.text.clear();
  return assign(frame, silent, flat_.whole(*flat_.inst(inst).ended), value, next);
}

// What lives in the frame and is called by a name of its own.
NodeId Inliner::leave_frame(Frame& frame, const ir::Node& node, NodeId next) {
  const std::vector<ir::ObjectId> mortal = flat_.unit.function(frame.function).mortal;
  for (const ir::ObjectId object : mortal) next = set_ended(frame, node, object, true, next);
  return next;
}

// The parameters of a call get their values.  A parameter lives from the call on, after its value has been computed:
// that may be read through a pointer to the same parameter of an earlier call, which lives no more.
NodeId Inliner::give(const Frame& frame, Frame& inner, const ir::Node& node, const Saved& given, NodeId next) {
  Saved first;
  for (auto it = given.rbegin(); it != given.rend(); ++it) {
    const auto& [param, value] = *it;
    if (!flat_.inst(param).ended) {
      next = copy_record(frame, node, flat_.whole(param), value, next);
      continue;
    }
    const InstId computed = new_temporary("argument", flat_.inst(param).type, node);
    next = copy_record(frame, node, flat_.whole(param), flat_.load(flat_.whole(computed)), next);
    first.emplace_back(computed, value);
  }
  const std::vector<ir::ObjectId> params = flat_.unit.function(inner.function).params;
  for (const ir::ObjectId param : params) {
    if (is_mortal(inner, param)) next = set_ended(inner, node, param, false, next);
  }
  for (const auto& [computed, value] : first) next = copy_record(frame, node, flat_.whole(computed), value, next);
  return next;
}

// Of this frame and those around it, up to one that lives on.
NodeId Inliner::leave_frames(Frame& frame, const Frame* outermost, const ir::Node& node, NodeId next) {
  for (Frame* left = &frame; left != nullptr && left != outermost; left = left->caller) {
    next = leave_frame(*left, node, next);
  }
  return next;
}

}  // namespace cohort::frontend::c::lower
