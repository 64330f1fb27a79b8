#include "convert/dot.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/diagnostics.hpp"
#include "support/example.hpp"

namespace cohort::convert {
namespace {

using testing::HasSubstr;

TEST(Dot, DrawsEveryTemplateWithItsStatements) {
  const model::Program program = test::load(test::example("peterson"));
  const std::string text = to_dot(program);
  EXPECT_THAT(text, HasSubstr("label=\"main\""));
  EXPECT_THAT(text, HasSubstr("label=\"b\""));
  EXPECT_THAT(text, HasSubstr("want_a := 1"));
  EXPECT_THAT(text, HasSubstr("peripheries=2, color=red"));
  std::size_t edges = 0;
  for (std::size_t at = text.find(" -> "); at != std::string::npos; at = text.find(" -> ", at + 1)) ++edges;
  EXPECT_EQ(edges, program.templates[0].edges.size() + program.templates[1].edges.size());
}

TEST(Dot, TakesCallsAndQuotesText) {
  const model::Program program = test::load(test::example("several_results"));
  EXPECT_THAT(to_dot(program), HasSubstr("swap"));
  model::Program odd = program;
  odd.templates[0].name = "a \"b\" \\ c";
  EXPECT_THAT(to_dot(odd), HasSubstr("label=\"a \\\"b\\\" \\\\ c\""));
}

}  // namespace
}  // namespace cohort::convert
