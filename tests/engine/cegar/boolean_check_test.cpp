// Boolean broadcast programs, checked by the symbolic engine: verdicts on examples in every configuration, transition
// refinement, new threads and several templates, and what is refused.
#include <string>

#include <gtest/gtest.h>

#include "engine/cegar/cegar_engine.hpp"
#include "engine/symbolic/engine.hpp"
#include "frontend/scpl/scpl.hpp"
#include "model/passes/simplify.hpp"
#include "result/replay.hpp"
#include "support/diagnostics.hpp"

namespace cohort::test {
namespace {

using engine::AbstractionMode;
using result::Verdict;

const AbstractionMode modes[] = {AbstractionMode::Cubes0, AbstractionMode::Cubes1, AbstractionMode::Cubes2};

model::Program example(const std::string& name) {
  const std::string path = std::string(COHORT_SOURCE_DIR) + "/examples/scpl/" + name + ".scpl";
  return model::simplify(frontend::scpl::load(read_source_file(path))).program;
}

result::Result check(Env& env, const model::Program& program, std::uint32_t threads, AbstractionMode mode) {
  env.self_check = true;
  const engine::symbolic::SymbolicEngine checker;
  const engine::cegar::CegarEngine engine({}, &checker);
  engine::EngineOptions options;
  options.abstraction = mode;
  const engine::Task task{program, threads, options};
  EXPECT_EQ(engine.refuses(task), std::nullopt);
  result::Result result = engine.check(env, task);
  if (result.run) {
    EXPECT_TRUE(result::replay(program, threads, *result.run).succeeded);
  }
  return result;
}

void expect(const std::string& name, std::uint32_t threads, Verdict verdict) {
  const model::Program program = example(name);
  for (const AbstractionMode mode : modes) {
    SCOPED_TRACE(name + ", mode " + std::to_string(static_cast<int>(mode)));
    Env env;
    const result::Result result = check(env, program, threads, mode);
    EXPECT_EQ(static_cast<int>(result.verdict), static_cast<int>(verdict)) << result.reason;
  }
}

TEST(BooleanCheck, ProvesExamples) {
  for (const char* name : {"tas_lock", "max_cas", "unver"}) expect(name, 2, Verdict::Safe);
}

TEST(BooleanCheck, RefutesExamples) {
  expect("section2_local", 2, Verdict::Unsafe);
  expect("section2_shared", 2, Verdict::Unsafe);
  expect("count_to_three", 3, Verdict::Unsafe);
  expect("inc_wrap", 1, Verdict::Unsafe);
}

TEST(BooleanCheck, TakesNewThreads) {
  expect("workers", 3, Verdict::Safe);
  expect("workers_wrong", 3, Verdict::Unsafe);
}

TEST(BooleanCheck, TakesSeveralTemplates) {
  expect("rwlock_wrong", 3, Verdict::Unsafe);
  expect("time_varying_mutex", 2, Verdict::Safe);
}

// The free values of c0 are cut back step by step.
TEST(BooleanCheck, RefinesTransitions) {
  Env env;
  const result::Result result = check(env, example("incdec_cas"), 2, AbstractionMode::Cubes0);
  EXPECT_EQ(static_cast<int>(result.verdict), static_cast<int>(Verdict::Safe)) << result.reason;
  const auto* refinements = env.statistics.find("transition_refinements");
  ASSERT_NE(refinements, nullptr);
  EXPECT_GT(std::get<std::uint64_t>(*refinements), 0U);
}

TEST(BooleanCheck, NeedsANumberOfThreads) {
  const model::Program program = example("tas_lock");
  const engine::symbolic::SymbolicEngine checker;
  engine::EngineOptions options;
  options.abstraction = AbstractionMode::Cubes1;
  const engine::cegar::CegarEngine engine({}, &checker);
  EXPECT_NE(engine.refuses({program, std::nullopt, options}), std::nullopt);
  EXPECT_EQ(engine.refuses({program, 2, options}), std::nullopt);
  EXPECT_NE(engine::cegar::CegarEngine().refuses({program, 2, options}), std::nullopt);
}

}  // namespace
}  // namespace cohort::test
