#include "lp/linear_program.hpp"

#include <gtest/gtest.h>

namespace cohort::lp {
namespace {

TEST(LinearProgram, FindsTheCheapestSolution) {
  // minimise x + y  subject to  x + 2y >= 4, x - y >= 0, and then x - y >= 4.
  LinearProgram program(2, {{.entries = {{0, 1}, {1, 1}}, .cost = 1}, {.entries = {{0, 2}, {1, -1}}, .cost = 1}});
  program.set_bound(0, 4);
  Env env;
  ASSERT_EQ(program.solve(env, 10), LinearProgram::Outcome::Solved);
  EXPECT_NEAR(program.objective(), 8.0 / 3, 1e-9) << "x = y = 4/3";
  program.set_bound(1, 4);
  ASSERT_EQ(program.solve(env, 10), LinearProgram::Outcome::Solved);
  EXPECT_NEAR(program.objective(), 4, 1e-9);
}

TEST(LinearProgram, ShowsWhyThereIsNoSolution) {
  // x - y >= 1 and y - x >= 0.
  LinearProgram program(2, {{.entries = {{0, 1}, {1, -1}}, .cost = 1}, {.entries = {{0, -1}, {1, 1}}, .cost = 1}});
  program.set_bound(0, 1);
  Env env;
  ASSERT_EQ(program.solve(env, 10), LinearProgram::Outcome::Infeasible);
  const std::vector<double> ray = program.ray();
  ASSERT_EQ(ray.size(), 2u);
  EXPECT_GT(ray[0], 0);
  EXPECT_NEAR(ray[0], ray[1], 1e-9);
}

TEST(LinearProgram, TakesFurtherRows) {
  LinearProgram program(1, {{.entries = {{0, 1}}, .cost = 1}});
  program.set_bound(0, 1);
  Env env;
  ASSERT_EQ(program.solve(env, 10), LinearProgram::Outcome::Solved);
  const Entry entry{0, -1};
  EXPECT_EQ(program.add_row({&entry, 1}, 0), 1u);
  EXPECT_EQ(program.solve(env, 10), LinearProgram::Outcome::Infeasible);
}

TEST(LinearProgram, StopsAtTheLimitsOfTheRun) {
  LinearProgram program(1, {{.entries = {{0, 1}}, .cost = 1}});
  std::atomic<bool> interrupted = true;
  Env env;
  env.limits.set_interrupt_flag(&interrupted);
  EXPECT_EQ(program.solve(env, 10), LinearProgram::Outcome::Stopped);
}

}  // namespace
}  // namespace cohort::lp
