#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "cli/run_program.hpp"

namespace cohort::test {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

class BmcOptions : public ::testing::Test {
 protected:
  Outcome verify(std::vector<std::string> options) const {
    std::vector<std::string> words{"verify", scratch_.write("unsafe.bp", unsafe_program), "--threads", "2", "--engine",
                                   "bmc"};
    words.insert(words.end(), options.begin(), options.end());
    return run_program(words);
  }

  Scratch scratch_;
};

TEST_F(BmcOptions, GrowingDepthFindsTheViolation) {
  for (const auto& options : std::vector<std::vector<std::string>>{{},
                                                                   {"--depth", "1..20"},
                                                                   {"--no-projection"},
                                                                   {"--projection", "off"},
                                                                   {"--projection", "always"},
                                                                   {"--projection", "when-hard"},
                                                                   {"--grow-contexts"},
                                                                   {"--mpor"},
                                                                   {"--int", "math"},
                                                                   {"--contexts", "6"}}) {
    EXPECT_EQ(verify(options).exit_code, 10);
  }
}

TEST_F(BmcOptions, SaysHowFarItLooked) {
  const Outcome outcome = verify({"--depth", "1", "--no-simplify", "--stats"});
  EXPECT_EQ(outcome.exit_code, 5);
  EXPECT_EQ(outcome.first_line(), "UNKNOWN for up to 2 threads: no violation up to depth 1");
  EXPECT_THAT(outcome.out, HasSubstr("build_seconds: "));
  EXPECT_THAT(outcome.out, HasSubstr("solve_seconds: "));
}

TEST_F(BmcOptions, RefusesDepthsThatAreNone) {
  for (const char* depth : {"x", "3..1", "..", "-1", "2..", "99999999999"}) {
    EXPECT_EQ(verify({"--depth", depth}).exit_code, 1) << depth;
  }
}

TEST_F(BmcOptions, WritesTheFormula) {
  const std::filesystem::path file = scratch_.write("formulas.txt", "");
  const std::filesystem::path folder = file.parent_path() / "formulas";
  std::filesystem::create_directory(folder);
  verify({"--depth", "2", "--smt-dump", folder.string()});
  std::ifstream formula(folder / "check-000.smt2");
  const std::string text((std::istreambuf_iterator<char>(formula)), std::istreambuf_iterator<char>());
  EXPECT_THAT(text, StartsWith("; cohort: check 0\n"));
  EXPECT_THAT(text, HasSubstr("(check-sat)"));
  EXPECT_EQ(verify({"--depth", "2", "--smt-dump", (folder / "missing").string()}).exit_code, 2);
}

}  // namespace
}  // namespace cohort::test
