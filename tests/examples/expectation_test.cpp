// Every example does what its header says, judged by brute force over the interpreter.
#include <gtest/gtest.h>

#include <set>

#include "support/example.hpp"
#include "support/explore.hpp"

namespace cohort::test {
namespace {

constexpr std::size_t enough_states = 200'000;

// (shared valuation, thread) pairs of all reachable states.
std::set<std::pair<model::Valuation, model::ThreadState>> thread_states(const Exploration& exploration) {
  std::set<std::pair<model::Valuation, model::ThreadState>> result;
  for (const model::State& state : exploration.states) {
    for (const auto& thread : state.threads) {
      if (thread) result.emplace(state.shared, *thread);
    }
  }
  return result;
}

class Examples : public testing::TestWithParam<Example> {};

TEST_P(Examples, HeaderIsComplete) {
  const Example& example = GetParam();
  EXPECT_GE(example.least_threads, 1U);
  EXPECT_LE(example.least_threads, example.most_threads);
  if (example.unsafe_from) {
    EXPECT_TRUE(example.unsafe);
    EXPECT_EQ(*example.unsafe_from, example.least_threads);
  }
}

TEST_P(Examples, HasTheExpectedVerdict) {
  const Example& example = GetParam();
  const model::Program program = load_flat(example);
  for (std::uint32_t threads = example.first_threads(); threads <= example.most_threads; ++threads) {
    const Exploration exploration = explore(program, threads, enough_states);
    ASSERT_TRUE(exploration.complete) << threads << " threads";
    EXPECT_EQ(exploration.shortest_violation.has_value(), example.is_unsafe_with(threads)) << threads << " threads";
    if (example.depth) {
      EXPECT_EQ(exploration.shortest_violation, std::size_t{*example.depth});
    }
  }
}

TEST_P(Examples, HasTheExpectedCutoff) {
  const Example& example = GetParam();
  if (!example.cutoff) return;
  const model::Program program = load_flat(example);
  const auto at_cutoff = thread_states(explore(program, *example.cutoff, enough_states));
  EXPECT_EQ(at_cutoff, thread_states(explore(program, *example.cutoff + 1, enough_states)));
  EXPECT_EQ(at_cutoff, thread_states(explore(program, *example.cutoff + 2, enough_states)));
  if (*example.cutoff > 1) {
    EXPECT_NE(at_cutoff, thread_states(explore(program, *example.cutoff - 1, enough_states)));
  }
}

INSTANTIATE_TEST_SUITE_P(All, Examples, testing::ValuesIn(examples()),
                         [](const auto& instance) { return instance.param.name(); });

INSTANTIATE_TEST_SUITE_P(Processes, Examples, testing::ValuesIn(process_examples()),
                         [](const auto& instance) { return instance.param.name(); });

TEST(ExampleFolder, HoldsProcessProgramsWithTheirThreadsAndDepths) {
  std::size_t unsafe = 0;
  for (const Example& example : process_examples()) {
    const model::Program program = load(example);
    EXPECT_EQ(model::fixed_thread_count(program), example.most_threads) << example.name();
    EXPECT_EQ(example.depth.has_value(), example.unsafe) << example.name();
    unsafe += example.unsafe ? 1 : 0;
  }
  EXPECT_GE(unsafe, 8U);
  EXPECT_GE(process_examples().size(), unsafe + 8);
}

TEST(ExampleFolder, HoldsSafeAndUnsafeProgramsAndCutoffs) {
  std::size_t safe = 0;
  std::size_t unsafe = 0;
  std::set<std::uint32_t> cutoffs;
  for (const Example& example : examples()) {
    ++(example.unsafe ? unsafe : safe);
    if (example.cutoff) cutoffs.insert(*example.cutoff);
  }
  EXPECT_GE(safe, 25U);
  EXPECT_GE(unsafe, 25U);
  EXPECT_EQ(cutoffs, (std::set<std::uint32_t>{1, 2, 3, 5}));
}

}  // namespace
}  // namespace cohort::test
