#include "report/columns.hpp"

#include <sstream>

#include <gtest/gtest.h>

namespace cohort::report {
namespace {

std::vector<StoryLine> two_threads() {
  const auto file = std::make_shared<const SourceFile>("a.c", "");
  return {{"T0", {file, 3, 1}, "x = 1", "x = 1", false, 1, 0},
          {"T1", {file, 12, 1}, "y = x", "y = 1", true, 2, 0},
          {"T1", {file, 13, 1}, "push(&s)", "calls push", false, 3, 0},
          {"T1", {file, 5, 1}, "s->n++", "s.n = 1", false, 4, 1}};
}

TEST(Columns, EachThreadHasItsOwn) {
  EXPECT_EQ(columns_text(two_threads(), 80, false),
            "         T0                                  T1\n"
            "         ----------------------------------  ----------------------------------\n"
            "  1   3  x = 1\n"
            "           x = 1\n"
            "  2  12                                      y = x\n"
            "                                               y = 1\n"
            "  3  13                                      push(&s)\n"
            "                                               calls push\n"
            "  4   5                                        s->n++\n"
            "                                                 s.n = 1\n");
}

TEST(Columns, ThereAreNoneThatNobodyCouldRead) {
  EXPECT_EQ(columns_text(two_threads(), 60, false), "");
  EXPECT_NE(columns_text(two_threads(), 60, true), "");
  const std::vector<StoryLine> one = {two_threads().front()};
  EXPECT_EQ(columns_text(one, 200, false), "");
}

TEST(Columns, LongStatementsAreBrokenAtTheWidth) {
  std::vector<StoryLine> lines = two_threads();
  lines[0].statement = "a statement with many words that does not fit into the column of its thread at all";
  lines[1].statement = std::string(100, 'z');
  std::istringstream text(columns_text(lines, 80, false));
  for (std::string line; std::getline(text, line);) EXPECT_LE(line.size(), 80U) << line;
}

}  // namespace
}  // namespace cohort::report
