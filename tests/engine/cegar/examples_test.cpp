// The symmetric concurrent programs of examples/scpl: proved for any number of threads, or refuted with as few threads
// as it takes by a run that replays.
#include <string>

#include <gtest/gtest.h>

#include "engine/cegar/cegar_engine.hpp"
#include "frontend/scpl/scpl.hpp"
#include "model/passes/simplify.hpp"
#include "model/validate.hpp"
#include "result/answer.hpp"
#include "result/replay.hpp"
#include "support/example.hpp"

namespace cohort::test {
namespace {

using result::Verdict;

class SymmetricPrograms : public testing::TestWithParam<Example> {};

TEST_P(SymmetricPrograms, MeetTheirExpectation) {
  const Example& example = GetParam();
  const model::Program flat = frontend::scpl::load(read_source_file(example.path.string()));
  model::validate(flat);
  const model::Program program = model::simplify(flat).program;
  Env env;
  env.limits.set_time_limit(600);
  const engine::cegar::CegarEngine engine;
  const engine::Task task{program, std::nullopt, {}};
  ASSERT_EQ(engine.refuses(task), std::nullopt);
  const result::Result result = engine.check(env, task);
  ASSERT_EQ(static_cast<int>(result.verdict), static_cast<int>(example.unsafe ? Verdict::Unsafe : Verdict::Safe))
      << result.reason;
  if (!example.unsafe) return;
  EXPECT_EQ(result::threads_needed(*result.run), *example.unsafe_from);
  EXPECT_TRUE(result::replay(program, std::nullopt, *result.run).succeeded);
}

INSTANTIATE_TEST_SUITE_P(All, SymmetricPrograms, testing::ValuesIn(examples_in("scpl", ".scpl")),
                         [](const auto& instance) { return instance.param.name(); });

}  // namespace
}  // namespace cohort::test
