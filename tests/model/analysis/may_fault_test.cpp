#include "model/analysis/may_fault.hpp"

#include <random>

#include <gtest/gtest.h>

#include "model/eval.hpp"
#include "support/build.hpp"

namespace cohort::model {
namespace {

using test::assign_action;
using test::template_with;
using test::to_local;
using test::to_shared;
using test::var_of;

const Type int8 = Type::fixed(8, true);

// Expressions of one type over constants that like to go wrong.
class RandomExpressions {
 public:
  RandomExpressions(ExprPool& exprs, unsigned seed) : exprs_(exprs), random_(seed) {}

  ExprId make(const Type& type, int depth) {
    constexpr Value values[] = {0, 1, -1, 7, 100, INT64_MAX, INT64_MIN};
    if (depth == 0) return exprs_.constant(type.wrap(values[random_() % 7]), type);
    constexpr Op ops[] = {Op::Add, Op::Sub, Op::Mul, Op::Div, Op::Mod, Op::Shl, Op::Shr, Op::BitAnd};
    switch (random_() % 4) {
      case 0: return exprs_.unary(Op::Neg, make(type, depth - 1), type);
      case 1: return exprs_.ite(condition(type, depth - 1), make(type, depth - 1), make(type, depth - 1));
      default: break;
    }
    const ExprId left = make(type, depth - 1);
    return exprs_.binary(ops[random_() % 8], left, make(type, depth - 1), type);
  }

 private:
  ExprId condition(const Type& type, int depth) {
    const ExprId left = make(type, depth);
    return exprs_.binary(Op::Lt, left, make(type, depth), Type::boolean());
  }

  ExprPool& exprs_;
  std::mt19937 random_;
};

TEST(MayFault, IsTrueOfWhateverFaults) {
  std::size_t faults = 0;
  std::size_t harmless = 0;
  for (unsigned seed = 0; seed < 3000; ++seed) {
    Program program;
    const Type type = seed % 2 == 0 ? int8 : Type::integer();
    const ExprId root = RandomExpressions(program.exprs, seed).make(type, 1 + static_cast<int>(seed % 4));
    EvalContext context;
    context.program = &program;
    evaluate(context, root);
    if (context.fault) {
      ++faults;
      EXPECT_TRUE(may_fault(program.exprs, root)) << "seed " << seed;
    }
    if (!may_fault(program.exprs, root)) ++harmless;
  }
  EXPECT_GT(faults, 100U);
  EXPECT_GT(harmless, 100U) << "it does not say so of everything";
}

TEST(MayFault, KnowsThatWrappingArithmeticDoesNot) {
  Program program;
  ExprPool& exprs = program.exprs;
  const ExprId one = exprs.constant(1, int8);
  EXPECT_FALSE(may_fault(exprs, exprs.binary(Op::Add, one, one, int8)));
  EXPECT_FALSE(may_fault(exprs, exprs.unary(Op::Neg, one, int8)));
  const ExprId whole = exprs.constant(1, Type::integer());
  EXPECT_TRUE(may_fault(exprs, exprs.binary(Op::Add, whole, whole, Type::integer())));
  EXPECT_TRUE(may_fault(exprs, exprs.binary(Op::Div, one, one, int8)));
}

TEST(MayFault, DependsOnWhetherNamedThreadsExist) {
  Program program;
  Template templ = template_with("t", 1);
  const VarId local = templ.add_local(var_of("l", int8));
  const TemplateId id = program.add_template(std::move(templ));
  ExprPool& exprs = program.exprs;
  const auto read = [&](ExprId reference) { return exprs.remote(reference, id, local, int8); };
  const ExprId named = read(exprs.constant(2, Type::thread_ref()));
  const ExprId null = read(exprs.constant(0, Type::thread_ref()));
  EXPECT_TRUE(may_fault(exprs, named));
  EXPECT_FALSE(may_fault(exprs, named, NamedThreads::Exist));
  EXPECT_TRUE(may_fault(exprs, null, NamedThreads::Exist));
  const ExprId computed = exprs.unary(Op::Cast, exprs.constant(2, int8), Type::thread_ref());
  EXPECT_TRUE(may_fault(exprs, read(computed), NamedThreads::Exist));
}

TEST(MayFault, LooksAtTheRangeOfWhatIsWritten) {
  Program program;
  const VarId narrow = program.add_shared(var_of("narrow", Type::range(0, 3), {0}));
  Template templ = template_with("t", 2);
  const VarId byte = templ.add_local(var_of("byte", int8, {0}));
  ExprPool& exprs = program.exprs;
  const auto store = [&](LValue target, ExprId value) {
    return may_fault(program, templ, assign_action(target, value));
  };
  EXPECT_FALSE(store(to_shared(narrow), exprs.constant(3, int8)));
  EXPECT_TRUE(store(to_shared(narrow), exprs.constant(4, int8)));
  EXPECT_TRUE(store(to_shared(narrow), exprs.local(byte, int8)));
  EXPECT_FALSE(store(to_shared(narrow), exprs.shared(narrow, Type::range(0, 3))));
  EXPECT_FALSE(store(to_local(byte), exprs.constant(100, int8)));
}

}  // namespace
}  // namespace cohort::model
