// Horn clauses: systems with and without a solution, and solutions read back as clauses that satisfy the rules.
#include "smt/horn.hpp"

#include <gtest/gtest.h>

namespace cohort::smt {

namespace {

// x and y start equal and are raised together, up to `last`, while a flag is off.
struct Pair {
  explicit Pair(Env& env) : system(env, context) {
    predicate = system.declare("pair", {false, false, true});
    const Number zero = numbers.constant(0);
    system.add({}, apply(zero, zero, context.falsity()));
  }

  Term apply(const Number& x, const Number& y, Term flag) {
    return system.apply(predicate, {Datum::of(x), Datum::of(y), Datum::boolean(flag)});
  }
  Number unknown(const std::string& name) { return numbers.fresh(name, -1'000'000'000, 1'000'000'000).first; }

  Context context;
  Numbers numbers{context, Logic::Horn};
  HornSystem system;
  std::size_t predicate = 0;
};

bool holds(const LinearLiteral& literal, const std::vector<std::int64_t>& values) {
  std::int64_t sum = 0;
  for (const auto& [argument, factor] : literal.terms) sum += factor * values[argument];
  if (literal.modulus != 0) sum = ((sum % literal.modulus) + literal.modulus) % literal.modulus;
  switch (literal.relation) {
    case LinearLiteral::Relation::AtMost: return sum <= literal.bound;
    case LinearLiteral::Relation::Equal: return sum == literal.bound;
    case LinearLiteral::Relation::Distinct: return sum != literal.bound;
  }
  return false;
}

bool holds(const std::vector<LinearClause>& clauses, const std::vector<std::int64_t>& values) {
  return std::all_of(clauses.begin(), clauses.end(), [&](const LinearClause& clause) {
    return std::any_of(clause.begin(), clause.end(), [&](const LinearLiteral& one) { return holds(one, values); });
  });
}

}  // namespace

TEST(Horn, ReadsASolutionBack) {
  for (const bool inlined : {false, true}) {
    Env env;
    Pair pair(env);
    const Number x = pair.unknown("x");
    const Number y = pair.unknown("y");
    const Term flag = pair.context.fresh_boolean("flag");
    const Number one = pair.numbers.constant(1);
    const Term before = pair.apply(x, y, flag);
    pair.system.add(std::vector{before, pair.context.negate(flag)},
                    pair.apply(pair.numbers.add(x, one), pair.numbers.add(y, one), flag));
    pair.system.add(std::vector{before}, pair.apply(x, y, pair.context.truth()));
    pair.system.add(std::vector{before, pair.context.negate(pair.numbers.equal(x, y))}, pair.context.falsity());
    ASSERT_EQ(pair.system.solve({.inline_rules = inlined}, 20), Answer::Satisfiable) << pair.system.reason();
    const std::vector<LinearClause>& found = pair.system.model(pair.predicate);
    for (std::int64_t value = 0; value < 5; ++value) {
      EXPECT_TRUE(holds(found, {value, value, 0}));
      EXPECT_TRUE(holds(found, {value, value, 1}));
      EXPECT_FALSE(holds(found, {value, value + 1, 1}));
      EXPECT_FALSE(holds(found, {value + 1, value, 0}));
    }
  }
}

TEST(Horn, SaysThatThereIsNoSolution) {
  Env env;
  Pair pair(env);
  const Number x = pair.unknown("x");
  const Number y = pair.unknown("y");
  const Term flag = pair.context.fresh_boolean("flag");
  const Term before = pair.apply(x, y, flag);
  pair.system.add(std::vector{before}, pair.apply(pair.numbers.add(x, pair.numbers.constant(1)), y, flag));
  pair.system.add(std::vector{before, pair.numbers.equal(x, pair.numbers.constant(3))}, pair.context.falsity());
  EXPECT_EQ(pair.system.solve({}, 20), Answer::Unsatisfiable);
}

// Numbers of Horn clauses: wide types have no ends, narrow ones wrap to anything, products are anything.
TEST(Horn, NumbersAreLinear) {
  Env env;
  Context context;
  Numbers numbers(context, Logic::Horn);
  const Number wide = numbers.fresh("wide", -(Wide{1} << 31U), (Wide{1} << 31U) - 1).first;
  const Number one = numbers.constant(1);
  EXPECT_EQ(numbers.wrapping(Context::BitOp::Add, wide, one, 32, true).term, numbers.add(wide, one).term);
  EXPECT_TRUE(context.is_true(numbers.take_side_conditions()));
  const Number product = numbers.mul(wide, wide);
  EXPECT_NE(product.term, wide.term);
  const Number narrow = numbers.fresh("narrow", 0, 255).first;
  const Number next = numbers.wrapping(Context::BitOp::Add, narrow, one, 8, false);
  EXPECT_EQ(next.lo, 0);
  EXPECT_EQ(next.hi, 255);
  EXPECT_FALSE(context.is_true(numbers.take_side_conditions()));
  EXPECT_EQ(numbers.bit_op(Context::BitOp::And, narrow, numbers.constant(7)).hi, 7);
  EXPECT_EQ(numbers.bit_op(Context::BitOp::Xor, narrow, narrow).hi, 255);
}

}  // namespace cohort::smt
