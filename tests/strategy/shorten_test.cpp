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

// A walk until something is violated, nobody can move or `longest` steps are taken.
model::Run random_run(const model::Interpreter& interpreter, std::uint64_t seed, std::size_t longest) {
  model::Run run{interpreter.initial_states().at(0), {}};
  while (run.steps.size() < longest && !interpreter.violated(run.last())) {
    const auto steps = interpreter.successors(run.last());
    if (steps.empty()) break;
    seed = seed * 6364136223846793005U + 1442695040888963407U;
    run.steps.push_back(steps[(seed >> 33) % steps.size()]);
  }
  return run;
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
    const model::Run run = random_run(interpreter, seed, 200);
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

// As many threads are created as a choice says.  One is enough for the violation; with none there is none.
TEST(Shorten, ChoosesLessWhereThatSparesThreads) {
  const model::Program program = test::load_flat(R"(
decl seen;
void main() begin
  decl low, high;
  seen := 0;
  low, high := *, *;
  while (low | high) do
    start_thread worker();
    low, high := !low, high & low;
  od
  assume(seen);
  assert(0);
end
void worker() begin
  seen := 1;
end
)");
  const model::Interpreter interpreter(program, 4);
  std::size_t tried = 0;
  for (std::uint64_t seed = 1; seed < 2000 && tried < 5; ++seed) {
    const model::Run run = random_run(interpreter, seed, 60);
    const auto violated = interpreter.violated(run.last());
    if (!violated || result::threads_needed(run) < 4) continue;
    ++tried;
    Env env;
    const model::Run shorter = shortened(env, program, 4, run, violated);
    EXPECT_TRUE(result::replay(program, 4, shorter).succeeded);
    EXPECT_EQ(result::threads_needed(shorter), 2U);
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
