#include "model/eval.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "support/build.hpp"

namespace cohort::model {
namespace {

const Type int32 = Type::fixed(32, true);

struct Evaluator {
  Program program;
  EvalContext context;

  Evaluator() { context.program = &program; }

  ExprId number(Value value, Type type = int32) { return program.exprs.constant(value, type); }
  Value binary(Op op, Value left, Value right, Type type = int32) {
    context.fault.reset();
    return evaluate(context, program.exprs.binary(op, number(left, type), number(right, type), type));
  }
};

RC_GTEST_PROP(Evaluate, ComputesAsTheMachineDoes, (std::int32_t left, std::int32_t right)) {
  Evaluator e;
  const auto wrap = [](std::uint32_t bits) { return static_cast<std::int32_t>(bits); };
  const auto l = static_cast<std::uint32_t>(left);
  const auto r = static_cast<std::uint32_t>(right);
  RC_ASSERT(e.binary(Op::Add, left, right) == wrap(l + r));
  RC_ASSERT(e.binary(Op::Sub, left, right) == wrap(l - r));
  RC_ASSERT(e.binary(Op::Mul, left, right) == wrap(l * r));
  RC_ASSERT(e.binary(Op::BitXor, left, right) == wrap(l ^ r));
  if (right != 0 && right != -1) {
    RC_ASSERT(e.binary(Op::Div, left, right) == left / right);
    RC_ASSERT(e.binary(Op::Mod, left, right) == left % right);
  }
  const auto shift = static_cast<unsigned>(r % 32);
  RC_ASSERT(e.binary(Op::Shl, left, shift) == wrap(l << shift));
  RC_ASSERT(e.binary(Op::Shr, left, shift) == (left >> shift));
}

TEST(Evaluate, FaultsOnWhatHasNoValue) {
  Evaluator e;
  e.binary(Op::Div, 1, 0);
  EXPECT_EQ(e.context.fault, FaultKind::DivisionByZero);
  e.binary(Op::Mod, 1, 0);
  EXPECT_EQ(e.context.fault, FaultKind::DivisionByZero);
  e.binary(Op::Shl, 1, 32);
  EXPECT_EQ(e.context.fault, FaultKind::OutOfRange);
  e.binary(Op::Add, INT64_MAX, 1, Type::integer());
  EXPECT_EQ(e.context.fault, FaultKind::Overflow);
  EXPECT_EQ(e.binary(Op::Div, INT32_MIN, -1), INT32_MIN);
  EXPECT_FALSE(e.context.fault);
}

TEST(Evaluate, DoesNotLookAtWhatIsDecided) {
  Evaluator e;
  ExprPool& exprs = e.program.exprs;
  const ExprId faulty =
      exprs.binary(Op::Eq, exprs.binary(Op::Div, e.number(1), e.number(0), int32), e.number(0), Type::boolean());
  EXPECT_EQ(evaluate(e.context, exprs.binary(Op::And, exprs.falsity(), faulty, Type::boolean())), 0);
  EXPECT_EQ(evaluate(e.context, exprs.binary(Op::Or, exprs.truth(), faulty, Type::boolean())), 1);
  EXPECT_EQ(evaluate(e.context, exprs.binary(Op::Implies, exprs.falsity(), faulty, Type::boolean())), 1);
  EXPECT_FALSE(e.context.fault);
  evaluate(e.context, exprs.binary(Op::And, exprs.truth(), faulty, Type::boolean()));
  EXPECT_EQ(e.context.fault, FaultKind::DivisionByZero);
}

TEST(Evaluate, ReadsArraysWithinTheirBounds) {
  Evaluator e;
  const Type array = Type::range(0, 9).array_of(3);
  const VarId var = e.program.add_shared(test::var_of("a", array, {0}));
  const Valuation values{4, 5, 6};
  e.context.shared = &values;
  const auto read = [&](Value index) {
    e.context.fault.reset();
    return evaluate(e.context, e.program.exprs.element(Op::SharedVar, var, array, e.number(index)));
  };
  EXPECT_EQ(read(0), 4);
  EXPECT_EQ(read(2), 6);
  EXPECT_FALSE(e.context.fault);
  read(3);
  EXPECT_EQ(e.context.fault, FaultKind::IndexOutOfBounds);
  read(-1);
  EXPECT_EQ(e.context.fault, FaultKind::IndexOutOfBounds);
}

TEST(Evaluate, QuantifiesOverThreadsAlive) {
  Evaluator e;
  Template templ = test::template_with("t", 2);
  const VarId var = templ.add_local(test::bool_var("x"));
  const TemplateId id = e.program.add_template(std::move(templ));
  const auto thread = [&](std::size_t location, Value x) { return ThreadState{id, LocId(location), false, {x}}; };
  State state{{}, {thread(0, 1), std::nullopt, thread(1, 0)}};
  e.context.state = &state;
  ExprPool& exprs = e.program.exprs;
  const ExprId x = exprs.remote(exprs.bound_thread(0), id, var, Type::boolean());
  EXPECT_EQ(evaluate(e.context, exprs.quantified(Op::ExistsThread, x)), 1);
  EXPECT_EQ(evaluate(e.context, exprs.quantified(Op::ForallThread, x)), 0);
  const ExprId somewhere = exprs.disj(exprs.at_location(exprs.bound_thread(0), id, LocId(0)),
                                      exprs.at_location(exprs.bound_thread(0), id, LocId(1)));
  EXPECT_EQ(evaluate(e.context, exprs.quantified(Op::ForallThread, somewhere)), 1);
  EXPECT_FALSE(e.context.fault);
}

}  // namespace
}  // namespace cohort::model
