// The programs of examples/counting, whose proofs need the number of threads in certain places: the right ones are
// proved for any number of threads, with certificates that another solver accepts; the wrong ones are not.
#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "engine/engine.hpp"
#include "frontend/scpl/scpl.hpp"
#include "model/passes/simplify.hpp"
#include "model/validate.hpp"
#include "result/answer.hpp"
#include "result/certificate.hpp"
#include "result/replay.hpp"
#include "support/example.hpp"

namespace cohort::test {
namespace {

using result::Verdict;

class CountingPrograms : public testing::TestWithParam<Example> {};

TEST_P(CountingPrograms, MeetTheirExpectation) {
  const Example& example = GetParam();
  const model::Program flat = frontend::scpl::load(read_source_file(example.path.string()));
  model::validate(flat);
  const model::Program program = model::simplify(flat).program;
  Env env;
  env.limits.set_time_limit(example.unsafe ? 8 : 600);
  engine::EngineOptions options;
  options.certificate = true;
  const engine::Task task{program, std::nullopt, options};
  const result::Result proof = engine::find_engine("modular")->check(env, task);
  EXPECT_EQ(proof.verdict, example.unsafe ? Verdict::Unknown : Verdict::Safe) << proof.reason;
  if (!example.unsafe) {
    ASSERT_TRUE(proof.certificate);
    const auto checked = result::check_certificate(env, program, std::nullopt, proof.certificate->to_json(program));
    EXPECT_TRUE(checked.valid) << checked.message;
    return;
  }
  const engine::Task few{program, example.unsafe_from, {}};
  Env search;
  const result::Result bug = engine::find_engine("explicit")->check(search, few);
  ASSERT_EQ(bug.verdict, Verdict::Unsafe) << bug.reason;
  EXPECT_TRUE(result::replay(program, few.bound, *bug.run).succeeded);
}

INSTANTIATE_TEST_SUITE_P(All, CountingPrograms, testing::ValuesIn(examples_in("counting", ".scpl")),
                         [](const auto& instance) { return instance.param.name(); });

}  // namespace
}  // namespace cohort::test
