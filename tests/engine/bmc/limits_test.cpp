// A run that reaches its memory limit answers UNKNOWN, wherever it gets there.
#include <gtest/gtest.h>

#include "engine/bmc/bmc_engine.hpp"
#include "support/build.hpp"

namespace cohort::engine::bmc {

using namespace model;
using namespace test;
using result::Verdict;

namespace {

constexpr std::uint64_t mebibyte = std::uint64_t{1} << 20U;

// Three factors above one of a number that has two prime factors: multiplications of 64 bits that no solver refutes
// soon.
Program factors() {
  Program program;
  ExprPool& exprs = program.exprs;
  const Type type = Type::fixed(64, true);
  ExprId product = exprs.constant(1, type);
  ExprId condition = exprs.truth();
  for (const char* name : {"x", "y", "z"}) {
    const ExprId factor = exprs.shared(program.add_shared(var_of(name, type)), type);
    product = exprs.binary(Op::Mul, product, factor, type);
    const auto below = [&](Value limit) {
      return exprs.binary(Op::Lt, factor, exprs.constant(limit, type), Type::boolean());
    };
    condition = exprs.conj(condition, exprs.conj(below(1 << 20), exprs.negate(below(2))));
  }
  const ExprId number = exprs.constant(Value{1000003} * 999983, type);
  condition = exprs.conj(condition, exprs.binary(Op::Eq, product, number, Type::boolean()));
  program.add_property(
      {.kind = Property::Kind::Condition, .text = "factors", .span = {}, .condition = condition, .threads = {}});
  program.add_template(template_with("main", 1));
  program.initial = {{TemplateId(0), LocId(0), 1}};
  return program;
}

// Threads that count forever: the formula grows with every step.
Program counters() {
  Program program;
  ExprPool& exprs = program.exprs;
  const Type type = Type::fixed(32, false);
  Template templ = template_with("counter", 1);
  for (const char* name : {"x", "y"}) {
    const VarId var = program.add_shared(var_of(name, type));
    const ExprId sum = exprs.binary(Op::Add, exprs.shared(var, type), exprs.nondet(type), type);
    add_edge(templ, 0, 0, assign_action(to_shared(var), sum));
  }
  const ExprId equal =
      exprs.binary(Op::Eq, exprs.shared(VarId(std::size_t{0}), type), exprs.constant(7, type), Type::boolean());
  program.add_property(
      {.kind = Property::Kind::Condition, .text = "seven", .span = {}, .condition = equal, .threads = {}});
  program.add_template(std::move(templ));
  program.initial = {{TemplateId(0), LocId(0), 3}};
  return program;
}

result::Result check_with_little_memory(const Program& program, std::uint32_t threads, std::uint32_t depth) {
  Env env;
  env.limits.set_memory_limit(resident_memory() + 6 * mebibyte);
  EngineOptions options;
  options.bmc.depths.first = options.bmc.depths.last = depth;
  return BmcEngine().check(env, {program, threads, options});
}

}  // namespace

TEST(BmcLimits, MemoryOfTheSolver) {
  const result::Result result = check_with_little_memory(factors(), 1, 1);
  EXPECT_EQ(result.verdict, Verdict::Unknown);
  EXPECT_NE(result.reason.find("memory"), std::string::npos) << result.reason;
}

TEST(BmcLimits, MemoryOfTheFormula) {
  const result::Result result = check_with_little_memory(counters(), 3, 100'000);
  EXPECT_EQ(result.verdict, Verdict::Unknown);
  EXPECT_NE(result.reason.find("memory"), std::string::npos) << result.reason;
}

// The limit of one run is not that of the next.
TEST(BmcLimits, TheNextRunHasItsOwn) {
  check_with_little_memory(factors(), 1, 1);
  Env env;
  EngineOptions options;
  options.bmc.depths.first = options.bmc.depths.last = 2;
  EXPECT_EQ(BmcEngine().check(env, {counters(), 3, options}).verdict, Verdict::Unsafe);
}

}  // namespace cohort::engine::bmc
