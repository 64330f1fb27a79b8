#include "strategy/shorten.hpp"

#include <gtest/gtest.h>

#include "engine/engine.hpp"
#include "result/answer.hpp"
#include "result/replay.hpp"
#include "strategy/untangle.hpp"
#include "support/example.hpp"

namespace cohort::strategy {
namespace {

model::Run found_run(const model::Program& program, std::uint32_t bound) {
  Env env;
  return std::move(*engine::find_engine("explicit")->check(env, {program, bound, {}}).run);
}

TEST(Shorten, EveryCounterexampleOfTheExamplesStillViolatesTheSame) {
  std::size_t examples = 0;
  for (const test::Example& example : test::examples()) {
    if (!example.unsafe) continue;
    const std::uint32_t bound = example.unsafe_from.value_or(example.least_threads);
    const model::Program program = test::load_flat(example);
    const model::Run run = found_run(program, bound);
    const result::Replay replay = result::replay(program, bound, run);
    Env env;
    const model::Run shorter = shortened(env, program, bound, run, replay.violated);
    const result::Replay again = result::replay(program, bound, shorter);
    EXPECT_TRUE(again.succeeded) << example.name() << ": " << again.message;
    EXPECT_EQ(again.violated, replay.violated) << example.name();
    EXPECT_LE(shorter.steps.size(), run.steps.size()) << example.name();
    EXPECT_LE(context_switches(shorter), context_switches(run)) << example.name();
    EXPECT_LE(result::threads_needed(shorter), result::threads_needed(run)) << example.name();
    ++examples;
  }
  EXPECT_GT(examples, 10U);
}

// Whoever walks at random does much that has nothing to do with the violation.
TEST(Shorten, LeavesOutWhatDoesNotMatter) {
  const model::Program program = test::load_flat(test::example("test_then_set"));
  const model::Interpreter interpreter(program, 4);
  std::size_t tried = 0;
  for (std::uint64_t seed = 1; seed < 200 && tried < 5; ++seed) {
    model::Run run{interpreter.initial_states().at(0), {}};
    std::uint64_t random = seed;
    while (run.steps.size() < 200 && !interpreter.violated(run.last())) {
      const auto steps = interpreter.successors(run.last());
      if (steps.empty()) break;
      random = random * 6364136223846793005U + 1442695040888963407U;
      run.steps.push_back(steps[(random >> 33) % steps.size()]);
    }
    const auto violated = interpreter.violated(run.last());
    if (!violated) continue;
    ++tried;
    Env env;
    const model::Run shorter = shortened(env, program, 4, run, violated);
    EXPECT_TRUE(result::replay(program, 4, shorter).succeeded);
    EXPECT_LE(shorter.steps.size(), run.steps.size());
    EXPECT_LE(context_switches(shorter), 4U) << context_switches(run) << " before";
  }
  EXPECT_EQ(tried, 5U);
}

TEST(Shorten, GivesBackARunWhenItIsStopped) {
  const model::Program program = test::load_flat(test::example("test_then_set"));
  const model::Run run = found_run(program, 2);
  Env env;
  env.limits.set_time_limit(0);
  const model::Run same = shortened(env, program, 2, run, result::replay(program, 2, run).violated);
  EXPECT_TRUE(result::replay(program, 2, same).succeeded);
}

}  // namespace
}  // namespace cohort::strategy
