#include "convert/state_graph.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/source.hpp"
#include "support/example.hpp"

namespace cohort::convert {
namespace {

using ::testing::HasSubstr;

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

TEST(StateGraph, HasEveryStateOnceUpToTheOrderOfThreads) {
  const std::string one = to_state_graph(test::load_flat(test::example("test_and_set")), 1);
  const std::string two = to_state_graph(test::load_flat(test::example("test_and_set")), 2);
  EXPECT_GT(count(two, " [label="), count(one, " [label="));
  EXPECT_GE(count(one, "style=bold"), 1U);
  EXPECT_EQ(count(two, "color=red"), 0U);
  EXPECT_THAT(one, testing::StartsWith("digraph states {\n"));
}

TEST(StateGraph, MarksViolations) {
  const std::string text = to_state_graph(test::load_flat(test::example("test_then_set")), 2);
  EXPECT_GE(count(text, "peripheries=2, color=red"), 1U);
}

TEST(StateGraph, RefusesWhatNobodyCouldLookAt) {
  try {
    to_state_graph(test::load_flat(test::example("readers_writers")), 6);
    FAIL() << "it was drawn";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("more than 2000 states"));
  }
}

}  // namespace
}  // namespace cohort::convert
