// Which allocated objects may change places without anybody noticing.  The steps of a program see where an object lies
// only through its address: by comparing it for order, computing with it, making a number of it or looking at its
// bytes. Whoever stores addresses, compares them for equality with other addresses or with NULL, and follows them to
// the fields of the object they lead to, does the same wherever the object lies.  An object stays if that is all that
// happens to every value that may lead to it, and if code never means the object itself but where it is handed out.
//
// Nor may a variable hold its address at one time and a number at another (`(void *)i` and the like): that number would
// be taken for an address.  Numbers are followed from casts through all assignments.  A pointer that was never written
// has any value, and any value is any value wherever objects lie; that such a value is the address of something that
// nothing else leads to makes no difference to engines that do not enumerate 64-bit values, so pointers must be as wide
// as they are in C.
//
// Races are excluded: places of the model say which element is about to be accessed.  So are objects that functions
// without a body can reach, through which the model walks with a pointer of its own.
//
// Handing out: the nodes that put the address of the next object, or of a freed one, into a variable name objects, and
// stand in atomic sections (a single object, which is handed out once, has nobody to change places with).
//
// Cost: one pass over all terms for each object that is found out to be named, at most three in practice.
#include "frontend/c/lower/nameless.hpp"

#include <algorithm>
#include <map>

#include "base/contract.hpp"
#include "base/poll.hpp"
#include "frontend/c/lower/fold.hpp"
#include "frontend/c/lower/propagate.hpp"
#include "frontend/c/lower/survey.hpp"
#include "frontend/c/lower/threads.hpp"

namespace cohort::frontend::c::lower {

using ir::Op;
using TypeKind = ir::Type::Kind;

namespace {

class Naming {
 public:
  Naming(const Flat& flat, const PointsTo& points_to, Layout& layout, std::set<InstId> objects)
      : flat_(flat), points_to_(points_to), layout_(layout), objects_(std::move(objects)) {}

  std::set<InstId> run() {
    if (objects_.empty()) return {};
    follow_numbers();
    for (const auto& [cell, targets] : points_to_.cells()) {
      if (!is_pointer_cell(cell.first, cell.second) || numbers_.contains(cell)) name(targets);
    }
    for (const Body& body : flat_.bodies) {
      for (const Node& node : body.nodes) {
        poll(flat_.options.env, "nameless-objects");
        look(node);
      }
    }
    return std::move(objects_);
  }

 private:
  using Cell = std::pair<InstId, std::int64_t>;

  bool is_pointer(ir::TypeId type) const { return flat_.unit.type(type).kind == TypeKind::Pointer; }

  bool is_pointer_cell(InstId inst, std::int64_t offset) const {
    const auto group = layout_.find(inst, offset);
    return group && is_pointer(layout_.group(*group).type);
  }

  void name(const std::set<Target>& targets) {
    for (const Target& target : targets) {
      if (!target.function) objects_.erase(target.inst);
    }
  }

  bool leads_to_object(const std::set<Target>& targets) const {
    return std::any_of(targets.begin(), targets.end(),
                       [&](const Target& target) { return !target.function && objects_.contains(target.inst); });
  }

  // May the value be a number other than 0, as far as it is known which cells hold such?
  bool is_number(TermId id) const {
    const Term& term = flat_.term(id);
    switch (term.op) {
      case Op::Const: return term.value != 0;
      case Op::Nondet:
      case Op::Text:
      case Op::FunctionAddr:
      case Op::AddressOf: return false;
      case Op::PointerAdd: return is_number(term.args[0]);
      case Op::Cast:
        return is_pointer(flat_.term(term.args[0]).type) ? is_number(term.args[0]) : !is_null(term.args[0]);
      case Op::Conditional: return is_number(term.args[1]) || is_number(term.args[2]);
      case Op::Load: {
        const std::set<Target> places = points_to_.places(term.access);
        return std::any_of(places.begin(), places.end(), [&](const Target& place) {
          if (place.function) return true;
          return numbers_.contains({place.inst, place.offset}) || !is_pointer_cell(place.inst, place.offset);
        });
      }
      default: return true;
    }
  }

  bool is_null(TermId id) const { return number(flat_, id) == 0; }

  void follow_numbers() {
    for (std::size_t i = 0; i < flat_.initial.size(); ++i) {
      for (const auto& [offset, value] : flat_.initial[i]) {
        const auto at = collapse(flat_.unit, flat_.insts[i].type, offset);
        if (at && is_number(value)) numbers_.insert({InstId(i), *at});
      }
    }
    for (bool grows = true; grows;) {
      grows = false;
      const auto add = [&](InstId inst, std::int64_t offset) {
        grows = numbers_.insert({inst, offset}).second || grows;
      };
      for (const Body& body : flat_.bodies) {
        for (const Node& node : body.nodes) {
          poll(flat_.options.env, "nameless-objects");
          if (node.kind == Node::Kind::Assign && is_number(node.term)) {
            for (const Target& place : points_to_.places(node.access)) {
              if (!place.function) add(place.inst, place.offset);
            }
          }
          if (node.kind != Node::Kind::Spawn || !is_number(node.argument)) continue;
          for (const Body& started : flat_.bodies) {
            if (started.parameter && may_start(flat_, node, started)) add(*started.parameter, 0);
          }
        }
      }
    }
  }

  void look(const Node& node) {
    if (node.kind == Node::Kind::Havoc) {
      for (const InstId inst : points_to_.reachable(node.term)) objects_.erase(inst);
    }
    hands_out_ = node.hands_out;
    if (node.has_term) look(node.term);
    if (node.kind == Node::Kind::Spawn) look(node.argument);
    if (node.has_number) look(node.number);
    hands_out_ = node.hands_out && node.kind == Node::Kind::Declare;
    if (node.kind == Node::Kind::Declare && !hands_out_) objects_.erase(node.inst);
    if (node.has_access) look(flat_.access(node.access));
  }

  void look(TermId id) {
    const Term& term = flat_.term(id);
    for (const TermId arg : term.args) look(arg);
    if (term.op == Op::Load || term.op == Op::AddressOf) look(flat_.access(term.access));
    switch (term.op) {
      case Op::Eq:
      case Op::Ne:
        if (is_number(term.args[0]) || is_number(term.args[1])) name_both(term);
        return;
      case Op::LogicalNot:
      case Op::LogicalAnd:
      case Op::LogicalOr: return;
      case Op::Const:
      case Op::Nondet:
      case Op::Text:
      case Op::FunctionAddr:
      case Op::AddressOf:
      case Op::Load:
      case Op::Cast:
      case Op::Conditional: break;
      default: name_both(term); return;
    }
    const std::set<Target> targets = points_to_.targets(id);
    if (!leads_to_object(targets)) return;
    // A test for NULL is what a cast to a truth value is.
    if (flat_.unit.type(term.type).kind == TypeKind::Bool && term.op == Op::Cast) return;
    if (!is_pointer(term.type) || is_number(id)) name(targets);
  }

  void name_both(const Term& term) {
    for (const TermId arg : term.args) name(points_to_.targets(arg));
  }

  void look(const Access& access) {
    if (!access.inst) look(access.pointer);
    for (const Index& index : access.indices) look(index.term);
    if (access.inst) {
      if (!hands_out_) objects_.erase(*access.inst);
      return;
    }
    for (const Target& target : points_to_.targets(access.pointer)) {
      if (target.function) continue;
      const std::int64_t end =
          target.offset + access.offset + static_cast<std::int64_t>(size_of(flat_.unit, access.type));
      const bool stays = target.offset + access.offset >= 0 && end <= object_size(target.inst);
      if (!access.indices.empty() || !stays) objects_.erase(target.inst);
    }
  }

  // Of one, where there are several.
  std::int64_t object_size(InstId id) const {
    const Inst& inst = flat_.inst(id);
    const ir::TypeId type = inst.is_pool ? flat_.unit.type(inst.type).target : inst.type;
    return static_cast<std::int64_t>(size_of(flat_.unit, type));
  }

  const Flat& flat_;
  const PointsTo& points_to_;
  Layout& layout_;
  std::set<InstId> objects_;
  std::set<Cell> numbers_;  // pointers there may be numbers
  bool hands_out_ = false;  // the node puts the address of an object that it names into a variable
};

}  // namespace

Nameless::Nameless(const Flat& flat, const PointsTo& points_to, const Sharing& sharing, Layout& layout) {
  const auto starts_by_label = [](const Body& body) { return body.has_async; };
  if (!flat.options.late_naming || flat.options.asks_for(Wrong::Race)) return;
  if (std::any_of(flat.bodies.begin(), flat.bodies.end(), starts_by_label)) return;
  if (stores_into_pointers(flat, points_to, layout)) return;
  std::set<InstId> shared;
  for (std::size_t i = 0; i < flat.insts.size(); ++i) {
    const bool is_candidate =
        flat.insts[i].kind == Inst::Kind::Heap && !sharing.owner(InstId(i)) && sharing.is_accessed(InstId(i));
    if (is_candidate) shared.insert(InstId(i));
  }
  objects_ = Naming(flat, points_to, layout, std::move(shared)).run();
}

bool Nameless::may_be_address(const std::set<Target>& targets) const {
  return std::any_of(targets.begin(), targets.end(),
                     [&](const Target& target) { return !target.function && objects_.contains(target.inst); });
}

}  // namespace cohort::frontend::c::lower
