// The solver's own state: what a restart keeps, and what a pop takes back.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/env.hpp"
#include "smt/solver.hpp"

namespace cohort::smt {

namespace {

// No way to put `count` + 1 pigeons into `count` holes; in[p][h]: pigeon p sits in hole h.
std::vector<std::vector<Term>> add_pigeons(Context& context, Solver& solver, std::size_t count) {
  std::vector<std::vector<Term>> in(count + 1);
  for (std::size_t pigeon = 0; pigeon <= count; ++pigeon) {
    for (std::size_t hole = 0; hole < count; ++hole) in[pigeon].push_back(context.fresh_boolean("in"));
    solver.add(context.disj(in[pigeon]));
  }
  for (std::size_t hole = 0; hole < count; ++hole) {
    std::vector<Term> here;
    for (const auto& pigeon : in) here.push_back(pigeon[hole]);
    solver.add(context.at_most_one(here));
  }
  return in;
}

}  // namespace

TEST(Solver, ARestartKeepsAllAssertions) {
  Env env;
  Context context;
  Solver solver(env, context, {});
  add_pigeons(context, solver, 6);
  EXPECT_EQ(solver.check({}, {.seconds = {}, .conflicts = 1}), Answer::Unknown);
  EXPECT_FALSE(solver.within_budget());
  solver.restart();
  EXPECT_EQ(solver.check(), Answer::Unsatisfiable);  // the budget of the check before is gone, too
}

TEST(Solver, ARestartedSolverTakesAssertionsAndAssumptions) {
  Env env;
  Context context;
  Solver solver(env, context, {});
  const Term left = context.fresh_boolean("left");
  const Term right = context.fresh_boolean("right");
  solver.add(context.disj(left, right));
  ASSERT_EQ(solver.check(), Answer::Satisfiable);
  solver.restart();
  solver.add(context.negate(left));
  ASSERT_EQ(solver.check(), Answer::Satisfiable);
  EXPECT_FALSE(solver.boolean_value(left));
  EXPECT_TRUE(solver.boolean_value(right));
  solver.restart();
  const Term assumptions[] = {context.negate(right)};
  EXPECT_EQ(solver.check(assumptions), Answer::Unsatisfiable);
  EXPECT_EQ(solver.check(), Answer::Satisfiable);
}

TEST(Solver, WhatIsPoppedDoesNotComeBackWithARestart) {
  Env env;
  Context context;
  Solver solver(env, context, {});
  const Term one = context.fresh_boolean("one");
  solver.push();
  solver.add(one);
  solver.add(context.negate(one));
  EXPECT_EQ(solver.check(), Answer::Unsatisfiable);
  solver.pop();
  solver.restart();
  EXPECT_EQ(solver.check(), Answer::Satisfiable);
}

}  // namespace cohort::smt
