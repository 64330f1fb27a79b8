#include "model/access.hpp"

#include <algorithm>

#include "base/contract.hpp"

namespace cohort::model {

namespace {

bool node_can_fault(const Expr& node) {
  switch (node.op) {
    case Op::SharedVar:
    case Op::LocalVar:
    case Op::PassiveVar: return !node.args.empty();
    case Op::RemoteVar:
    case Op::AtLocation:
    case Op::Div:
    case Op::Mod:
    case Op::Shl:
    case Op::Shr: return true;
    case Op::Add:
    case Op::Sub:
    case Op::Mul:
    case Op::Neg: return node.type.kind() != Type::Kind::Int;
    case Op::Cast: return node.type.kind() == Type::Kind::ThreadRef;
    default: return false;
  }
}

}  // namespace

bool can_fault(const ExprPool& pool, ExprId root) {
  bool found = false;
  for_each_node(pool, root, [&](const Expr& node, ExprId) { found = found || node_can_fault(node); });
  return found;
}

bool can_fault(const ExprPool& pool, const LValue& target, const Type& type, ExprId value) {
  if (target.index || target.ref || can_fault(pool, value)) return true;
  return type.kind() == Type::Kind::Range && pool[value].type != type &&
         !(pool[value].op == Op::Const && type.contains(pool[value].value));
}

bool can_fault(const Program& program, const Template& templ, const Action& action) {
  bool found = false;
  for_each_root(action, [&](ExprId root) { found = found || can_fault(program.exprs, root); });
  for (const Assign& assign : action.assigns) {
    const LValue& target = assign.target;
    const auto& variables = target.kind == LValue::Kind::Shared   ? program.shared
                            : target.kind == LValue::Kind::Remote ? program.templ(target.templ).locals
                                                                  : templ.locals;
    found = found || can_fault(program.exprs, target, variables[target.var.value].type, assign.value);
  }
  return found;
}

bool uses_other_threads(const ExprPool& pool, const Action& action) {
  bool found = std::any_of(action.assigns.begin(), action.assigns.end(),
                           [](const Assign& assign) { return assign.target.kind == LValue::Kind::Remote; });
  for_each_node(pool, action, [&](const Expr& node, ExprId) {
    found = found || node.op == Op::RemoteVar || node.op == Op::AtLocation || node.op == Op::ForallThread ||
            node.op == Op::ExistsThread;
  });
  return found;
}

Observed::Observed(const Program& program) {
  for (const Template& templ : program.templates) {
    locals_.emplace_back(templ.locals.size(), false);
    locations_.emplace_back(templ.locations.size(), false);
  }
  for (std::size_t i = 0; i < program.templates.size(); ++i) {
    for (const Edge& edge : program.templates[i].edges) {
      for (const Action& action : edge.actions) observe(program, TemplateId(i), action);
    }
  }
  // Outside the templates there are no locals of an executing thread, so no owner is needed.
  const auto observe_condition = [&](ExprId root) {
    for_each_node(program.exprs, root, [&](const Expr& node, ExprId) {
      COHORT_EXPECT(node.op != Op::PassiveVar, "no thread is passive outside a step");
      observe(node, TemplateId{});
    });
  };
  if (program.initial_condition) observe_condition(*program.initial_condition);
  for (const Property& property : program.properties) {
    if (property.condition) observe_condition(*property.condition);
    for (const auto& [templ, location] : property.threads) locations_[templ.value][location.value] = true;
  }
  if (looks_for_deadlocks(program)) observe_waiting(program);
}

void Observed::observe_waiting(const Program& program) {
  for (std::size_t i = 0; i < program.templates.size(); ++i) {
    const auto& locations = program.templates[i].locations;
    for (std::size_t j = 0; j < locations.size(); ++j) {
      if (locations[j].waits) locations_[i][j] = true;
    }
  }
}

void Observed::observe(const Program& program, TemplateId owner, const Action& action) {
  for (const Assign& assign : action.assigns) {
    if (assign.target.kind == LValue::Kind::Passive) locals_[owner.value][assign.target.var.value] = true;
    if (assign.target.kind == LValue::Kind::Remote) locals_[assign.target.templ.value][assign.target.var.value] = true;
  }
  for (const PassiveMove& move : action.moves) locations_[move.templ.value][move.from.value] = true;
  for (const Take& take : action.takes) locations_[take.templ.value][take.from.value] = true;
  for_each_node(program.exprs, action, [&](const Expr& node, ExprId) { observe(node, owner); });
}

void Observed::observe(const Expr& node, TemplateId owner) {
  if (node.op == Op::PassiveVar) locals_[owner.value][node.var.value] = true;
  if (node.op == Op::RemoteVar) locals_[node.templ.value][node.var.value] = true;
  if (node.op == Op::AtLocation) locations_[node.templ.value][static_cast<std::size_t>(node.value)] = true;
}

bool ends_thread(const Edge& edge) {
  return std::any_of(edge.actions.begin(), edge.actions.end(), [](const Action& one) { return one.ends_thread; });
}

}  // namespace cohort::model
