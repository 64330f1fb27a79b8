#include "engine/explicit/random_walk.hpp"

#include <gtest/gtest.h>

#include "engine/explicit/explicit_engine.hpp"
#include "model/passes/inline.hpp"
#include "result/replay.hpp"
#include "support/build.hpp"
#include "support/explore.hpp"
#include "support/random_program.hpp"

namespace cohort::engine::explicit_ {
namespace {

using model::Op;
using model::Program;
using model::Type;
using model::VarId;
using result::Verdict;

// Two threads add each other's number to their own, `rounds` times; a third fails if it sees what only strict turns
// lead to.
Program fibonacci(model::Value rounds, model::Value most) {
  Program program;
  const Type number = Type::fixed(32, true);
  model::ExprPool& exprs = program.exprs;
  const std::vector<VarId> sums = {program.add_shared(test::var_of("i", number, {1})),
                                   program.add_shared(test::var_of("j", number, {1}))};
  const auto property = program.add_property({.text = "not as large as that"});
  model::Template watcher = test::template_with("watcher", 3);
  test::add_edge(watcher, 0, 1,
                 test::guard_action(exprs.binary(Op::Ge, exprs.shared(sums[1], number), exprs.constant(most, number),
                                                 Type::boolean())));
  test::add_edge(watcher, 0, 2, test::end_action());
  watcher.locations[1].error = property;
  program.initial.push_back({.templ = program.add_template(watcher), .location = model::LocId(0)});
  for (const std::size_t own : {0U, 1U}) {
    model::Template adder = test::template_with(own == 0 ? "first" : "second", 1);
    const VarId k = adder.add_local(test::var_of("k", number, {0}));
    const auto count = exprs.local(k, number);
    const auto sum =
        exprs.binary(Op::Add, exprs.shared(sums[own], number), exprs.shared(sums[1 - own], number), number);
    model::Action add = test::assign_action(test::to_shared(sums[own]), sum);
    add.assigns.push_back({test::to_local(k), exprs.binary(Op::Add, count, exprs.constant(1, number), number)});
    add.guard = exprs.binary(Op::Lt, count, exprs.constant(rounds, number), Type::boolean());
    test::add_edge(adder, 0, 0, add);
    program.initial.push_back({.templ = program.add_template(adder), .location = model::LocId(0)});
  }
  return program;
}

TEST(RandomWalk, FindsWhatOnlyStrictTurnsLeadTo) {
  const Program program = fibonacci(15, 1346269);
  Env env;
  env.limits.set_time_limit(60);
  const auto result = ExplicitEngine().check(env, {program, 3, EngineOptions{.order = SearchOrder::Random}});
  ASSERT_EQ(result.verdict, Verdict::Unsafe) << result.reason;
  EXPECT_TRUE(result::replay(program, 3, *result.run).succeeded);
}

TEST(RandomWalk, EndsAtALimitWithoutAVerdict) {
  const Program program = fibonacci(5, 1000);
  Env env;
  env.limits.set_time_limit(0.05);
  const auto result = ExplicitEngine().check(env, {program, 3, EngineOptions{.order = SearchOrder::Random}});
  EXPECT_EQ(result.verdict, Verdict::Unknown);
  EXPECT_NE(env.statistics.find("executions"), nullptr);
}

TEST(RandomWalk, FindsViolationsOfRandomProgramsAndNoOthers) {
  std::size_t found = 0;
  std::size_t unsafe = 0;
  test::RandomProgramOptions options;
  options.numbers = options.takes = options.broadcasts = options.cover = true;
  for (std::uint64_t seed = 0; seed < 150; ++seed) {
    const Program program = model::inline_calls(test::random_program(seed, options));
    const auto truth = test::explore(program, 3, 3000);
    if (!truth.complete || program.initial.empty()) continue;
    const EngineOptions walking{.order = SearchOrder::Random};
    if (ExplicitEngine().refuses({program, 3, walking})) continue;
    unsafe += truth.shortest_violation ? 1 : 0;
    Env env;
    env.limits.set_time_limit(truth.shortest_violation ? 2 : 0.005);
    const auto result = ExplicitEngine().check(env, {program, 3, walking});
    ASSERT_NE(result.verdict, Verdict::Safe);
    if (result.verdict != Verdict::Unsafe) continue;
    ASSERT_TRUE(result::replay(program, 3, *result.run).succeeded) << seed;
    ++found;
  }
  EXPECT_EQ(found, unsafe);
  EXPECT_GT(unsafe, 50U);
}

}  // namespace
}  // namespace cohort::engine::explicit_
