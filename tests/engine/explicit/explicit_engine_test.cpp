#include "engine/explicit/explicit_engine.hpp"

#include <gtest/gtest.h>

#include "model/passes/inline.hpp"
#include "support/differential.hpp"
#include "support/random_program.hpp"
#include "support/tiny_programs.hpp"

namespace cohort::test {
namespace {

using engine::explicit_::ExplicitEngine;

// One edge, and every pair of edges with one of a spread of partners.
TEST(ExplicitEngine, AgreesWithBruteForceOnAllTinyPrograms) {
  const std::size_t letters = tiny_alphabet_size();
  std::size_t compared = 0;
  for (std::size_t first = 0; first < letters; ++first) {
    for (std::size_t second = first; second < letters; second += 7) {
      for (std::uint32_t bound = 1; bound <= 3; ++bound) {
        ASSERT_EQ(compare_explicit(tiny_program({first, second}), bound), "")
            << first << " " << second << " bound " << bound;
        ++compared;
      }
    }
  }
  EXPECT_GT(compared, 6000U);
}

TEST(ExplicitEngine, AgreesWithBruteForceOnRandomPrograms) {
  RandomProgramOptions plain;
  RandomProgramOptions all;
  all.broadcasts = all.moves = all.takes = all.any_number = all.numbers = all.cover = true;
  RandomProgramOptions tied{.broadcasts = true, .foreign = true, .ties = true, .moves = true, .any_number = true};
  for (std::uint64_t seed = 1; seed <= 400; ++seed) {
    tied.takes = seed % 3 == 0;
    for (const auto& options : {plain, all, tied}) {
      const model::Program program = model::inline_calls(random_program(seed, options));
      for (std::uint32_t bound = 1; bound <= 3; ++bound) {
        ASSERT_EQ(compare_explicit(program, bound), "") << "seed " << seed << " bound " << bound;
      }
    }
  }
}

TEST(ExplicitEngine, RefusesAnUnboundedTaskWithASentence) {
  const model::Program program = tiny_program({0});
  const ExplicitEngine engine;
  const engine::Task task{program, std::nullopt, {}};
  ASSERT_TRUE(engine.refuses(task).has_value());
  EXPECT_NE(engine.refuses(task)->find("bound"), std::string::npos);
}

TEST(ExplicitEngine, StopsAtATimeLimitWithWhatIsKnown) {
  // Every thread flips the shared bit and spawns without end: far more states than one poll interval.
  const model::Program program = tiny_program({48, 108, 9, 109, 61, 67});
  Env env;
  env.limits.set_time_limit(0);
  const ExplicitEngine engine;
  engine::EngineOptions options;
  options.order = engine::SearchOrder::BreadthFirst;
  const auto result = engine.check(env, {program, 4000, options});
  ASSERT_EQ(result.verdict, result::Verdict::Unknown);
  EXPECT_NE(result.reason.find("time limit"), std::string::npos) << result.reason;
  EXPECT_NE(result.reason.find("no violation within"), std::string::npos) << result.reason;
}

// Steps are counted by a full search only.
TEST(ExplicitEngine, SaysOfAReducedSearchHowManyStatesItSaw) {
  const model::Program program = tiny_program({48, 108, 9, 109, 61, 67});
  Env env;
  env.limits.set_time_limit(0);
  const auto result = ExplicitEngine().check(env, {program, 4000, {}});
  ASSERT_EQ(result.verdict, result::Verdict::Unknown);
  EXPECT_NE(result.reason.find("states seen"), std::string::npos) << result.reason;
}

TEST(ExplicitEngine, RefusesToReduceAndNotToReduce) {
  const model::Program program = tiny_program({0});
  engine::EngineOptions options;
  options.partial_order = options.all_orders = true;
  EXPECT_TRUE(ExplicitEngine().refuses({program, 2, options}).has_value());
}

}  // namespace
}  // namespace cohort::test
