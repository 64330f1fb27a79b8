#include "engine/control_flow/control_flow_engine.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "support/explore.hpp"
#include "support/tiny_programs.hpp"

namespace cohort::test {
namespace {

using engine::control_flow::ControlFlowEngine;

TEST(ControlFlowEngine, TakesAProgramWhoseErrorIsOutOfReachAndCertifiesIt) {
  const model::Program program = tiny_program({0});  // L0 to itself
  const ControlFlowEngine engine;
  engine::EngineOptions options;
  options.certificate = true;
  const engine::Task task{program, std::nullopt, options};
  ASSERT_FALSE(engine.refuses(task).has_value());
  Env env;
  const result::Result result = engine.check(env, task);
  EXPECT_EQ(result.verdict, result::Verdict::Safe);
  EXPECT_TRUE(result::check_certificate(env, program, std::nullopt, result.certificate->to_json(program)).valid);
}

TEST(ControlFlowEngine, RefusesAProgramWhoseErrorCanBeReachedAndItsCertificateToo) {
  const model::Program program = tiny_program({4});  // L0 to ERROR
  const engine::Task task{program, std::nullopt, {}};
  ASSERT_TRUE(ControlFlowEngine().refuses(task).has_value());
  EXPECT_NE(ControlFlowEngine().refuses(task)->find("ERROR"), std::string::npos);
  Env env;
  EXPECT_FALSE(result::check_certificate(env, program, std::nullopt, {{"kind", "control-flow"}}).valid);
}

TEST(ControlFlowEngine, NeverTakesAProgramThatBruteForceRefutes) {
  const std::size_t letters = tiny_alphabet_size();
  std::size_t taken = 0;
  for (std::size_t first = 0; first < letters; ++first) {
    for (std::size_t second = first; second < letters; second += 3) {
      const model::Program program = tiny_program({first, second});
      if (ControlFlowEngine().refuses({program, std::nullopt, {}})) continue;
      ++taken;
      ASSERT_TRUE(explore(program, 3).violated.empty()) << first << " " << second;
    }
  }
  EXPECT_GT(taken, 1000U);
}

}  // namespace
}  // namespace cohort::test
