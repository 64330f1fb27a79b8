#include "convert/expr_text.hpp"

#include <gtest/gtest.h>

namespace cohort::convert {
namespace {

using model::ExprId;
using model::Op;
using model::Type;
using model::VarId;

constexpr Operators c_like;

class ExprTextTest : public testing::Test {
 protected:
  std::string text(ExprId id) const {
    const ExprText writer(pool_, c_like, [](const model::Expr& node, ExprId) {
      return Text{std::string(1, static_cast<char>('a' + node.var.value)), {}};
    });
    return writer(id).text;
  }

  model::ExprPool pool_;
  ExprId a_ = pool_.shared(VarId(0), Type::boolean());
  ExprId b_ = pool_.shared(VarId(1), Type::boolean());
};

TEST_F(ExprTextTest, Parenthesises) {
  const ExprId both = pool_.conj(a_, pool_.negate(b_));
  EXPECT_EQ(text(pool_.binary(Op::Or, both, b_, Type::boolean())), "((a && !b) || b)");
}

TEST_F(ExprTextTest, SpellsWhatTheLanguageLacks) {
  EXPECT_EQ(text(pool_.binary(Op::Implies, a_, b_, Type::boolean())), "(!a || b)");
  EXPECT_EQ(text(pool_.binary(Op::Xor, a_, b_, Type::boolean())), "(a != b)");
  EXPECT_EQ(text(pool_.ite(a_, b_, pool_.negate(b_))), "(a ? b : !b)");
}

TEST_F(ExprTextTest, NeverNegatesTwice) {
  const ExprId not_a = pool_.unary(Op::Not, a_, Type::boolean());
  EXPECT_EQ(text(pool_.unary(Op::Not, not_a, Type::boolean())), "a");
  EXPECT_EQ(text(pool_.binary(Op::Implies, not_a, b_, Type::boolean())), "(a || b)");
}

TEST_F(ExprTextTest, FoldsConstants) {
  const ExprId one = pool_.truth();
  const ExprId zero = pool_.falsity();
  EXPECT_EQ(text(pool_.binary(Op::And, a_, zero, Type::boolean())), "false");
  EXPECT_EQ(text(pool_.binary(Op::Or, zero, b_, Type::boolean())), "b");
  EXPECT_EQ(text(pool_.binary(Op::Eq, a_, zero, Type::boolean())), "!a");
  EXPECT_EQ(text(pool_.binary(Op::Ne, one, b_, Type::boolean())), "!b");
  EXPECT_EQ(text(pool_.binary(Op::Implies, zero, b_, Type::boolean())), "true");
  EXPECT_EQ(text(pool_.ite(zero, a_, b_)), "b");
}

TEST_F(ExprTextTest, ComparesIntegers) {
  const Type range = Type::range(0, 9);
  const ExprId x = pool_.shared(VarId(2), range);
  const auto compared = [&](Op op, ExprId left, ExprId right) {
    return text(pool_.binary(op, left, right, Type::boolean()));
  };
  EXPECT_EQ(compared(Op::Lt, x, pool_.constant(3, range)), "(c < 3)");
  EXPECT_EQ(compared(Op::Ge, pool_.constant(3, range), pool_.constant(3, range)), "true");
  EXPECT_EQ(compared(Op::Gt, pool_.constant(3, range), pool_.constant(3, range)), "false");
  EXPECT_EQ(compared(Op::Le, pool_.constant(4, range), pool_.constant(3, range)), "false");
  // An integer constant is no truth value: nothing may be folded into a negation.
  EXPECT_EQ(compared(Op::Eq, x, pool_.constant(0, range)), "(c == 0)");
}

}  // namespace
}  // namespace cohort::convert
