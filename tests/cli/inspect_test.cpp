#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/run_program.hpp"

namespace cohort::test {
namespace {

using ::testing::HasSubstr;

TEST(InspectCommand, ShowsConditionsPermutationsAndRepresentatives) {
  const Outcome outcome = run_program({"inspect", "examples/red/mcs.red", "--processes", "4"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  for (const char* words : {"  next: one, two where prev != P, three where prev != P", "  locked: four, five\n",
                            "  all of 1 2 3 4\n", "representatives of the states within 2 steps: 4 of 15\n",
                            "  6 | L=0 | 1: one next=0 prev=0 locked=0 | 2: one next=0 prev=0 locked=0 | 3: zero"}) {
    EXPECT_THAT(outcome.out, HasSubstr(words));
  }
  const Outcome ring = run_program({"inspect", "examples/red/static_ring.red", "--processes", "3", "--steps", "0"});
  EXPECT_THAT(ring.out, HasSubstr("  to 1 2 3\n"));
}

TEST(InspectCommand, TakesAlgorithmsWithPointersOnly) {
  const Outcome other = run_program({"inspect", "examples/pbmc/peterson.pbmc"});
  EXPECT_EQ(other.exit_code, 5);
  EXPECT_THAT(other.err, HasSubstr("the pointer engines take processes of one template only"));
  EXPECT_EQ(run_program({"inspect", "examples/red/mcs.red", "--steps", "x"}).exit_code, 1);
}

}  // namespace
}  // namespace cohort::test
