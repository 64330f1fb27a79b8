// Threads whose values depend on each other: a thread and its copies stay one set, and nothing is lost or added by it.
#include "engine/symbolic/tie.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "engine/symbolic/brute_force.hpp"
#include "engine/symbolic/certify.hpp"
#include "engine/symbolic/counter_search.hpp"
#include "engine/symbolic/counter_trace.hpp"
#include "engine/symbolic/expand.hpp"
#include "engine/symbolic/random_boolean.hpp"
#include "frontend/bp/bp.hpp"
#include "model/passes/inline.hpp"
#include "result/replay.hpp"

namespace cohort::engine::symbolic {
namespace {

using cohort::testing::BruteForce;
using cohort::testing::RandomBoolean;
using cohort::testing::RandomShape;

// So that random programs with two locals have tied sets at all.
constexpr std::size_t none_loose = 0;

RandomShape many_copies() {
  RandomShape shape;
  shape.max_locals = 3;
  return shape;
}

TEST(Ties, RepresentExactlyTheReachableStatesOfRandomPrograms) {
  RandomShape shape = many_copies();
  shape.errors = false;
  std::size_t compared = 0;
  std::size_t tied = 0;
  for (std::uint64_t seed = 1; seed <= 250; ++seed) {
    const model::Program program = RandomBoolean(seed, shape).make();
    for (std::uint32_t bound = 4; bound <= 5; ++bound) {
      const BruteForce truth = cohort::testing::explore(program, bound, 2000);
      if (!truth.complete) continue;
      ++compared;
      Env env;
      CounterSearch search(env, {program, bound, {}}, none_loose);
      ASSERT_FALSE(search.run().has_value());
      tied += search.sets().some_tied() ? 1 : 0;
      cohort::testing::StateSet represented;
      for (const model::State& state : expand(program, search)) represented.insert(state);
      ASSERT_TRUE(represented == truth.reached) << "seed " << seed << " bound " << bound;
    }
  }
  EXPECT_GT(compared, 200U);
  EXPECT_GT(tied, 20U);
}

TEST(Ties, GiveVerdictsAndRunsOfRandomPrograms) {
  std::size_t unsafe = 0;
  std::size_t tied = 0;
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    const model::Program program = RandomBoolean(seed, many_copies()).make();
    const std::uint32_t bound = 4 + static_cast<std::uint32_t>(seed % 2);
    const BruteForce truth = cohort::testing::explore(program, bound, 2000);
    if (!truth.complete) continue;
    for (const bool reduced : {false, true}) {
      Env env;
      Task task{program, bound, {}};
      task.options.partial_order = reduced;
      CounterSearch search(env, task, none_loose);
      const auto found = search.run();
      ASSERT_EQ(found.has_value(), truth.violated) << "seed " << seed << " bound " << bound << " reduced " << reduced;
      if (!found) continue;
      ++unsafe;
      tied += search.sets().some_tied() ? 1 : 0;
      const auto replay = result::replay(program, bound, counter_trace(program, search, *found));
      ASSERT_TRUE(replay.succeeded) << "seed " << seed << ": " << replay.message;
      ASSERT_EQ(replay.violated, found->violation.property) << "seed " << seed;
    }
  }
  EXPECT_GT(unsafe, 60U);
  EXPECT_GT(tied, 8U);
}

TEST(Ties, CertificatesListTheirValues) {
  RandomShape shape = many_copies();
  shape.errors = false;
  std::size_t tied = 0;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    const model::Program program = RandomBoolean(seed, shape).make();
    if (!cohort::testing::explore(program, 4, 1000).complete) continue;
    Env env;
    CounterSearch search(env, {program, 4, {}}, none_loose);
    ASSERT_FALSE(search.run().has_value());
    if (!search.sets().some_tied()) continue;
    ++tied;
    Env checker;
    const auto outcome = result::check_certificate(checker, program, 4U, certify(program, search)->to_json(program));
    ASSERT_TRUE(outcome.valid) << "seed " << seed << ": " << outcome.message;
  }
  EXPECT_GT(tied, 10U);
}

// A thread with n locals that nobody knows starts a copy of itself, and each counts its locals that are true in s.
model::Program copied(std::uint32_t locals, bool wrong) {
  std::string names;
  for (std::uint32_t i = 0; i < locals; ++i) names += (i > 0 ? ", l" : "l") + std::to_string(i);
  const std::string text = "decl s, t, u;\nvoid main() begin\n  decl " + names +
                           ";\n  s, t := F, F;\n  start_thread goto B;\n  A: s := l0;\n  t := T;\n  goto E;\n"
                           "  B: assume(t);\n  u := l0;\n  assert(" +
                           (wrong ? "s = u & !l1" : "s = u") + ");\n  E: skip;\nend\n";
  return model::inline_calls(frontend::bp::load(std::make_shared<const SourceFile>("copied.bp", text)));
}

TEST(Ties, AThreadAndItsCopyAreOneSetHoweverManyLocalsTheyHave) {
  std::optional<std::uint64_t> states;
  for (const std::uint32_t locals : {6U, 8U, 10U, 12U, 14U, 21U, 40U}) {
    const model::Program program = copied(locals, false);
    {
      Env env;
      CounterSearch search(env, {program, 2, {}});
      ASSERT_FALSE(search.run().has_value());
      ASSERT_TRUE(search.finished());
      EXPECT_TRUE(search.sets().some_tied());
      if (!states) states = search.nodes().size();
      EXPECT_EQ(search.nodes().size(), *states) << locals << " locals";
      EXPECT_LT(search.nodes().size(), 60U);
    }
    const model::Program wrong = copied(locals, true);
    Env env;
    CounterSearch search(env, {wrong, 2, {}});
    const auto found = search.run();
    ASSERT_TRUE(found.has_value());
    EXPECT_TRUE(result::replay(wrong, 2, counter_trace(wrong, search, *found)).succeeded);
  }
}

TEST(Ties, ThePairStaysExact) {
  // With six locals brute force can tell: every state, no other.
  const model::Program program = copied(6, false);
  const BruteForce truth = cohort::testing::explore(program, 2);
  ASSERT_TRUE(truth.complete);
  Env env;
  CounterSearch search(env, {program, 2, {}});
  ASSERT_FALSE(search.run().has_value());
  cohort::testing::StateSet represented;
  for (const model::State& state : expand(program, search)) represented.insert(state);
  EXPECT_TRUE(represented == truth.reached);
}

TEST(Ties, MoreCopiesThanMembersAreSplit) {
  // Eighteen threads with one value among them, where sets hold sixteen.
  const std::string text =
      "decl s;\nvoid main() begin\n  decl a, b, c;\n  L: if (*) then start_thread goto W; goto L; fi\n"
      "  W: assert(s | !s);\n  goto W;\nend\n";
  const model::Program program =
      model::inline_calls(frontend::bp::load(std::make_shared<const SourceFile>("many.bp", text)));
  Env env;
  CounterSearch search(env, {program, 18, {}});
  EXPECT_FALSE(search.run().has_value());
  EXPECT_TRUE(search.finished());
}

}  // namespace
}  // namespace cohort::engine::symbolic
