#include "model/analysis/may_fault.hpp"

#include "base/contract.hpp"
#include "model/analysis/visit.hpp"

namespace cohort::model {

namespace {

bool leads_to_thread(const Expr& reference) {
  return reference.op == Op::Self || reference.op == Op::BoundThread ||
         (reference.op == Op::Const && reference.value != 0);
}

bool node_may_fault(const ExprPool& pool, const Expr& node, NamedThreads threads) {
  switch (node.op) {
    case Op::SharedVar:
    case Op::LocalVar:
    case Op::PassiveVar: return !node.args.empty();
    case Op::RemoteVar:
    case Op::AtLocation:
      COHORT_EXPECT(!node.args.empty(), "what is asked of another thread says which");
      // A second argument is an index.
      return threads == NamedThreads::MayBeMissing || node.args.size() > 1 || !leads_to_thread(pool[node.args[0]]);
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

bool may_fault(const ExprPool& pool, ExprId root, NamedThreads threads) {
  bool found = false;
  for_each_node(pool, root, [&](const Expr& node, ExprId) { found = found || node_may_fault(pool, node, threads); });
  return found;
}

bool may_fault(const ExprPool& pool, const LValue& target, const Type& type, ExprId value) {
  if (target.index || target.ref || may_fault(pool, value)) return true;
  return type.kind() == Type::Kind::Range && pool[value].type != type &&
         !(pool[value].op == Op::Const && type.contains(pool[value].value));
}

bool may_fault(const Program& program, const Template& templ, const Action& action) {
  bool found = false;
  // What new threads are given fits their variables, so only evaluating it may fault.
  for_each_root(action, [&](ExprId root) { found = found || may_fault(program.exprs, root); });
  for (const Assign& assign : action.assigns) {
    const LValue& target = assign.target;
    const bool of_others = target.kind == LValue::Kind::Remote || target.kind == LValue::Kind::Passive;
    const auto& variables = target.kind == LValue::Kind::Shared ? program.shared
                            : of_others                         ? program.templ(target.templ).locals
                                                                : templ.locals;
    COHORT_EXPECT(target.var.value < variables.size(), "an assignment writes to a variable there is");
    found = found || may_fault(program.exprs, target, variables[target.var.value].type, assign.value);
  }
  return found;
}

}  // namespace cohort::model
