#include "convert/expr_text.hpp"

#include <fmt/format.h>

#include "base/contract.hpp"

namespace cohort::convert {

using model::Expr;
using model::ExprId;
using model::Op;

Text ExprText::operator()(ExprId id) const {
  const Expr& node = pool_[id];
  const auto arg = [&](std::size_t index) { return (*this)(node.args[index]); };
  const auto is_bool = [&](std::size_t index) { return pool_[node.args[index]].type.is_bool(); };
  switch (node.op) {
    case Op::Const: return constant(node.value, node.type);
    case Op::Nondet:
    case Op::SharedVar:
    case Op::LocalVar:
    case Op::PassiveVar: return leaf_(node, id);
    case Op::Not: return negate(arg(0));
    case Op::And: return conj(arg(0), arg(1));
    case Op::Or: return disj(arg(0), arg(1));
    case Op::Implies:
      return operators_.implies.empty() || arg(0).constant || arg(1).constant
                 ? disj(negate(arg(0)), arg(1))
                 : binary(operators_.implies, arg(0), arg(1));
    case Op::Xor: {
      const Text left = arg(0);
      const Text right = arg(1);
      if (operators_.exclusive.empty() || left.constant || right.constant) return unequal(left, right, true);
      return binary(operators_.exclusive, left, right);
    }
    case Op::Eq: return equal(arg(0), arg(1), is_bool(0));
    case Op::Ne: return unequal(arg(0), arg(1), is_bool(0));
    case Op::Lt:
    case Op::Le:
    case Op::Gt:
    case Op::Ge: return compare(node.op, arg(0), arg(1));
    case Op::Ite: return choose(arg(0), arg(1), arg(2), node.type.is_bool());
    default: COHORT_UNREACHABLE("the fragment check has refused every other operator");
  }
}

Text ExprText::constant(model::Value value, const model::Type& type) const {
  if (type.is_bool()) return boolean(value != 0);
  return {fmt::format("{}", value), value};
}

Text ExprText::boolean(bool value) const {
  return {std::string(value ? operators_.truth : operators_.falsity), value ? 1 : 0};
}

Text ExprText::negate(const Text& operand) const {
  if (operand.constant) return boolean(operand.is_false());
  // Operands are names, parenthesised, or negations; two negations in a row mean something else in Promela.
  if (operand.text.starts_with(operators_.negate)) return {operand.text.substr(operators_.negate.size()), {}};
  return {fmt::format("{}{}", operators_.negate, operand.text), {}};
}

Text ExprText::conj(const Text& left, const Text& right) const {
  if (left.is_false() || right.is_false()) return boolean(false);
  if (left.is_true()) return right;
  if (right.is_true()) return left;
  return binary(operators_.conj, left, right);
}

Text ExprText::disj(const Text& left, const Text& right) const {
  if (left.is_true() || right.is_true()) return boolean(true);
  if (left.is_false()) return right;
  if (right.is_false()) return left;
  return binary(operators_.disj, left, right);
}

Text ExprText::equal(const Text& left, const Text& right, bool is_bool) const {
  if (left.constant && right.constant) return boolean(*left.constant == *right.constant);
  if (is_bool && left.constant) return left.is_true() ? right : negate(right);
  if (is_bool && right.constant) return right.is_true() ? left : negate(left);
  return binary(operators_.equal, left, right);
}

Text ExprText::unequal(const Text& left, const Text& right, bool is_bool) const {
  if (left.constant && right.constant) return boolean(*left.constant != *right.constant);
  if (is_bool && left.constant) return left.is_true() ? negate(right) : right;
  if (is_bool && right.constant) return right.is_true() ? negate(left) : left;
  return binary(operators_.unequal, left, right);
}

Text ExprText::compare(Op op, const Text& left, const Text& right) const {
  const bool strict = op == Op::Lt || op == Op::Gt;
  const bool upward = op == Op::Lt || op == Op::Le;
  if (left.constant && right.constant) {
    if (*left.constant == *right.constant) return boolean(!strict);
    return boolean((*left.constant < *right.constant) == upward);
  }
  return binary(upward ? (strict ? "<" : "<=") : (strict ? ">" : ">="), left, right);
}

Text ExprText::choose(const Text& condition, const Text& first, const Text& second, bool is_bool) const {
  if (condition.constant) return condition.is_true() ? first : second;
  if (operators_.question.empty()) {
    COHORT_EXPECT(is_bool, "a language without conditional expressions has no integers here");
    return disj(conj(condition, first), conj(negate(condition), second));
  }
  return {
      fmt::format("({} {} {} {} {})", condition.text, operators_.question, first.text, operators_.colon, second.text),
      {}};
}

Text ExprText::binary(std::string_view spelling, const Text& left, const Text& right) const {
  return {fmt::format("({} {} {})", left.text, spelling, right.text), {}};
}

}  // namespace cohort::convert
