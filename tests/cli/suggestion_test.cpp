#include "cli/suggestion.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/run_program.hpp"

namespace cohort::test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

TEST(Nearest, IsTheWordWithTheFewestChanges) {
  const std::vector<std::string> known = {"--threads", "--time-limit", "--trace", "--target"};
  EXPECT_EQ(cli::nearest("--thread", known), "--threads");
  EXPECT_EQ(cli::nearest("--tiem-limit", known), "--time-limit");
  EXPECT_EQ(cli::nearest("--tace", known), "--trace");
  EXPECT_EQ(cli::nearest("--tim", known), "--time-limit");
  EXPECT_EQ(cli::nearest("--xy", known), "");
  EXPECT_EQ(cli::nearest("--something-else", known), "");
  EXPECT_EQ(cli::nearest("", known), "");
  EXPECT_EQ(cli::nearest(std::string(100'000, 'x'), known), "");
}

TEST(Nearest, IsOfferedForCommandsAndOptions) {
  const Outcome command = run_program({"verfiy", "x.bp"});
  EXPECT_EQ(command.exit_code, 1);
  EXPECT_THAT(command.err, HasSubstr("Did you mean verify?"));
  const Outcome option = run_program({"verify", "x.bp", "--thread=3"});
  EXPECT_EQ(option.exit_code, 1);
  EXPECT_THAT(option.err, HasSubstr("There is no option --thread. Did you mean --threads?"));
  EXPECT_THAT(run_program({"verify", "x.bp", "--zzzzzzzz"}).err, Not(HasSubstr("Did you mean")));
  EXPECT_THAT(run_program({}).err, Not(HasSubstr("Did you mean")));
}

}  // namespace
}  // namespace cohort::test
