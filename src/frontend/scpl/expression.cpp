#include "frontend/scpl/expression.hpp"

#include <fmt/core.h>

#include "base/contract.hpp"

namespace cohort::frontend::scpl {

using model::ExprId;
using model::Op;
using model::Type;

namespace {

bool gives_number(Op op) {
  return op == Op::Add || op == Op::Sub || op == Op::Mul || op == Op::Div || op == Op::Mod || op == Op::Neg;
}

bool is_connective(Op op) {
  return op == Op::Not || op == Op::And || op == Op::Or;
}

// As it is written in a program.
std::string name_of(const Type& type) {
  if (type.is_bool()) return "bool";
  return fmt::format("{}int{}", type.is_signed() ? "" : "u", type.width());
}

void expect_type(const Expression& expression, const Type& found, const Type& wanted) {
  if (found == wanted) return;
  std::string message =
      fmt::format("expected a value of type {}, found one of type {}", name_of(wanted), name_of(found));
  if (!found.is_bool() && !wanted.is_bool()) message += fmt::format("; {}(...) converts", name_of(wanted));
  throw_malformed(expression.span, message);
}

}  // namespace

void Scope::declare(const Name& name, const Symbol& symbol) {
  if (symbols_.emplace(name.text, symbol).second) return;
  throw_malformed(name.span, fmt::format("'{}' is declared twice", name.text));
}

const Symbol& Scope::find(const std::string& name, const SourceSpan& span) const {
  const auto found = symbols_.find(name);
  if (found == symbols_.end()) throw_malformed(span, fmt::format("'{}' is not declared", name));
  return found->second;
}

std::optional<Type> ExpressionLowering::type_of(const Expression& expression) const {
  switch (expression.kind) {
    case Expression::Kind::Number:
    case Expression::Kind::Any: return std::nullopt;
    case Expression::Kind::Truth: return Type::boolean();
    case Expression::Kind::Variable: return scope_.find(expression.name, expression.span).type;
    case Expression::Kind::Conversion: return expression.type;
    case Expression::Kind::Operation: {
      if (!gives_number(expression.op)) return Type::boolean();
      const auto left = type_of(expression.operands[0]);
      return left || expression.operands.size() == 1 ? left : type_of(expression.operands[1]);
    }
    case Expression::Kind::Conditional: {
      const auto then = type_of(expression.operands[1]);
      return then ? then : type_of(expression.operands[2]);
    }
  }
  COHORT_UNREACHABLE("every kind of expression is known");
}

ExprId ExpressionLowering::lower(const Expression& expression, const Type& wanted) {
  switch (expression.kind) {
    case Expression::Kind::Any: return pool_.nondet(wanted);
    case Expression::Kind::Truth:
      expect_type(expression, Type::boolean(), wanted);
      return pool_.boolean(expression.value != 0);
    case Expression::Kind::Number:
      if (wanted.is_bool()) throw_malformed(expression.span, "expected a Boolean, found a number");
      if (!wanted.contains(expression.value)) {
        throw_malformed(expression.span, fmt::format("{} is no value of type {}", expression.value, name_of(wanted)));
      }
      return pool_.constant(expression.value, wanted);
    case Expression::Kind::Variable: {
      const Symbol& symbol = scope_.find(expression.name, expression.span);
      expect_type(expression, symbol.type, wanted);
      return symbol.is_shared ? pool_.shared(symbol.var, symbol.type) : pool_.local(symbol.var, symbol.type);
    }
    case Expression::Kind::Conversion: {
      expect_type(expression, expression.type, wanted);
      const Type inner = type_of(expression.operands[0]).value_or(wanted);
      return pool_.unary(Op::Cast, lower(expression.operands[0], inner), wanted);
    }
    case Expression::Kind::Conditional: {
      const ExprId condition = boolean(expression.operands[0]);
      const ExprId then = lower(expression.operands[1], wanted);
      return pool_.ite(condition, then, lower(expression.operands[2], wanted));
    }
    case Expression::Kind::Operation: return lower_operation(expression, wanted);
  }
  COHORT_UNREACHABLE("every kind of expression is known");
}

ExprId ExpressionLowering::lower_operation(const Expression& expression, const Type& wanted) {
  const Op op = expression.op;
  const Expression& first = expression.operands[0];
  if (gives_number(op)) {
    if (wanted.is_bool()) throw_malformed(expression.span, "expected a Boolean, found a number");
    if (op == Op::Neg) return pool_.binary(Op::Sub, pool_.constant(0, wanted), lower(first, wanted), wanted);
    const ExprId left = lower(first, wanted);
    return pool_.binary(op, left, lower(expression.operands[1], wanted), wanted);
  }
  expect_type(expression, Type::boolean(), wanted);
  if (op == Op::Not) return pool_.negate(boolean(first));
  const Expression& second = expression.operands[1];
  if (is_connective(op)) {
    const ExprId left = boolean(first);
    return op == Op::And ? pool_.conj(left, boolean(second)) : pool_.disj(left, boolean(second));
  }
  auto type = type_of(first);
  if (!type) type = type_of(second);
  const Type operands = type.value_or(Type::fixed(32, true));
  if (operands.is_bool() && op != Op::Eq && op != Op::Ne) {
    throw_malformed(first.span, "expected a number, found a Boolean");
  }
  const ExprId left = lower(first, operands);
  return pool_.binary(op, left, lower(second, operands), Type::boolean());
}

}  // namespace cohort::frontend::scpl
