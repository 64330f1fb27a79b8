// The arenas are walked from end to end and the graphs node by node: no recursion, and one pass over everything.
//
// A stage that breaks the flat form mostly shows much later, as a wrong verdict; here it shows at once.  What is asked:
// numbers lead to something that is there; a node has the parts and the successors of its kind; operators have their
// operands, older than themselves, so that terms are no cycles; what is assigned is a scalar, constants are values of
// their types; an object of a thread is named in the code of its own threads only (main, of which there is one, may be
// seen by all); and what an earlier stage has brought about (Fact) still holds.
#include "frontend/c/lower/validate.hpp"

#include <fmt/core.h>

#include "base/contract.hpp"
#include "frontend/c/lower/fold.hpp"
#include "frontend/c/lower/propagate.hpp"

namespace cohort::frontend::c::lower {

namespace {

using ir::Op;
using TypeKind = ir::Type::Kind;

// How many operands an operator has.
std::size_t operands(Op op) {
  switch (op) {
    case Op::Const:
    case Op::Nondet:
    case Op::Load:
    case Op::AddressOf:
    case Op::FunctionAddr:
    case Op::Text: return 0;
    case Op::Cast:
    case Op::Neg:
    case Op::BitNot:
    case Op::LogicalNot: return 1;
    case Op::Conditional: return 3;
    default: return 2;
  }
}

// What a node of the kind must have.
struct Shape {
  std::size_t next = 1;
  bool term = false;
  bool access = false;
};

Shape shape_of(const Node& node) {
  switch (node.kind) {
    case Node::Kind::Skip:
    case Node::Kind::Declare:
    case Node::Kind::AtomicEnd: return {};
    case Node::Kind::AtomicBegin: return {.term = node.has_term};
    case Node::Kind::Assign:
    case Node::Kind::Allocate: return {.term = true, .access = true};
    case Node::Kind::Branch: return {.next = 2, .term = true};
    case Node::Kind::Assume:
    case Node::Kind::Free:
    case Node::Kind::Havoc: return {.term = true};
    case Node::Kind::Spawn: return {.term = true, .access = node.has_access};
    case Node::Kind::Async: return {.next = 2};
    case Node::Kind::EndThread:
    case Node::Kind::EndAsync:
    case Node::Kind::EndProcess:
    case Node::Kind::Violation:
    case Node::Kind::Cut: return {.next = 0};
  }
  COHORT_UNREACHABLE("every kind of node has a shape");
}

class Inspection {
 public:
  Inspection(const Flat& flat, Facts facts) : flat_(flat), facts_(facts) {}

  std::optional<std::string> run() {
    for (std::size_t i = 0; i < flat_.insts.size() && !damage_; ++i) inspect(InstId(i), flat_.insts[i]);
    for (std::size_t i = 0; i < flat_.accesses.size() && !damage_; ++i) inspect(i, flat_.accesses[i]);
    for (std::size_t i = 0; i < flat_.terms.size() && !damage_; ++i) inspect(i, flat_.terms[i]);
    if (!damage_) inspect_initial_values();
    if (!damage_) inspect_bodies();
    return damage_;
  }

 private:
  void expect(bool holds, std::string_view what, std::string_view where) {
    if (!holds && !damage_) damage_ = fmt::format("{}: {}", where, what);
  }

  bool has(ir::TypeId id) const { return id.value < flat_.unit.types.size(); }
  bool has(TermId id) const { return id.value < flat_.terms.size(); }
  bool has(AccessId id) const { return id.value < flat_.accesses.size(); }
  bool has(InstId id) const { return id.value < flat_.insts.size(); }
  bool has(BodyId id) const { return id.value < flat_.bodies.size(); }

  void inspect(InstId id, const Inst& inst) {
    const auto must = [&](bool holds, std::string_view what) { expect(holds, what, "object " + inst.name); };
    must(has(inst.type), "its type is not there");
    if (damage_) return;
    const bool is_own = inst.kind == Inst::Kind::Automatic || inst.kind == Inst::Kind::Thread;
    must(!is_own || has(inst.body), "the body whose threads have it is not there");
    must(!inst.object || inst.object->value < flat_.unit.objects.size(), "what it was declared as is not there");
    must(!inst.is_foreign || inst.kind == Inst::Kind::Text, "only what nobody defines is foreign");
    must(!inst.is_pool || inst.kind == Inst::Kind::Heap, "only objects on the heap are handed out one by one");
    must(!inst.is_pool || flat_.unit.type(inst.type).kind == TypeKind::Array, "a pool is an array");
    must(!inst.ended || (has(*inst.ended) && flat_.inst(*inst.ended).ends == id), "what holds its end is not there");
    must(!inst.extent || inst.kind == Inst::Kind::Heap, "only objects on the heap have a size known at run time only");
    must(!inst.extent || (has(*inst.extent) && inst.extent != id), "what holds its size is not there");
  }

  void inspect(std::size_t number, const Access& access) {
    const auto must = [&](bool holds, std::string_view what) { expect(holds, what, fmt::format("access {}", number)); };
    must(has(access.type), "its type is not there");
    must(!access.inst || has(*access.inst), "its object is not there");
    must(access.inst || has(access.pointer), "it has neither an object nor a pointer");
    if (damage_) return;
    must(access.inst || is_scalar(flat_.type_of(access.pointer)), "its pointer is no scalar");
    for (const Index& index : access.indices) {
      must(has(index.term) && is_scalar(flat_.type_of(index.term)), "an index is no scalar");
    }
  }

  void inspect(std::size_t number, const Term& term) {
    const auto must = [&](bool holds, std::string_view what) { expect(holds, what, fmt::format("term {}", number)); };
    must(has(term.type), "its type is not there");
    must(term.args.size() == operands(term.op), "it does not have the operands of its operator");
    for (const TermId arg : term.args) must(arg.value < number, "an operand is not older than it");
    if (damage_) return;
    const ir::Type& type = flat_.unit.type(term.type);
    switch (term.op) {
      case Op::Const: must(!is_scalar(type) || convert(type, term.value) == term.value, "no value of its type"); break;
      case Op::Nondet: inspect_choices(term, type, must); break;
      case Op::Load: inspect_load(term, must); break;
      case Op::AddressOf: must(has(term.access), "what it is the address of is not there"); break;
      case Op::FunctionAddr:
        must(term.function.value < flat_.unit.functions.size(), "the function is not there");
        break;
      case Op::Text: must(false, "literals are objects here"); break;
      default: break;
    }
  }

  template <class Must>
  void inspect_load(const Term& term, const Must& must) const {
    must(has(term.access), "what it loads is not there");
    if (!has(term.access)) return;
    const std::uint64_t size = size_of(flat_.unit, flat_.access(term.access).type);
    must(size_of(flat_.unit, term.type) == size, "it has another size than what it loads");
  }

  template <class Must>
  static void inspect_choices(const Term& term, const ir::Type& type, const Must& must) {
    for (std::size_t i = 0; i < term.choices.size(); ++i) {
      must(convert(type, term.choices[i]) == term.choices[i], "a choice is no value of its type");
      must(i == 0 || term.choices[i - 1] < term.choices[i], "the choices are not sorted");
    }
  }

  void inspect_initial_values() {
    expect(flat_.initial.size() <= flat_.insts.size(), "of objects that are not there", "initial values");
    for (std::size_t i = 0; i < flat_.initial.size() && !damage_; ++i) {
      for (const auto& [offset, value] : flat_.initial[i]) {
        const std::string where = fmt::format("initial value of {} at {}", flat_.insts[i].name, offset);
        expect(has(value), "it is not there", where);
        if (damage_) return;
        const std::uint64_t size = size_of(flat_.unit, flat_.insts[i].type);
        expect(offset >= 0 && static_cast<std::uint64_t>(offset) < size, "it is outside of the object", where);
        expect(is_constant(flat_, value), "it is not constant", where);
      }
    }
    for (std::size_t i = 0; i < flat_.statics.size() && !damage_; ++i) {
      const InstId inst = flat_.statics[i];
      const bool fits = inst == Flat::no_inst || (has(inst) && flat_.inst(inst).object == ir::ObjectId(i));
      expect(fits, "it stands for another one", "static object " + flat_.unit.objects[i].name);
    }
  }

  void inspect_bodies() {
    std::size_t mains = 0;
    for (std::size_t i = 0; i < flat_.bodies.size(); ++i) {
      const Body& body = flat_.bodies[i];
      mains += body.is_main ? 1 : 0;
      expect(body.entry.value < body.nodes.size(), "its first node is not there", "body " + body.name);
      expect(!body.parameter || has(*body.parameter), "its parameter is not there", "body " + body.name);
      expect(!body.number || has(*body.number), "its thread's number is not there", "body " + body.name);
      expect(!body.has_result || has(body.result), "its result is not there", "body " + body.name);
      for (const Node& node : body.nodes) {
        if (!damage_) inspect_node(BodyId(i), node);
      }
    }
    expect(mains == 1, "there is not one main", "program");
  }

  void inspect_node(BodyId id, const Node& node) {
    const Body& body = flat_.bodies[id.value];
    const auto must = [&](bool holds, std::string_view what) {
      expect(holds, what, fmt::format("{} ({}) in {}", to_string(node.span), node.text, body.name));
    };
    // What propagation finds unreachable has no successor until it is cleared away.
    const Shape shape = shape_of(node);
    const bool is_dead = node.kind == Node::Kind::Skip && node.next.empty();
    must(is_dead || node.next.size() == shape.next, "a node does not have the successors of its kind");
    for (const NodeId next : node.next) must(next.value < body.nodes.size(), "what follows a node is not there");
    must(node.has_term == shape.term, "a node has a term that it needs not, or needs one");
    must(node.has_access == shape.access, "a node has a place that it needs not, or needs one");
    must(!node.has_term || has(node.term), "a node's term is not there");
    must(!node.has_access || has(node.access), "a node's place is not there");
    if (damage_) return;
    must(!node.by_chance || (node.kind == Node::Kind::AtomicBegin && node.has_term), "only waits end by chance");
    switch (node.kind) {
      case Node::Kind::Assign:
        must(is_scalar(flat_.unit.type(flat_.access(node.access).type)), "something is assigned that is no scalar");
        must(is_scalar(flat_.type_of(node.term)), "something is assigned whose value is no scalar");
        break;
      case Node::Kind::Spawn:
        must(has(node.argument), "a thread is not given its argument");
        must(!node.has_number || has(node.number), "the number of a thread is not there");
        must((facts_ & bit(Fact::ThreadsNumbered)) == 0 || !node.has_access, "a thread is created that has no number");
        break;
      case Node::Kind::Allocate: must((facts_ & bit(Fact::NoAllocations)) == 0, "an allocation is left"); break;
      case Node::Kind::Declare:
      case Node::Kind::Havoc: must(has(node.inst), "a node's object is not there"); break;
      case Node::Kind::Async: must(body.has_async, "a body begins threads and does not say so"); break;
      case Node::Kind::Cut: must(!node.message.empty(), "what is not modelled has no name"); break;
      default: break;
    }
    if (damage_) return;
    for_each_access(flat_, node, [&](AccessId access, bool) { inspect_owner(id, access, must); });
    if (node.has_access) inspect_owner(id, node.access, must);
  }

  template <class Must>
  void inspect_owner(BodyId id, AccessId access, const Must& must) const {
    const auto& named = flat_.access(access).inst;
    if (!named) return;
    const Inst& inst = flat_.inst(*named);
    if (inst.kind != Inst::Kind::Automatic && inst.kind != Inst::Kind::Thread) return;
    const Body& owner = flat_.bodies[inst.body.value];
    must(inst.body == id || (owner.is_main && !owner.has_async), "an object of another thread is named: " + inst.name);
  }

  const Flat& flat_;
  const Facts facts_;
  std::optional<std::string> damage_;
};

}  // namespace

std::optional<std::string> find_damage(const Flat& flat, Facts facts) {
  return Inspection(flat, facts).run();
}

void validate(const Flat& flat, Facts facts, std::string_view stage) {
  if (const auto damage = find_damage(flat, facts)) {
    throw InternalError(fmt::format("the flat form is damaged after the stage {}: {}", stage, *damage));
  }
}

}  // namespace cohort::frontend::c::lower
