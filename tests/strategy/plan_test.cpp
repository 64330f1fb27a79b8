#include "strategy/plan.hpp"

#include <algorithm>
#include <cctype>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "frontend/bp/bp.hpp"
#include "model/passes/inline.hpp"

namespace cohort::strategy {
namespace {

using ::testing::HasSubstr;

model::Program program_of(const std::string& text) {
  return model::inline_calls(frontend::bp::load(std::make_shared<const SourceFile>("test.bp", text)));
}

std::vector<std::string> titles(const Plan& plan) {
  std::vector<std::string> all;
  for (const Job& job : plan.jobs) all.push_back(job.title());
  return all;
}

std::ptrdiff_t place_of(const Plan& plan, std::string_view engine) {
  const auto it =
      std::find_if(plan.jobs.begin(), plan.jobs.end(), [&](const Job& job) { return job.engine->name() == engine; });
  return it == plan.jobs.end() ? -1 : it - plan.jobs.begin();
}

const char* const one_choice = "decl s := 0; void main() begin s := *; assert(s | !s); end";
const char* const many_choices =
    "decl a, b, c, d, e; void main() begin a, b, c, d, e := *, *, *, *, *; assert(a | !a | b | c | d | e); end";
const char* const any_number =
    "decl s := 0; void main() begin L: start_thread goto W; goto L; W: s := !s; assert(s | !s); end";

TEST(Plan, NamesEnginesThatExist) {
  for (const Row& row : rows()) {
    EXPECT_NE(engine::find_engine(row.engine), nullptr) << row.engine;
    EXPECT_GT(row.share, 0) << row.engine;
    EXPECT_FALSE(row.why.empty()) << row.engine;
  }
}

TEST(Engines, SayInSentencesWhatTheyAreForAndWhatTheyTake) {
  for (const auto& engine : engine::engines()) {
    for (const std::string_view text : {engine->purpose(), engine->fragment()}) {
      ASSERT_FALSE(text.empty()) << engine->name();
      EXPECT_TRUE(std::isupper(static_cast<unsigned char>(text.front())) != 0 && text.back() == '.') << text;
    }
  }
}

TEST(Plan, EveryEngineThatTakesTheProgramTakesPart) {
  for (const char* text : {one_choice, many_choices, any_number}) {
    const model::Program program = program_of(text);
    const Plan plan = make_plan(program, {.bound = 3}, {});
    for (const auto& engine : engine::engines()) {
      const bool takes = !engine->refuses({program, 3, {.sample_choices = true}});
      EXPECT_EQ(place_of(plan, engine->name()) >= 0, takes) << engine->name() << " " << text;
    }
  }
}

// Also where a variable is wider than 8 bits.
TEST(Plan, WideVariablesKeepNobodyOut) {
  model::Program program = program_of(one_choice);
  program.add_shared({.name = "n", .type = model::Type::fixed(32, true), .initial = {0}});
  const Plan plan = make_plan(program, {.bound = 3}, {});
  for (const auto& engine : engine::engines()) {
    const bool takes = !engine->refuses({program, 3, {.sample_choices = true}});
    EXPECT_EQ(place_of(plan, engine->name()) >= 0, takes) << engine->name();
  }
}

TEST(Plan, ManyChoicesGoToTheSymbolicEngineFirst) {
  const Plan few = make_plan(program_of(one_choice), {.bound = 3}, {});
  EXPECT_LT(place_of(few, "explicit"), place_of(few, "symbolic"));
  const Plan many = make_plan(program_of(many_choices), {.bound = 3}, {});
  EXPECT_LT(place_of(many, "symbolic"), place_of(many, "explicit"));
}

TEST(Plan, ThreadsThatTheProgramCountsAreTheQuestion) {
  const char* const two =
      "decl s := 0; void main() begin start_thread goto W; goto E; W: s := !s; E: assert(s | !s); end";
  const Plan plan = make_plan(program_of(two), {}, {});
  ASSERT_GE(place_of(plan, "explicit"), 0);
  const Job& job = plan.jobs[place_of(plan, "explicit")];
  EXPECT_EQ(job.bound, 2U);
  EXPECT_TRUE(job.complete);
  for (const Job& other : plan.jobs) EXPECT_TRUE(other.complete) << other.title();
}

// Proofs over numbers for any number of threads come from invariants and predicates.
TEST(Plan, NumbersAndAnyNumberOfThreadsBelongToProofs) {
  const auto share_of = [](const model::Program& program, std::string_view engine) {
    const Plan plan = make_plan(program, {}, {});
    double all = 0;
    for (const Job& job : plan.jobs) all += job.share;
    return plan.jobs[place_of(plan, engine)].share / all;
  };
  const model::Program bits = program_of(any_number);
  model::Program numbers = program_of(any_number);
  numbers.add_shared({.name = "n", .type = model::Type::fixed(32, true), .initial = {0}});
  for (const char* engine : {"modular", "cegar"})
    EXPECT_GT(share_of(numbers, engine), 1.5 * share_of(bits, engine)) << engine;
}

TEST(Plan, WhereAnyNumberIsAskedForFewAreSearched) {
  const Plan plan = make_plan(program_of(any_number), {}, {});
  EXPECT_THAT(titles(plan), ::testing::Contains("explicit, 3 threads"));
  for (const Job& job : plan.jobs) EXPECT_EQ(job.complete, !job.bound.has_value()) << job.title();
}

TEST(Plan, ABoundOfTheUsersIsTheOnlyOne) {
  for (const Job& job : make_plan(program_of(any_number), {.bound = 5}, {}).jobs) EXPECT_EQ(job.bound, 5U);
}

TEST(Plan, AnOrderOfTheUsersIsTheOnlyOne) {
  std::size_t searches = 0;
  const auto dfs = engine::SearchOrder::DepthFirst;
  for (const Job& job : make_plan(program_of(one_choice), {.bound = 2}, {.order = dfs}).jobs) {
    EXPECT_EQ(job.options.order, dfs);
    searches += job.engine->name() == "explicit" && !job.owned ? 1 : 0;
  }
  EXPECT_EQ(searches, 1U);
}

TEST(Plan, ANamedEngineTakesWhatItCan) {
  const auto bound_of = [](const char* text, const Threads& threads, const char* engine) {
    const model::Program program = program_of(text);
    return make_plan_of(*engine::find_engine(engine), program, threads, {}).jobs.at(0).bound;
  };
  EXPECT_EQ(bound_of(any_number, {}, "explicit"), default_bound);
  EXPECT_EQ(bound_of(any_number, {}, "karp-miller"), std::nullopt);
  EXPECT_EQ(bound_of(one_choice, {}, "explicit"), 1U);
  EXPECT_EQ(bound_of(one_choice, {.bound = 4}, "explicit"), 4U);
  const model::Program program = program_of(any_number);
  const Plan refused = make_plan_of(*engine::find_engine("explicit"), program, {.any_number = true}, {});
  EXPECT_TRUE(refused.jobs.empty());
  EXPECT_THAT(refused.refusals, HasSubstr("explicit: "));
}

}  // namespace
}  // namespace cohort::strategy
