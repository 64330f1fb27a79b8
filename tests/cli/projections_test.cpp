#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/run_program.hpp"

namespace cohort::test {
namespace {

using ::testing::HasSubstr;

TEST(ProjectionsCommand, ListsThoseOfThePapersFirstFigure) {
  const Scratch scratch;
  const std::string file =
      scratch.write("figure1.pbmc",
                    "int a = 0, b = 1, x = 0, y = 0;\nint B[2] = {10, 11};\nprocesses 3;\nproperty y != 12;\n"
                    "process P1 { a = 1; }\nprocess P2 { B[b] = 5; }\nprocess P3 { x = B[a]; y = x + 7; }\n");
  const Outcome all = run_program({"projections", file, "--on", "y", "--steps", "4"});
  EXPECT_EQ(all.exit_code, 0) << all.err;
  for (const char* words : {"projection 1 of 2 steps", "projection 3 of 4 steps", "y = 17", "y = 18", "y = 12",
                            "projections on y up to 4 steps: 3\n"}) {
    EXPECT_THAT(all.out, HasSubstr(words));
  }
  const Outcome some = run_program({"projections", file, "--on", "y", "--steps", "4", "--most", "1"});
  EXPECT_EQ(some.exit_code, 5);
  EXPECT_THAT(some.out, HasSubstr("projections on y up to 4 steps: 1, perhaps others: more than 1\n"));
  const Outcome limit = run_program({"projections", file, "--on", "y", "--time-limit", "0"});
  EXPECT_EQ(limit.exit_code, 5) << limit.out << limit.err;
}

TEST(ProjectionsCommand, NeedsVariables) {
  const Scratch scratch;
  const std::string file = scratch.write("a.bp", "decl g; void main() begin g := 1; end");
  EXPECT_EQ(run_program({"projections", file}).exit_code, 1);
  EXPECT_EQ(run_program({"projections", file, "--on", "h"}).exit_code, 1);
  EXPECT_EQ(run_program({"projections", file, "--on", "g"}).exit_code, 0);
  EXPECT_EQ(run_program({"projections", "no such file", "--on", "g"}).exit_code, 1);
}

}  // namespace
}  // namespace cohort::test
