#include "engine/symbolic/counter_search.hpp"

#include <gtest/gtest.h>

#include "engine/symbolic/brute_force.hpp"
#include "engine/symbolic/expand.hpp"
#include "engine/symbolic/random_boolean.hpp"

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

}  // namespace
}  // namespace cohort::engine::symbolic
