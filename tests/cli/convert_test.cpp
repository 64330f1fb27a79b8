#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/run_program.hpp"

namespace cohort::test {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

class Convert : public ::testing::Test {
 protected:
  Outcome convert(const std::string& output, const std::vector<std::string>& more = {}) const {
    std::vector<std::string> arguments = {"convert", file_, "-o", scratch_.path(output)};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run_program(arguments);
  }

  Scratch scratch_;
  std::string file_ = scratch_.write("unsafe.bp", unsafe_program);
};

TEST_F(Convert, WritesWhatTheEndingSays) {
  EXPECT_EQ(convert("a.m", {"--threads", "2"}).exit_code, 0);
  EXPECT_THAT(read_whole(scratch_.path("a.m")), HasSubstr("scalarset"));
  EXPECT_EQ(convert("a.pml", {"--threads", "2"}).exit_code, 0);
  EXPECT_THAT(read_whole(scratch_.path("a.pml")), HasSubstr("proctype"));
  EXPECT_EQ(convert("a.dot").exit_code, 0);
  EXPECT_THAT(read_whole(scratch_.path("a.dot")), HasSubstr("digraph"));
}

TEST_F(Convert, TheBooleanProgramHasTheSameVerdict) {
  EXPECT_EQ(convert("copy.bp").exit_code, 0);
  EXPECT_EQ(run_program({"verify", scratch_.path("copy.bp"), "-n", "2"}).exit_code, 10);
  EXPECT_EQ(run_program({"verify", scratch_.path("copy.bp"), "-n", "1"}).exit_code, 0);
}

TEST_F(Convert, DeterminizeLeavesNoChoice) {
  const std::string file =
      scratch_.write("choice.bp", "decl x := 0;\nvoid main() begin\n  x := *;\n  assert(x);\nend\n");
  int unsafe = 0;
  for (int seed = 1; seed <= 16; ++seed) {
    const Outcome outcome = run_program({"verify", file, "-n", "1", "--determinize", std::to_string(seed)});
    EXPECT_TRUE(outcome.exit_code == 0 || outcome.exit_code == 10);
    unsafe += outcome.exit_code == 10 ? 1 : 0;
  }
  EXPECT_GT(unsafe, 0);
  EXPECT_LT(unsafe, 16);
}

TEST_F(Convert, BadUsageIsOne) {
  EXPECT_EQ(convert("a.m").exit_code, 1);
  EXPECT_EQ(convert("a.dot", {"--threads", "2"}).exit_code, 1);
  EXPECT_EQ(convert("a.xyz").exit_code, 1);
  EXPECT_EQ(convert("no/such/folder.dot").exit_code, 1);
  EXPECT_EQ(run_program({"convert", file_}).exit_code, 1);
  EXPECT_THAT(convert("a.m").out, IsEmpty());
}

}  // namespace
}  // namespace cohort::test
