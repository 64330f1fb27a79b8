#include "frontend/pbmc/expression.hpp"

#include <optional>

#include <fmt/core.h>

#include "base/contract.hpp"

namespace cohort::frontend::pbmc {

using model::ExprId;
using model::LValue;
using model::Op;
using model::Type;
using model::Value;

namespace {

bool takes_numbers(Op op) {
  return op != Op::Not && op != Op::And && op != Op::Or && op != Op::Implies && op != Op::Eq && op != Op::Ne;
}

bool gives_number(Op op) {
  return op == Op::Add || op == Op::Sub || op == Op::Mul || op == Op::Div || op == Op::Mod || op == Op::Neg;
}

// As the interpreter computes it; none where it would fault or leave 64 bits.
std::optional<Value> fold(Op op, Value left, Value right) {
  Value result = 0;
  bool overflow = false;
  switch (op) {
    case Op::Add: overflow = __builtin_add_overflow(left, right, &result); break;
    case Op::Sub: overflow = __builtin_sub_overflow(left, right, &result); break;
    case Op::Mul: overflow = __builtin_mul_overflow(left, right, &result); break;
    case Op::Div:
    case Op::Mod:
      if (right == 0 || right == -1) return std::nullopt;
      result = op == Op::Div ? left / right : left % right;
      break;
    default: COHORT_UNREACHABLE("an arithmetic operator");
  }
  return overflow ? std::nullopt : std::optional(result);
}

bool compare(Op op, Value left, Value right) {
  switch (op) {
    case Op::Eq: return left == right;
    case Op::Ne: return left != right;
    case Op::Lt: return left < right;
    case Op::Le: return left <= right;
    case Op::Gt: return left > right;
    case Op::Ge: return left >= right;
    default: COHORT_UNREACHABLE("a comparison");
  }
}

}  // namespace

Value ExpressionLowering::constant(const Expression& expression, bool wants_bool, std::string_view what) {
  const ExprId id = lower(expression, wants_bool);
  if (pool_[id].op != Op::Const) {
    throw_malformed(expression.span, fmt::format("{} is made of constants only", what));
  }
  return pool_[id].value;
}

const Symbol& ExpressionLowering::variable(const Name& name) const {
  const Symbol& symbol = scope_.find(name.text, name.span);
  if (symbol.kind == Symbol::Kind::Constant) {
    throw_malformed(name.span, fmt::format("'{}' is a constant and cannot be assigned", name.text));
  }
  return symbol;
}

LValue ExpressionLowering::target(const Target& target) {
  const Symbol& symbol = variable(target.name);
  if (symbol.type.is_array() != target.index.has_value()) {
    const std::string& name = target.name.text;
    throw_malformed(target.name.span,
                    target.index
                        ? fmt::format("'{}' is no array and has no elements", name)
                        : fmt::format("'{}' is an array; one of its elements can be assigned, not the whole", name));
  }
  LValue result;
  result.kind = symbol.kind == Symbol::Kind::Shared ? LValue::Kind::Shared : LValue::Kind::Local;
  result.var = symbol.var;
  if (target.index) result.index = number(*target.index);
  return result;
}

Sight::Copy ExpressionLowering::copy(const Expression& seen) {
  return {seen.name, seen.numbered ? constant(seen.operands[0], false, "the number of a process") : 0};
}

const Symbol& ExpressionLowering::seen(const Expression& expression) {
  if (sight_ == nullptr) {
    throw_malformed(expression.span, "only properties and 'assume' in the header speak of other processes");
  }
  return sight_->find(copy(expression), expression);
}

bool ExpressionLowering::is_boolean(const Expression& expression) {
  switch (expression.kind) {
    case Expression::Kind::Truth:
    case Expression::Kind::At: return true;
    case Expression::Kind::Remote: return seen(expression).type.element().is_bool();
    case Expression::Kind::Number:
    case Expression::Kind::Any:
    case Expression::Kind::Choose: return false;
    case Expression::Kind::Variable: return scope_.find(expression.name, expression.span).type.element().is_bool();
    case Expression::Kind::Operation: return !gives_number(expression.op);
    case Expression::Kind::Conditional: return is_boolean(expression.operands[1]) || is_boolean(expression.operands[2]);
  }
  COHORT_UNREACHABLE("every expression has a type");
}

ExprId ExpressionLowering::lower(const Expression& expression, bool wants_bool) {
  const bool is_choice = expression.kind == Expression::Kind::Any || expression.kind == Expression::Kind::Choose;
  if (is_choice && !choices_) throw_malformed(expression.span, "nothing can be chosen here; only statements choose");
  if (expression.kind == Expression::Kind::Any) return pool_.nondet(wants_bool ? Type::boolean() : Type::integer());
  if (expression.kind == Expression::Kind::Conditional) {
    const ExprId condition = boolean(expression.operands[0]);
    const ExprId then = lower(expression.operands[1], wants_bool);
    const ExprId otherwise = lower(expression.operands[2], wants_bool);
    if (pool_[condition].op == Op::Const) return pool_.is_true(condition) ? then : otherwise;
    return pool_.ite(condition, then, otherwise);
  }
  if (is_boolean(expression) != wants_bool) {
    throw_malformed(expression.span,
                    wants_bool ? "expected a Boolean, found a number" : "expected a number, found a Boolean");
  }
  switch (expression.kind) {
    case Expression::Kind::Number: return pool_.constant(expression.value, Type::integer());
    case Expression::Kind::Truth: return pool_.boolean(expression.value != 0);
    case Expression::Kind::Choose: return lower_choose(expression);
    case Expression::Kind::Variable: return lower_variable(expression);
    case Expression::Kind::Remote:
    case Expression::Kind::At: return lower_seen(expression);
    default: return lower_operation(expression);
  }
}

ExprId ExpressionLowering::lower_variable(const Expression& expression) {
  const Symbol& symbol = scope_.find(expression.name, expression.span);
  const bool indexed = !expression.operands.empty();
  if (symbol.type.is_array() != indexed) {
    throw_malformed(expression.span,
                    indexed ? fmt::format("'{}' is no array and has no elements", expression.name)
                            : fmt::format("'{}' is an array; expected '[' and an index behind it", expression.name));
  }
  if (symbol.kind == Symbol::Kind::Constant) return pool_.constant(symbol.value, symbol.type);
  const Op op = symbol.kind == Symbol::Kind::Shared ? Op::SharedVar : Op::LocalVar;
  if (indexed) return pool_.element(op, symbol.var, symbol.type, number(expression.operands[0]));
  return op == Op::SharedVar ? pool_.shared(symbol.var, symbol.type) : pool_.local(symbol.var, symbol.type);
}

ExprId ExpressionLowering::lower_seen(const Expression& expression) {
  const Symbol& symbol = seen(expression);
  const bool indexed = expression.operands.size() > (expression.numbered ? 1U : 0U);
  if (symbol.type.is_array() != indexed) {
    throw_malformed(expression.span,
                    indexed ? fmt::format("'{}' is no array and has no elements", expression.member)
                            : fmt::format("'{}' is an array; expected '[' and an index behind it", expression.member));
  }
  if (!indexed) return pool_.shared(symbol.var, symbol.type);
  return pool_.element(Op::SharedVar, symbol.var, symbol.type, number(expression.operands.back()));
}

ExprId ExpressionLowering::lower_choose(const Expression& expression) {
  const Value lo = constant(expression.operands[0], false, "a bound of 'choose'");
  const Value hi = constant(expression.operands[1], false, "a bound of 'choose'");
  if (lo > hi) throw_malformed(expression.span, fmt::format("there is nothing to choose from {} to {}", lo, hi));
  return pool_.nondet(Type::range(lo, hi));
}

ExprId ExpressionLowering::lower_operation(const Expression& expression) {
  const Op op = expression.op;
  if (op == Op::Eq || op == Op::Ne) {
    const bool booleans = is_boolean(expression.operands[0]) || is_boolean(expression.operands[1]);
    const ExprId left = lower(expression.operands[0], booleans);
    return comparison(op, left, lower(expression.operands[1], booleans));
  }
  const bool wants_bool = !takes_numbers(op);
  const ExprId left = lower(expression.operands[0], wants_bool);
  if (op == Op::Not) return pool_.negate(left);
  if (op == Op::Neg) return arithmetic(Op::Sub, pool_.constant(0, Type::integer()), left);
  const ExprId right = lower(expression.operands[1], wants_bool);
  switch (op) {
    case Op::And: return pool_.conj(left, right);
    case Op::Or: return pool_.disj(left, right);
    case Op::Implies: return pool_.disj(pool_.negate(left), right);
    default: return gives_number(op) ? arithmetic(op, left, right) : comparison(op, left, right);
  }
}

ExprId ExpressionLowering::arithmetic(Op op, ExprId left, ExprId right) {
  if (pool_[left].op == Op::Const && pool_[right].op == Op::Const) {
    if (const auto folded = fold(op, pool_[left].value, pool_[right].value)) {
      return pool_.constant(*folded, Type::integer());
    }
  }
  return pool_.binary(op, left, right, Type::integer());
}

ExprId ExpressionLowering::comparison(Op op, ExprId left, ExprId right) {
  if (pool_[left].op == Op::Const && pool_[right].op == Op::Const) {
    return pool_.boolean(compare(op, pool_[left].value, pool_[right].value));
  }
  return pool_.binary(op, left, right, Type::boolean());
}

}  // namespace cohort::frontend::pbmc
