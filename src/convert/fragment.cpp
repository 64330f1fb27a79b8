#include "convert/fragment.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/contract.hpp"
#include "model/passive.hpp"

namespace cohort::convert {

namespace {

using model::Action;
using model::Expr;
using model::ExprId;
using model::LValue;
using model::Op;
using model::Program;
using model::Type;

enum class OpClass { Plain, Integer, Refused };

// Plain operators are those of Boolean programs; comparisons need integers; the rest no writer has.
OpClass classify(Op op) {
  switch (op) {
    case Op::Const:
    case Op::Nondet:
    case Op::SharedVar:
    case Op::LocalVar:
    case Op::PassiveVar:
    case Op::Not:
    case Op::And:
    case Op::Or:
    case Op::Xor:
    case Op::Implies:
    case Op::Eq:
    case Op::Ne:
    case Op::Ite: return OpClass::Plain;
    case Op::Lt:
    case Op::Le:
    case Op::Gt:
    case Op::Ge: return OpClass::Integer;
    default: return OpClass::Refused;
  }
}

std::string_view describe(Op op) {
  switch (op) {
    case Op::RemoteVar:
    case Op::Self:
    case Op::BoundThread:
    case Op::AtLocation: return "a thread reference";
    case Op::ForallThread:
    case Op::ExistsThread: return "a quantifier over threads";
    case Op::Cast: return "a conversion between integer types";
    default: return "integer arithmetic";
  }
}

class Check {
 public:
  Check(const Program& program, const Fragment& fragment) : program_(program), fragment_(fragment) {}

  void run() {
    COHORT_EXPECT(model::is_flat(program_), "calls are inlined before a program is converted");
    if (program_.initial_condition) refuse({}, "a condition on the initial states");
    for (const model::Variable& variable : program_.shared) check_variable(variable);
    check_properties();
    check_passive();
    for (const model::Template& templ : program_.templates) check_template(templ);
  }

 private:
  [[noreturn]] void refuse(const SourceSpan& span, std::string_view feature) const {
    throw_unsupported(span, fmt::format("{} cannot be converted to {}", feature, fragment_.target));
  }

  void check_type(const SourceSpan& span, const Type& type) const {
    if (type.is_array()) refuse(span, "an array");
    switch (type.kind()) {
      case Type::Kind::Bool: return;
      case Type::Kind::Int:
      case Type::Kind::Range:
        if (!fragment_.integers) refuse(span, "an integer variable");
        return;
      case Type::Kind::Integer: refuse(span, "an unbounded integer");
      case Type::Kind::ThreadRef: refuse(span, "a thread reference");
    }
  }

  void check_variable(const model::Variable& variable) const { check_type(variable.span, variable.type); }

  void check_properties() const {
    for (const model::Property& property : program_.properties) {
      if (property.kind == model::Property::Kind::Condition) refuse(property.span, "a condition on global states");
      if (property.kind == model::Property::Kind::Deadlock) refuse(property.span, "the absence of deadlocks");
      if (property.kind == model::Property::Kind::Cover) {
        if (!fragment_.covers) refuse(property.span, "a property over the places of several threads");
        if (property.condition) check_expr(property.span, *property.condition, false);
      }
    }
  }

  void check_passive() const {
    if (fragment_.any_passive) return;
    if (const auto what = model::first_tie(program_)) refuse({}, "a step that ties passive threads, " + *what + ",");
    if (const auto what = model::first_foreign_passive(program_)) {
      refuse({}, "a step that speaks of passive threads of another template, " + *what + ",");
    }
  }

  void check_template(const model::Template& templ) const {
    for (const model::Variable& variable : templ.locals) check_variable(variable);
    for (const model::Edge& edge : templ.edges) {
      COHORT_EXPECT(edge.actions.size() == 1, "steps are not merged before a program is converted");
      check_action(templ, edge.actions.front());
    }
  }

  void check_action(const model::Template& templ, const Action& action) const {
    if (!action.takes.empty()) refuse(action.span, "a rendezvous of threads");
    if (!action.moves.empty()) refuse(action.span, "a broadcast that moves threads");
    if (action.spawns.size() > 1) refuse(action.span, "the creation of several threads in one step");
    if (action.guard) {
      if (model::mentions(program_.exprs, *action.guard, Op::PassiveVar))
        refuse(action.span, "a guard over passive threads");
      check_expr(action.span, *action.guard, false);
    }
    for (const model::Assign& assign : action.assigns) check_assign(templ, action.span, assign);
    for (const ExprId conjunct : action.constraint) {
      check_expr(action.span, conjunct, model::mentions(program_.exprs, conjunct, Op::PassiveVar));
    }
    for (const model::Spawn& spawn : action.spawns) {
      for (const model::Assign& assign : spawn.locals) {
        COHORT_EXPECT(assign.target.kind == LValue::Kind::Local, "a spawn sets locals of the new thread");
        check_assign(program_.templ(spawn.templ), action.span, assign);
      }
    }
  }

  void check_assign(const model::Template& templ, const SourceSpan& span, const model::Assign& assign) const {
    if (assign.target.kind == LValue::Kind::Remote) refuse(span, "a write through a thread reference");
    if (assign.target.index) refuse(span, "an array");
    check_expr(span, assign.value, assign.target.kind == LValue::Kind::Passive);
    const bool is_shared = assign.target.kind == LValue::Kind::Shared;
    const bool is_passive = assign.target.kind == LValue::Kind::Passive;
    const model::Template& owner = is_passive ? program_.templ(assign.target.templ) : templ;
    const Type& type = is_shared ? program_.shared[assign.target.var.value].type : owner.local(assign.target.var).type;
    const Expr& value = program_.exprs[assign.value];
    const bool fits = value.type == type || (value.op == Op::Const && type.contains(value.value));
    if (!fits) refuse(span, "an assignment between different integer types");
  }

  void check_expr(const SourceSpan& span, ExprId root, bool is_passive) const {
    model::for_each_node(program_.exprs, root, [&](const Expr& node, ExprId) {
      const OpClass kind = classify(node.op);
      if (kind == OpClass::Refused) refuse(span, describe(node.op));
      if (kind == OpClass::Integer && !fragment_.integers) refuse(span, "a comparison of integers");
      check_type(span, node.type);
      if (node.op == Op::Nondet && is_passive && !fragment_.passive_choices) {
        refuse(span, "a broadcast that leaves the passive threads a choice");
      }
    });
  }

  const Program& program_;
  const Fragment& fragment_;
};

}  // namespace

void require_fragment(const Program& program, const Fragment& fragment) {
  Check(program, fragment).run();
}

}  // namespace cohort::convert
