// Every operation of the model's expressions as a term, against the evaluation that defines it, on random values: once
// with the values as constants, which exercises the folding, and once as unknowns that the solver fixes.
#include "smt/translator.hpp"

#include <gtest/gtest.h>

#include <random>

#include "model/eval.hpp"
#include "smt/linear.hpp"
#include "support/build.hpp"

namespace cohort::smt {

using namespace model;
using namespace test;

namespace {

const std::vector<Type>& number_types() {
  static const std::vector<Type> types{
      Type::fixed(1, false),  Type::fixed(3, true),  Type::fixed(8, false), Type::fixed(8, true), Type::fixed(32, true),
      Type::fixed(32, false), Type::fixed(64, true), Type::range(-3, 5),    Type::range(2, 9),    Type::integer()};
  return types;
}

class Case {
 public:
  explicit Case(std::uint64_t seed) : random_(seed) {
    for (std::size_t i = 0; i < 3; ++i) add_number(number_types()[below(number_types().size())]);
    program_.add_shared(bool_var("p"));
    program_.add_shared(bool_var("q"));
    values_.push_back(static_cast<Value>(below(2)));
    values_.push_back(static_cast<Value>(below(2)));
    program_.add_shared(var_of("a", Type::range(0, 9).array_of(3)));
    for (int i = 0; i < 3; ++i) values_.push_back(static_cast<Value>(below(10)));
  }

  Program& program() { return program_; }
  const Valuation& values() const { return values_; }

  ExprId boolean(unsigned depth) {
    ExprPool& exprs = program_.exprs;
    if (depth == 0) return exprs.shared(VarId(3 + below(2)), Type::boolean());
    const auto compare = [&](Op op) { return exprs.binary(op, number(depth - 1), number(depth - 1), Type::boolean()); };
    constexpr Op comparisons[] = {Op::Eq, Op::Ne, Op::Lt, Op::Le, Op::Gt, Op::Ge};
    constexpr Op connectives[] = {Op::And, Op::Or, Op::Xor, Op::Implies, Op::Eq, Op::Ne};
    switch (below(3)) {
      case 0: return compare(comparisons[below(6)]);
      case 1: return exprs.unary(Op::Not, boolean(depth - 1), Type::boolean());
      default: return exprs.binary(connectives[below(6)], boolean(depth - 1), boolean(depth - 1), Type::boolean());
    }
  }

  ExprId number(unsigned depth) {
    ExprPool& exprs = program_.exprs;
    if (depth == 0) {
      const std::size_t var = below(4);
      if (var == 3) return exprs.constant(static_cast<Value>(below(7)) - 2, Type::integer());
      return exprs.shared(VarId(var), program_.shared[var].type);
    }
    const Type type = number_types()[below(number_types().size())];
    constexpr Op arithmetic[] = {Op::Add, Op::Sub, Op::Mul, Op::Div, Op::Mod};
    constexpr Op bitwise[] = {Op::BitAnd, Op::BitOr, Op::BitXor, Op::Shl, Op::Shr};
    switch (below(bits_ ? 8 : 6)) {
      case 0: return exprs.unary(Op::Neg, number(depth - 1), type);
      case 1: return exprs.unary(Op::Cast, below(2) == 0 ? number(depth - 1) : boolean(depth - 1), type);
      case 2: return exprs.ite(boolean(depth - 1), number(depth - 1), number(depth - 1));
      case 3: return exprs.element(Op::SharedVar, VarId(std::size_t{5}), program_.shared[5].type, number(depth - 1));
      case 6: return exprs.unary(Op::BitNot, number(depth - 1), type);
      case 7: return exprs.binary(bitwise[below(5)], number(depth - 1), number(depth - 1), type);
      default: return exprs.binary(arithmetic[below(5)], number(depth - 1), number(depth - 1), type);
    }
  }

  void without_bits() { bits_ = false; }
  std::size_t below(std::size_t limit) { return static_cast<std::size_t>(random_() % limit); }

 private:
  void add_number(const Type& type) {
    program_.add_shared(var_of("x", type));
    Value value = static_cast<Value>(random_());
    if (below(2) == 0 || type.kind() == Type::Kind::Integer) value = static_cast<Value>(below(40)) - 20;
    if (type.kind() == Type::Kind::Integer && below(8) == 0) value = Value{1} << 62U;
    if (type.kind() == Type::Kind::Range) value = type.lo() + static_cast<Value>(below(type.cardinality()));
    values_.push_back(type.wrap(value));
  }

  std::mt19937_64 random_;
  Program program_;
  Valuation values_;
  bool bits_ = true;
};

struct Expected {
  Value value = 0;
  bool fault = false;
  bool overflow = false;
};

Expected evaluated(const Program& program, const Valuation& values, ExprId root) {
  EvalContext context;
  context.program = &program;
  context.shared = &values;
  const Value value = evaluate(context, root);
  const bool overflow = context.fault == FaultKind::Overflow;
  return {value, context.fault && !overflow, overflow};
}

// The translation's value and troubles in a model of its constraints.
Expected solved(Env& env, Case& one, ExprId root, Logic logic, bool known) {
  Context context;
  Numbers numbers(context, logic);
  Translator translator(one.program(), context, numbers);
  Solver solver(env, context, {logic, ""});
  SymbolicValuation values;
  for (const Variable& variable : one.program().shared) {
    for (std::uint32_t i = 0; i < variable.type.slots(); ++i) {
      const Datum constant = translator.constant(one.values()[variable.slot + i], variable.type.element());
      values.push_back(constant);
      if (known) continue;
      Term inside;
      values.back() = translator.fresh(variable.name, variable.type.element(), 0, inside);
      solver.add(inside);
      solver.add(translator.equal(values.back(), constant));
    }
  }
  Scene scene;
  scene.shared = &values;
  const Translated result = translator.translate(scene, root);
  EXPECT_EQ(solver.check(), Answer::Satisfiable) << solver.reason();
  Expected found;
  found.fault = solver.boolean_value(result.trouble.fault);
  found.overflow = solver.boolean_value(result.trouble.overflow);
  if (found.fault || found.overflow) return found;
  found.value = result.value.is_boolean ? Value{solver.boolean_value(result.value.term)}
                                        : numbers.value(solver, result.value.number);
  return found;
}

void compare(std::uint64_t seed, Logic logic, bool known, unsigned depth) {
  Env env;
  Case one(seed);
  if (logic == Logic::Integers) one.without_bits();
  const ExprId root = one.below(2) == 0 ? one.boolean(depth) : one.number(depth);
  const Expected expected = evaluated(one.program(), one.values(), root);
  const Expected found = solved(env, one, root, logic, known);
  ASSERT_EQ(found.fault, expected.fault) << "seed " << seed;
  ASSERT_EQ(found.overflow, expected.overflow) << "seed " << seed;
  if (expected.fault || expected.overflow) return;
  ASSERT_EQ(found.value, expected.value) << "seed " << seed;
}

}  // namespace

TEST(Translator, ConstantsAsBits) {
  for (unsigned seed = 0; seed < 400; ++seed) compare(seed, Logic::Bits, true, 1 + seed % 3);
}

TEST(Translator, ConstantsAsIntegers) {
  for (unsigned seed = 0; seed < 200; ++seed) compare(seed, Logic::Integers, true, 1 + seed % 3);
}

TEST(Translator, UnknownsAsBits) {
  for (unsigned seed = 1000; seed < 1200; ++seed) compare(seed, Logic::Bits, false, 1 + seed % 2);
}

TEST(Translator, UnknownsAsIntegers) {
  for (unsigned seed = 1000; seed < 1060; ++seed) compare(seed, Logic::Integers, false, 1);
}

// What counts as linear needs no bits, and wraps around as they do.
TEST(Translator, LinearUnknownsAsIntegers) {
  std::size_t compared = 0;
  std::size_t masks = 0;
  for (unsigned seed = 2000; seed < 6000 && compared < 150; ++seed) {
    Case one(seed);
    const unsigned depth = 1 + seed % 3;
    const ExprId root = one.below(2) == 0 ? one.boolean(depth) : one.number(depth);
    if (!is_linear(one.program().exprs, root)) continue;
    for_each_node(one.program().exprs, root, [&](const Expr& node, ExprId) {
      if (node.op == Op::BitAnd || node.op == Op::Shl) ++masks;
    });
    ++compared;
    const Expected expected = evaluated(one.program(), one.values(), root);
    Env env;
    const Expected found = solved(env, one, root, Logic::Integers, false);
    ASSERT_EQ(found.fault, expected.fault) << "seed " << seed;
    ASSERT_EQ(found.overflow, expected.overflow) << "seed " << seed;
    if (expected.fault || expected.overflow) continue;
    ASSERT_EQ(found.value, expected.value) << "seed " << seed;
  }
  EXPECT_GE(compared, 150U);
  EXPECT_GT(masks, 0U);
}

// Sums of a few variables of one type, so that they come around several times in both directions.
TEST(Translator, SumsComeBackByCases) {
  std::mt19937_64 random(7);
  for (unsigned round = 0; round < 200; ++round) {
    const unsigned width = 2 + round % 5;
    const bool is_signed = round % 2 == 0;
    const Type type = Type::fixed(width, is_signed);
    Context context;
    Numbers numbers(context, Logic::Integers);
    Env env;
    Solver solver(env, context, {Logic::Integers, ""});
    Number sum = numbers.constant(0);
    Value expected = 0;
    for (unsigned i = 0; i < 1 + round % 6; ++i) {
      const Value value = type.wrap(static_cast<Value>(random()));
      const Value lo = type.first();
      const auto [number, inside] = numbers.fresh("x", lo, lo + (Value{1} << width) - 1);
      solver.add(inside);
      solver.add(numbers.equal(number, numbers.constant(value)));
      const bool take = random() % 2 == 0;
      sum = take ? numbers.sub(sum, number) : numbers.add(sum, number);
      expected += take ? -value : value;
    }
    const Number kept = numbers.wrap(sum, width, is_signed);
    ASSERT_EQ(solver.check(), Answer::Satisfiable);
    ASSERT_EQ(numbers.value(solver, kept), type.wrap(expected)) << "round " << round;
    solver.add(context.negate(numbers.equal(kept, numbers.constant(type.wrap(expected)))));
    ASSERT_EQ(solver.check(), Answer::Unsatisfiable) << "round " << round;
  }
}

namespace {

// Factors of a product of two primes: easy to say, hard to find.
void ask_for_factors(Context& context, Solver& solver) {
  const Term left = context.fresh_bits("left", 96);
  const Term right = context.fresh_bits("right", 96);
  solver.add(context.less_unsigned(left, context.bits("281474976710656", 96)));
  solver.add(context.less_unsigned(right, context.bits("281474976710656", 96)));
  solver.add(context.less_unsigned(context.bits("1", 96), left));
  solver.add(context.less_unsigned(context.bits("1", 96), right));
  solver.add(context.equal(context.bit_op(Context::BitOp::Mul, left, right),
                           context.bits("19807040628566084398385987581", 96)));
}

}  // namespace

TEST(Solver, StopsAtTheTimeLimit) {
  Env env;
  env.limits.set_time_limit(0.3);
  Context context;
  Solver solver(env, context, {});
  ask_for_factors(context, solver);
  const Answer answer = solver.check();
  EXPECT_EQ(answer, Answer::Unknown);
  EXPECT_EQ(solver.reason(), "time limit of 0.3 s reached");
  EXPECT_TRUE(solver.within_budget());
  EXPECT_LT(env.limits.elapsed_seconds(), 20.0);
}

TEST(Solver, GivesUpAtItsBudget) {
  Env env;
  env.limits.set_time_limit(60);
  Context context;
  Solver solver(env, context, {});
  ask_for_factors(context, solver);
  const Term assumptions[] = {context.fresh_boolean("p")};
  for (const Budget& budget : {Budget{{}, 50U}, Budget{0.2, {}}}) {
    EXPECT_EQ(solver.check(assumptions, budget), Answer::Unknown);
    EXPECT_FALSE(solver.within_budget());
    EXPECT_LT(env.limits.elapsed_seconds(), 40.0);
  }
}

TEST(Solver, AssumptionsHoldForOneCheck) {
  Env env;
  Context context;
  Solver solver(env, context, {});
  const Term p = context.fresh_boolean("p");
  solver.add(context.negate(p));
  const Term assumptions[] = {p};
  EXPECT_EQ(solver.check(assumptions), Answer::Unsatisfiable);
  EXPECT_EQ(solver.check(), Answer::Satisfiable);
  EXPECT_FALSE(solver.boolean_value(p));
}

}  // namespace cohort::smt
