#include "smt/linear.hpp"

#include <algorithm>

#include "model/analysis/visit.hpp"

namespace cohort::smt {

using model::Command;
using model::Expr;
using model::ExprId;
using model::ExprPool;
using model::Op;
using model::Type;

namespace {

constexpr model::Value most_shift = 31;

bool is_natural(const Type& type) {
  if (type.kind() == Type::Kind::Int) return !type.is_signed() && type.width() < 64;
  return type.kind() == Type::Kind::Range && type.lo() >= 0;
}

bool is_linear_node(const ExprPool& exprs, const Expr& node) {
  const auto constant = [&](std::size_t arg) -> const Expr* {
    const Expr& operand = exprs[node.args[arg]];
    return operand.op == Op::Const ? &operand : nullptr;
  };
  switch (node.op) {
    case Op::Mul: return constant(0) != nullptr || constant(1) != nullptr;
    case Op::Div:
    case Op::Mod: return constant(1) != nullptr && constant(1)->value != 0;
    case Op::BitAnd: {
      const Expr* mask = constant(1);
      return mask != nullptr && mask->value >= 0 && mask->value < INT64_MAX && (mask->value & (mask->value + 1)) == 0 &&
             is_natural(exprs[node.args[0]].type);
    }
    case Op::Shl: return constant(1) != nullptr && constant(1)->value >= 0 && constant(1)->value <= most_shift;
    case Op::BitOr:
    case Op::BitXor:
    case Op::Shr: return false;
    default: return true;
  }
}

}  // namespace

bool is_linear(const ExprPool& exprs, ExprId root) {
  bool linear = true;
  model::for_each_node(exprs, root, [&](const Expr& node, ExprId) { linear = linear && is_linear_node(exprs, node); });
  return linear;
}

bool is_linear(const model::Commands& commands) {
  const model::Program& program = commands.program();
  const auto fine = [&](ExprId root) { return is_linear(program.exprs, root); };
  const auto fine_assign = [&](const model::Assign& assign) {
    return fine(assign.value) && (!assign.target.index || fine(*assign.target.index));
  };
  const auto fine_assigns = [&](const std::vector<model::Assign>& assigns) {
    return std::all_of(assigns.begin(), assigns.end(), fine_assign);
  };
  const bool linear = std::all_of(commands.all().begin(), commands.all().end(), [&](const Command& command) {
    return fine(command.guard) && fine_assigns(command.assigns) && fine_assigns(command.passive_assigns) &&
           std::all_of(command.evaluations.begin(), command.evaluations.end(),
                       [&](const model::Evaluation& one) { return fine(one.when) && fine(one.what); }) &&
           std::all_of(command.passive_conjuncts.begin(), command.passive_conjuncts.end(), fine) &&
           std::all_of(command.children.begin(), command.children.end(),
                       [&](const model::CommandChild& child) { return fine_assigns(child.assigns); });
  });
  return linear && (!program.initial_condition || fine(*program.initial_condition)) &&
         std::all_of(program.properties.begin(), program.properties.end(),
                     [&](const model::Property& property) { return !property.condition || fine(*property.condition); });
}

}  // namespace cohort::smt
