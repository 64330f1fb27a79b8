// What the values at each place decide before the solver is asked.
#include <gtest/gtest.h>

#include "engine/bmc/bmc_engine.hpp"
#include "support/build.hpp"

namespace cohort::engine::bmc {

using namespace model;
using namespace test;
using result::Verdict;

namespace {

// Threads that each count in a loop of three steps, on a variable of their own; the property is that no counter gets to
// `limit`.
Program counters(Value limit, bool common) {
  Program program;
  const Type type = Type::fixed(32, true);
  const VarId first = program.add_shared(var_of("a", type, {0}));
  const VarId second = program.add_shared(var_of("b", type, {0}));
  ExprPool& exprs = program.exprs;
  ExprId reached = exprs.falsity();
  for (const VarId var : {first, second}) {
    const ExprId there = exprs.binary(Op::Ge, exprs.shared(var, type), exprs.constant(limit, type), Type::boolean());
    reached = exprs.binary(Op::Or, reached, there, Type::boolean());
    Template templ = template_with("counter", 3);
    const VarId counted = common ? first : var;
    const ExprId more = exprs.binary(Op::Add, exprs.shared(counted, type), exprs.constant(1, type), type);
    add_edge(templ, 0, 1, assign_action(to_shared(counted), more));
    add_edge(templ, 1, 2, {});
    add_edge(templ, 2, 0, {});
    program.add_template(std::move(templ));
  }
  program.add_property(
      {.kind = Property::Kind::Condition, .text = "limit", .span = {}, .condition = reached, .threads = {}});
  program.initial = {{TemplateId(0), LocId(0), 1}, {TemplateId(1), LocId(0), 1}};
  return program;
}

struct Outcome {
  Verdict verdict;
  std::uint64_t checks;
};

Outcome check(const Program& program, std::uint32_t depth) {
  EngineOptions options;
  options.bmc.depths.first = options.bmc.depths.last = depth;
  Env env;
  const Verdict verdict = BmcEngine().check(env, {program, 2, options}).verdict;
  return {verdict, std::get<std::uint64_t>(*env.statistics.find("solver_checks"))};
}

}  // namespace

// 4 rounds of a loop of three steps need 10 steps; before that the solver has nothing to say.
TEST(Knowledge, CountersGrowWithTheRoundsOfTheirLoop) {
  const Program program = counters(4, false);
  EXPECT_EQ(check(program, 9).checks, 0U);
  EXPECT_EQ(check(program, 9).verdict, Verdict::Unknown);
  EXPECT_EQ(check(program, 10).verdict, Verdict::Unsafe);
}

// Where both threads count on one variable, what one knows of its own steps says nothing.
TEST(Knowledge, VariablesThatOthersWriteAreNotKnown) {
  const Program program = counters(4, true);
  EXPECT_EQ(check(program, 7).verdict, Verdict::Unknown);
  EXPECT_EQ(check(program, 8).verdict, Verdict::Unsafe);
}

}  // namespace cohort::engine::bmc
