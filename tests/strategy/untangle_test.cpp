#include "strategy/untangle.hpp"

#include <gtest/gtest.h>

#include "engine/engine.hpp"
#include "result/replay.hpp"
#include "support/example.hpp"

namespace cohort::strategy {
namespace {

// What the explicit engine finds on the flat program, breadth first.
model::Run shortest_run(const model::Program& program, std::uint32_t bound) {
  Env env;
  return std::move(*engine::find_engine("explicit")->check(env, {program, bound, {}}).run);
}

TEST(Untangle, EveryCounterexampleOfTheExamplesStillReplays) {
  std::size_t before = 0;
  std::size_t after = 0;
  for (const test::Example& example : test::examples()) {
    if (!example.unsafe) continue;
    const std::uint32_t bound = example.unsafe_from.value_or(example.least_threads);
    const model::Program program = test::load_flat(example);
    const model::Run run = shortest_run(program, bound);
    const model::Run untangled = untangle(program, bound, run);
    const result::Replay replay = result::replay(program, bound, untangled);
    EXPECT_TRUE(replay.succeeded) << example.name() << ": " << replay.message;
    EXPECT_EQ(untangled.initial, run.initial);
    EXPECT_EQ(untangled.last(), run.last());
    EXPECT_EQ(untangled.steps.size(), run.steps.size());
    EXPECT_LE(context_switches(untangled), context_switches(run)) << example.name();
    before += context_switches(run);
    after += context_switches(untangled);
  }
  EXPECT_LT(after, before * 3 / 4) << before << " switches before, " << after << " after";
}

TEST(Untangle, LeavesNothingToJoinInARaceOfTwo) {
  const test::Example example = test::example("test_then_set");
  const model::Program program = test::load_flat(example);
  const model::Run untangled = untangle(program, 2, shortest_run(program, 2));
  // One thread looks at the lock, the other goes all the way in, and the first follows.
  EXPECT_LE(context_switches(untangled), 3U);
}

TEST(Untangle, KeepsRunsOfOneThread) {
  const model::Program program = test::load_flat(test::example("test_then_set"));
  const model::Interpreter interpreter(program, 1);
  model::Run run{interpreter.initial_states().at(0), {}};
  EXPECT_EQ(context_switches(untangle(program, 1, run)), 0U);
  while (run.steps.size() < 5) run.steps.push_back(interpreter.successors(run.last()).at(0));
  EXPECT_EQ(untangle(program, 1, run).steps, run.steps);
}

}  // namespace
}  // namespace cohort::strategy
