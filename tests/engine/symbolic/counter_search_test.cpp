#include "engine/symbolic/counter_search.hpp"

#include <gtest/gtest.h>

#include "engine/symbolic/brute_force.hpp"
#include "engine/symbolic/engine.hpp"
#include "engine/symbolic/expand.hpp"
#include "engine/symbolic/random_boolean.hpp"
#include "result/replay.hpp"

namespace cohort::engine::symbolic {
namespace {

using cohort::testing::BruteForce;
using cohort::testing::RandomBoolean;
using cohort::testing::RandomShape;

Task task_for(const model::Program& program, std::uint32_t bound, bool merging) {
  Task task{program, bound, {}};
  task.options.merging = merging;
  return task;
}

TEST(CounterSearch, RepresentsExactlyTheReachableStatesOfRandomPrograms) {
  RandomShape shape;
  shape.errors = false;
  std::size_t compared = 0;
  for (std::uint64_t seed = 1; seed <= 150; ++seed) {
    const model::Program program = RandomBoolean(seed, shape).make();
    for (std::uint32_t bound = 4; bound <= 5; ++bound) {
      const BruteForce truth = cohort::testing::explore(program, bound, 3000);
      if (!truth.complete) continue;
      ++compared;
      for (const bool merging : {false, true}) {
        Env env;
        CounterSearch search(env, task_for(program, bound, merging));
        ASSERT_FALSE(search.run().has_value());
        ASSERT_TRUE(search.finished());
        cohort::testing::StateSet represented;
        for (const model::State& state : expand(program, search)) represented.insert(state);
        ASSERT_EQ(represented.size(), truth.reached.size())
            << "seed " << seed << " bound " << bound << " merging " << merging;
        ASSERT_TRUE(represented == truth.reached) << "seed " << seed << " bound " << bound << " merging " << merging;
      }
    }
  }
  EXPECT_GT(compared, 200U);
}

TEST(CounterSearch, AgreesWithTheInterpreterAndReplaysOnRandomPrograms) {
  std::size_t unsafe = 0;
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    RandomShape shape;
    shape.covers = seed % 3 == 0;
    shape.errors = seed % 3 != 0;
    const model::Program program = RandomBoolean(seed, shape).make();
    const BruteForce truth = cohort::testing::explore(program, 4, 3000);
    if (!truth.complete) continue;
    unsafe += truth.violated ? 1 : 0;
    for (const bool merging : {false, true}) {
      Env env;
      const result::Result result = SymbolicEngine().check(env, task_for(program, 4, merging));
      ASSERT_EQ(result.verdict, truth.violated ? result::Verdict::Unsafe : result::Verdict::Safe) << "seed " << seed;
      if (!truth.violated) continue;
      const result::Replay replay = result::replay(program, 4, *result.run);
      ASSERT_TRUE(replay.succeeded) << "seed " << seed << ": " << replay.message;
      EXPECT_EQ(replay.violated, result.property) << "seed " << seed;
    }
  }
  EXPECT_GT(unsafe, 50U);
}

}  // namespace
}  // namespace cohort::engine::symbolic
