#include "frontend/bp/expression.hpp"

#include "base/contract.hpp"
#include "model/passive.hpp"

namespace cohort::frontend::bp {

using model::ExprId;
using model::LValue;
using model::Op;
using model::Type;

Storage::Storage(const Program& program) {
  std::size_t shared = 0;
  for (const Declaration& declaration : program.shared) {
    LValue value;
    value.kind = declaration.is_thread_local ? LValue::Kind::Local : LValue::Kind::Shared;
    value.var = model::VarId(declaration.is_thread_local ? thread_locals_++ : shared++);
    shared_.push_back(value);
  }
}

LValue Storage::of(const Reference& reference) const {
  LValue value;
  switch (reference.kind) {
    case Reference::Kind::Shared:
      COHORT_EXPECT(reference.index < shared_.size(), "a shared variable of this program");
      return shared_[reference.index];
    case Reference::Kind::Local: value.kind = LValue::Kind::Local; break;
    case Reference::Kind::Passive:
      value.kind = LValue::Kind::Passive;
      value.templ = model::TemplateId(reference.procedure);
      break;
    default: COHORT_UNREACHABLE("only variables have storage");
  }
  value.var = model::VarId(thread_locals_ + reference.index);
  return value;
}

ExprId ExpressionLowering::lower(const Expression& expression) {
  const auto operand = [&](std::size_t index) { return lower(expression.operands.at(index)); };
  switch (expression.kind) {
    case Expression::Kind::Constant: return pool_.boolean(expression.value);
    case Expression::Kind::Nondet: return pool_.nondet(Type::boolean());
    case Expression::Kind::Variable: return lower_variable(expression);
    case Expression::Kind::Not: return pool_.negate(operand(0));
    case Expression::Kind::And:
    case Expression::Kind::Or:
    case Expression::Kind::Xor: return lower_chain(expression, 0, expression.operands.size());
    case Expression::Kind::Equal:
    case Expression::Kind::NotEqual:
    case Expression::Kind::Implies: {
      const ExprId left = operand(0);
      return combine(expression.kind, left, operand(1));
    }
    case Expression::Kind::Conditional: {
      const ExprId condition = operand(0);
      const ExprId then = operand(1);
      return pool_.ite(condition, then, operand(2));
    }
    case Expression::Kind::Schoose: {
      const ExprId must = operand(0);
      const ExprId must_not = operand(1);
      return pool_.disj(must, pool_.conj(pool_.nondet(Type::boolean()), pool_.negate(must_not)));
    }
  }
  COHORT_UNREACHABLE("every kind of expression is lowered");
}

void ExpressionLowering::lower_conjuncts(const Expression& expression, std::vector<ExprId>& conjuncts) {
  if (expression.kind != Expression::Kind::And) {
    const ExprId conjunct = lower(expression);
    if (!pool_.is_true(conjunct)) conjuncts.push_back(conjunct);
    return;
  }
  for (const Expression& operand : expression.operands) lower_conjuncts(operand, conjuncts);
}

ExprId ExpressionLowering::lower_variable(const Expression& expression) {
  const LValue place = storage_.of(expression.reference);
  switch (place.kind) {
    case LValue::Kind::Shared: return pool_.shared(place.var, Type::boolean(), expression.primed);
    case LValue::Kind::Local: return pool_.local(place.var, Type::boolean(), expression.primed);
    case LValue::Kind::Passive:
      return model::passive_variable(pool_, place.templ, place.var, Type::boolean(), expression.primed,
                                     expression.reference.number);
    case LValue::Kind::Remote: break;
  }
  COHORT_UNREACHABLE("a Boolean program has no references to threads");
}

ExprId ExpressionLowering::combine(Expression::Kind kind, ExprId left, ExprId right) {
  switch (kind) {
    case Expression::Kind::And: return pool_.conj(left, right);
    case Expression::Kind::Or: return pool_.disj(left, right);
    case Expression::Kind::Xor: return pool_.binary(Op::Xor, left, right, Type::boolean());
    case Expression::Kind::Equal: return pool_.binary(Op::Eq, left, right, Type::boolean());
    case Expression::Kind::NotEqual: return pool_.binary(Op::Ne, left, right, Type::boolean());
    case Expression::Kind::Implies: return pool_.disj(pool_.negate(left), right);
    default: COHORT_UNREACHABLE("only these kinds have two operands");
  }
}

// Halving keeps the depth of the result logarithmic in the length of the chain.
ExprId ExpressionLowering::lower_chain(const Expression& expression, std::size_t begin, std::size_t end) {
  COHORT_EXPECT(begin < end, "a chain has operands");
  if (end - begin == 1) return lower(expression.operands[begin]);
  const std::size_t middle = begin + (end - begin) / 2;
  const ExprId left = lower_chain(expression, begin, middle);
  return combine(expression.kind, left, lower_chain(expression, middle, end));
}

}  // namespace cohort::frontend::bp
