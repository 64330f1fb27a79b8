#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/run_program.hpp"

namespace cohort::test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* counter = "examples/scpl/inc_cas.scpl";

TEST(Invariants, AreFactsOfEachLocation) {
  const Outcome outcome = run_program({"invariants", counter});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  // After the compare-and-swap the counter is greater than what was read, and stays so.
  EXPECT_THAT(outcome.out, HasSubstr("  l <= v - 1\n"));
  // What the type says by itself is not repeated.
  EXPECT_THAT(outcome.out, Not(HasSubstr("v >= 0\n")));
}

TEST(Invariants, OfTwoThreadsNameThem) {
  const Outcome outcome = run_program({"invariants", counter, "--in-view", "2"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr(" | "));
  EXPECT_THAT(outcome.out, HasSubstr("l#2 <= v - 1\n"));
}

TEST(Invariants, SayWhyThereAreNone) {
  const Outcome limit = run_program({"invariants", counter, "--time-limit", "0"});
  EXPECT_EQ(limit.exit_code, 5);
  EXPECT_THAT(limit.out, HasSubstr("time limit"));
  EXPECT_EQ(run_program({"invariants", counter, "--in-view", "9"}).exit_code, 1);
  EXPECT_EQ(run_program({"invariants", "no such file"}).exit_code, 1);
}

}  // namespace
}  // namespace cohort::test
