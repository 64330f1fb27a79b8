#include "cli/next_command.hpp"

#include <gtest/gtest.h>

namespace cohort::cli {
namespace {

TEST(NextCommand, PutsTheOptionInPlaceOfTheOneThatWasGiven) {
  EXPECT_EQ(next_command({"a.c", "--time-limit", "20"}, "--time-limit 80 gives more time"),
            "cohort verify a.c --time-limit 80   (gives more time)");
  EXPECT_EQ(next_command({"a.c", "--time-limit=20", "-v"}, "--time-limit 80 gives more time"),
            "cohort verify a.c -v --time-limit 80   (gives more time)");
  EXPECT_EQ(next_command({"-n", "4", "a.c"}, "--threads 3 is decided sooner"),
            "cohort verify a.c --threads 3   (is decided sooner)");
  EXPECT_EQ(next_command({"--unbounded", "a.c"}, "--threads 3 asks for that many threads only"),
            "cohort verify a.c --threads 3   (asks for that many threads only)");
}

TEST(NextCommand, CanBeTyped) {
  EXPECT_EQ(next_command({"my file.c", "-DX=it's", "--", "-n", "3"}, "--time-limit 4 gives more time"),
            "cohort verify 'my file.c' '-DX=it'\\''s' --time-limit 4 -- -n 3   (gives more time)");
}

TEST(NextCommand, IsNoneWithoutAnOption) {
  EXPECT_EQ(next_command({"a.c"}, ""), "");
  EXPECT_EQ(next_command({"a.c"}, "a smaller program"), "");
  EXPECT_EQ(next_command({"a.c"}, "--por"), "");
}

}  // namespace
}  // namespace cohort::cli
