// The search by deviations finds what lies behind long executions and keeps to its levels.  That it visits exactly the
// reachable states, and gives the verdicts of brute force, is tested with the other orders (explicit_engine_test.cpp).
#include "engine/explicit/deviation_search.hpp"

#include <gtest/gtest.h>

#include "engine/explicit/explicit_engine.hpp"
#include "result/replay.hpp"
#include "support/build.hpp"

namespace cohort::engine::explicit_ {
namespace {

using model::Program;
using model::Type;
using model::VarId;
using result::Verdict;

constexpr std::uint32_t rounds = 50;

// `i := i + 1` at location 0 until it is `rounds`, then on to location 1.
VarId add_loop(Program& program, model::Template& templ) {
  const Type type = Type::range(0, rounds);
  const VarId i = templ.add_local(test::var_of("i", type, {0}));
  model::ExprPool& exprs = program.exprs;
  const auto value = exprs.local(i, type);
  const auto end = exprs.constant(rounds, type);
  model::Action more =
      test::assign_action(test::to_local(i), exprs.binary(model::Op::Add, value, exprs.constant(1, type), type));
  more.guard = exprs.binary(model::Op::Lt, value, end, Type::boolean());
  test::add_edge(templ, 0, 0, more);
  test::add_edge(templ, 0, 1, test::guard_action(exprs.binary(model::Op::Eq, value, end, Type::boolean())));
  return i;
}

// One thread raises a flag for a moment, another fails if it sees that, two more only count.
Program four_counters() {
  Program program;
  const VarId flag = program.add_shared(test::bool_var("flag", {0}));
  const auto property = program.add_property({.text = "flag is never seen"});
  model::Template raiser = test::template_with("raiser", 4);
  add_loop(program, raiser);
  test::add_edge(raiser, 1, 2, test::assign_action(test::to_shared(flag), program.exprs.truth()));
  test::add_edge(raiser, 2, 3, test::assign_action(test::to_shared(flag), program.exprs.falsity()));
  model::Template watcher = test::template_with("watcher", 3);
  add_loop(program, watcher);
  test::add_edge(watcher, 1, 2, test::guard_action(program.exprs.shared(flag, Type::boolean())));
  watcher.locations[2].error = property;
  program.initial.push_back({.templ = program.add_template(raiser), .location = model::LocId(0)});
  program.initial.push_back({.templ = program.add_template(watcher), .location = model::LocId(0)});
  for (const char* name : {"third", "fourth"}) {
    model::Template counter = test::template_with(name, 2);
    add_loop(program, counter);
    program.initial.push_back({.templ = program.add_template(counter), .location = model::LocId(0)});
  }
  return program;
}

TEST(DeviationSearch, FindsAViolationBehindLongExecutions) {
  const Program program = four_counters();
  Env env;
  model::ThreadSystem system(program);
  CounterSpace space(system, 4);
  StateStore store;
  const SearchOutcome outcome = DeviationSearch(env, space, store).run();
  ASSERT_NE(outcome.bad, StateStore::none);
  EXPECT_EQ(outcome.depth, 1U);                    // none is not enough, one is
  EXPECT_LT(store.size(), 10U * rounds * rounds);  // of some rounds^4

  const auto result = ExplicitEngine().check(env, {program, 4, EngineOptions{.order = SearchOrder::FewestDeviations}});
  ASSERT_EQ(result.verdict, Verdict::Unsafe);
  EXPECT_TRUE(result::replay(program, 4, *result.run).succeeded);
}

TEST(DeviationSearch, SaysAtALimitHowManyDeviationsWereExplored) {
  Program program = four_counters();
  program.templates[1].locations[2].error.reset();
  Env env;
  env.limits.set_time_limit(0.05);
  const auto result = ExplicitEngine().check(env, {program, 4, EngineOptions{.order = SearchOrder::FewestDeviations}});
  ASSERT_EQ(result.verdict, Verdict::Unknown);
  EXPECT_NE(result.reason.find("deviations"), std::string::npos) << result.reason;
}

TEST(DeviationSearch, RefusesWhatItCannotCombine) {
  const Program program = four_counters();
  EngineOptions options{.order = SearchOrder::FewestDeviations};
  EXPECT_FALSE(ExplicitEngine().refuses({program, 4, options}));
  options.partial_order = true;
  EXPECT_TRUE(ExplicitEngine().refuses({program, 4, options}));
  options = {.symmetry = false, .order = SearchOrder::FewestDeviations};
  EXPECT_TRUE(ExplicitEngine().refuses({program, 4, options}));
  options = {.order = SearchOrder::FewestDeviations, .certificate = true};
  EXPECT_TRUE(ExplicitEngine().refuses({program, 4, options}));
}

}  // namespace
}  // namespace cohort::engine::explicit_
