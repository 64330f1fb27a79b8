// Planted faults: whatever one engine does, the answer of the others is right.
#include "strategy/portfolio.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "frontend/bp/bp.hpp"
#include "model/passes/inline.hpp"
#include "result/replay.hpp"
#include "strategy/parts.hpp"
#include "strategy/planted_engines.hpp"

namespace cohort::strategy {
namespace {

using namespace cohort::test;
using result::Answer;
using result::Verdict;
using ::testing::HasSubstr;

model::Program program_of(const std::string& text) {
  return model::inline_calls(frontend::bp::load(std::make_shared<const SourceFile>("test.bp", text)));
}

model::Program safe_program() {
  return program_of("decl x := 0; void main() begin x := !x; x := !x; assert(!x); end");
}

model::Program unsafe_program() {
  return program_of("decl x := 0; void main() begin x := !x; assert(!x); end");
}

Job job_of(const engine::Engine& engine, const engine::EngineOptions& options = {}) {
  return {.engine = &engine, .bound = 2, .complete = true, .options = options};
}

// The planted engine comes first and works alone (one job at a time), so that it cannot be missed.
Answer ask_with(const engine::Engine& planted, const model::Program& program, Env& env, bool certificate = false) {
  Options options{.threads = {.bound = 2}, .jobs = 1};
  options.engine_options.certificate = certificate;
  const engine::Engine& right = *engine::find_engine("explicit");
  const Plan plan{.jobs = {job_of(planted, options.engine_options), job_of(right, options.engine_options)}};
  return ask_all(env, {program}, options, plan);
}

class PlantedFault : public ::testing::TestWithParam<Planted> {};

TEST_P(PlantedFault, LeavesTheAnswerOfTheOthersRight) {
  const PlantedEngine planted(GetParam().name, GetParam().check);
  for (const bool safe : {true, false}) {
    Env env;
    env.limits.set_memory_limit(resident_memory() + (std::uint64_t{256} << 20U));
    const model::Program program = safe ? safe_program() : unsafe_program();
    const Answer answer = ask_with(planted, program, env);
    EXPECT_EQ(answer.result.verdict, safe ? Verdict::Safe : Verdict::Unsafe) << answer.result.reason;
    EXPECT_EQ(answer.engine, "explicit");
    if (!safe) {
      EXPECT_TRUE(result::replay(program, 2, answer.result.run.value()).succeeded);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, PlantedFault,
                         ::testing::Values(Planted{"crash", crash}, Planted{"leave", leave},
                                           Planted{"throw", throw_something}, Planted{"hang", hang},
                                           Planted{"exhaust", exhaust_memory}, Planted{"bad_alloc", run_out_of_memory},
                                           Planted{"claim", claim_a_violation}, Planted{"invent", invent_a_step},
                                           Planted{"nonsense", send_nonsense}, Planted{"forget", forget_the_run}),
                         [](const auto& instance) { return std::string(instance.param.name); });

TEST(Portfolio, DoesNotBelieveWrongCertificates) {
  for (const Planted& fault : {Planted{"wrong proof", prove_wrongly}, Planted{"no proof", prove_nothing}}) {
    const PlantedEngine planted(fault.name, fault.check);
    Env env;
    EXPECT_EQ(ask_with(planted, unsafe_program(), env, true).result.verdict, Verdict::Unsafe) << fault.name;
    const Answer answer = ask_with(planted, safe_program(), env, true);
    EXPECT_EQ(answer.result.verdict, Verdict::Safe);
    EXPECT_EQ(answer.engine, "explicit");
    EXPECT_NE(answer.result.certificate, nullptr);
  }
}

TEST(Portfolio, SaysWhatFailed) {
  const PlantedEngine crashing("crashing", crash);
  const PlantedEngine lying("lying", claim_a_violation);
  Env env;
  const model::Program program = safe_program();
  const Answer answer = ask_all(env, {program}, {.threads = {.bound = 2}}, {.jobs = {job_of(crashing), job_of(lying)}});
  EXPECT_EQ(answer.result.verdict, Verdict::Unknown);
  ASSERT_EQ(answer.attempts.size(), 2U);
  EXPECT_THAT(answer.attempts[0].said, HasSubstr("it was ended by signal 11"));
  EXPECT_THAT(answer.attempts[1].said, HasSubstr("its run does not replay: the run ends without a violation"));
}

// A limit that an engine meets deep inside is what it says, and no failure.
TEST(Portfolio, DoesNotCallALimitAFailure) {
  const PlantedEngine stopping("stopping", stop_deep_inside);
  Env env;
  const model::Program program = safe_program();
  const Answer answer = ask_all(env, {program}, {.threads = {.bound = 2}}, {.jobs = {job_of(stopping)}});
  EXPECT_EQ(answer.result.verdict, Verdict::Unknown);
  ASSERT_EQ(answer.attempts.size(), 1U);
  EXPECT_EQ(answer.attempts[0].said, "stopped at the point 'engine'");
}

TEST(Portfolio, EndsAtTheTimeLimitWhoeverHangs) {
  const PlantedEngine hanging("hanging", hang);
  Env env;
  env.limits.set_time_limit(env.limits.elapsed_seconds() + 0.5);
  const model::Program program = safe_program();
  const Answer answer = ask_all(env, {program}, {.threads = {.bound = 2}}, {.jobs = {job_of(hanging)}});
  EXPECT_EQ(answer.result.verdict, Verdict::Unknown);
  EXPECT_THAT(answer.result.reason, HasSubstr("time limit"));
}

TEST(Portfolio, EndsWhenItIsInterrupted) {
  const PlantedEngine hanging("hanging", hang);
  std::atomic<bool> interrupted{true};
  Env env;
  env.limits.set_interrupt_flag(&interrupted);
  const model::Program program = safe_program();
  const Answer answer = ask_all(env, {program}, {.threads = {.bound = 2}}, {.jobs = {job_of(hanging)}});
  EXPECT_EQ(answer.result.verdict, Verdict::Unknown);
  EXPECT_EQ(answer.result.reason, "interrupted");
}

// Both an assertion and deadlocks are asked about, and who looks at both never ends.
model::Program with_deadlocks(model::Program program) {
  program.properties.push_back({.kind = model::PropertyKind::Deadlock, .text = "deadlock"});
  return program;
}

Answer ask_in_parts(const model::Program& program, std::optional<std::uint32_t> bound = 2) {
  static const PlantedEngine hanging("hanging", hang);
  Env env;
  env.limits.set_time_limit(env.limits.elapsed_seconds() + 20);
  return ask_all(env, {program}, {.threads = {.bound = bound}}, {.jobs = {job_of(hanging)}});
}

TEST(Parts, AreAnsweredAloneWhereTheWholeIsNot) {
  const Answer answer = ask_in_parts(with_deadlocks(safe_program()));
  EXPECT_EQ(answer.result.verdict, Verdict::Safe) << answer.result.reason;
  EXPECT_EQ(answer.scope.bound, 2U);
  const auto is_of_deadlocks = [](const result::Attempt& attempt) {
    return attempt.title.starts_with("deadlocks alone: ");
  };
  EXPECT_TRUE(std::any_of(answer.attempts.begin(), answer.attempts.end(), is_of_deadlocks));
}

TEST(Parts, ShowTheirViolationsInTheWhole) {
  const model::Program wrong = with_deadlocks(unsafe_program());
  const Answer answer = ask_in_parts(wrong);
  ASSERT_EQ(answer.result.verdict, Verdict::Unsafe) << answer.result.reason;
  const result::Replay replay = result::replay(wrong, 2, answer.result.run.value());
  EXPECT_TRUE(replay.succeeded);
  EXPECT_EQ(replay.violated, answer.result.property);
}

TEST(Parts, AreAsManyAsThereAreClassesOfProperties) {
  EXPECT_TRUE(parts_of(safe_program()).empty());
  EXPECT_EQ(parts_of(with_deadlocks(safe_program())).size(), 2U);
}

TEST(Parts, AreNotAskedAboutInVain) {
  const model::Program program = with_deadlocks(safe_program());
  EXPECT_TRUE(has_parts(program, {.bound = 2}, {}));
  EXPECT_FALSE(has_parts(program, {.any_number = true}, {}));
  engine::EngineOptions certified;
  certified.certificate = true;
  EXPECT_FALSE(has_parts(program, {.bound = 2}, certified));
  EXPECT_FALSE(has_parts(safe_program(), {.bound = 2}, {}));
}

}  // namespace
}  // namespace cohort::strategy
