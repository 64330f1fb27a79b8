// Proofs by k-induction: of programs that run forever, and none of programs that violate after many steps.
#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

#include "engine/bmc/bmc_engine.hpp"
#include "model/passes/inline.hpp"
#include "support/build.hpp"
#include "support/explore.hpp"
#include "support/random_program.hpp"

namespace cohort::engine::bmc {

using namespace model;
using namespace test;
using result::Verdict;

namespace {

// Threads that run in a circle and take x along `next`; the violation is that x is `bad`.
Program circle(const std::vector<Value>& next, Value bad, std::uint32_t threads) {
  Program program;
  const Type type = Type::range(0, static_cast<Value>(next.size()) - 1);
  const VarId x = program.add_shared(var_of("x", type, {0}));
  ExprPool& exprs = program.exprs;
  const auto is = [&](Value value) {
    return exprs.binary(Op::Eq, exprs.shared(x, type), exprs.constant(value, type), Type::boolean());
  };
  Template templ = template_with("walker", 1);
  for (std::size_t i = 0; i < next.size(); ++i) {
    Action action = assign_action(to_shared(x), exprs.constant(next[i], type));
    action.guard = is(static_cast<Value>(i));
    add_edge(templ, 0, 0, std::move(action));
  }
  program.add_property(
      {.kind = Property::Kind::Condition, .text = "bad", .span = {}, .condition = is(bad), .threads = {}});
  program.add_template(std::move(templ));
  program.initial = {{TemplateId(0), LocId(0), threads}};
  return program;
}

Verdict verdict_of(Env& env, const Program& program, std::uint32_t threads, std::uint32_t last_depth) {
  EngineOptions options;
  options.bmc.depths.last = last_depth;
  return BmcEngine().check(env, {program, threads, options}).verdict;
}

Verdict verdict_of(const Program& program, std::uint32_t threads, std::uint32_t last_depth) {
  Env env;
  return verdict_of(env, program, threads, last_depth);
}

}  // namespace

// 0, 1, 2 are reached; 3, 4, 5 lead to the violation and are not.
TEST(Induction, ProvesWhatTakesSeveralSteps) {
  const Program program = circle({1, 2, 0, 4, 5, 6, 6}, 6, 2);
  EXPECT_EQ(verdict_of(program, 2, 10), Verdict::Safe);
  EXPECT_NE(verdict_of(circle({1, 2, 3, 4, 5, 6, 6}, 6, 2), 2, 4), Verdict::Safe);
  EXPECT_EQ(verdict_of(circle({1, 2, 3, 4, 5, 6, 6}, 6, 2), 2, 12), Verdict::Unsafe);
}

// From 21 on x would grow to the violation, step by step and for longer than any induction; that x is never above 10 is
// a lemma.  Without the guard that makes it one there is no proof.
TEST(Induction, StartsFromStatesThatSatisfyLemmas) {
  const auto growing = [](Value last) {
    Program program;
    const Type type = Type::fixed(32, false);
    const VarId x = program.add_shared(var_of("x", type, {0}));
    ExprPool& exprs = program.exprs;
    const auto compare = [&](Op op, Value value) {
      return exprs.binary(op, exprs.shared(x, type), exprs.constant(value, type), Type::boolean());
    };
    Template templ = template_with("walker", 1);
    for (const ExprId guard : {compare(Op::Lt, last), compare(Op::Gt, 20)}) {
      Action action =
          assign_action(to_shared(x), exprs.binary(Op::Add, exprs.shared(x, type), exprs.constant(1, type), type));
      action.guard = guard;
      add_edge(templ, 0, 0, std::move(action));
    }
    program.add_property({.kind = Property::Kind::Condition,
                          .text = "bad",
                          .span = {},
                          .condition = compare(Op::Eq, 4'000'000'000),
                          .threads = {}});
    program.add_template(std::move(templ));
    program.initial = {{TemplateId(0), LocId(0), 2}};
    return program;
  };
  EXPECT_EQ(verdict_of(growing(10), 2, 14), Verdict::Safe);
  EXPECT_EQ(verdict_of(growing(21), 2, 14), Verdict::Unknown);
}

// 3 and 4 follow each other for ever before the violation: only that no state comes twice ends the argument.
TEST(Induction, NoStateComesTwice) {
  Program program = circle({1, 2, 0, 4, 3, 5}, 5, 1);
  ExprPool& exprs = program.exprs;
  const Type type = program.shared[0].type;
  Action leaves = assign_action(to_shared(VarId(0)), exprs.constant(5, type));
  leaves.guard = exprs.binary(Op::Eq, exprs.shared(VarId(0), type), exprs.constant(4, type), Type::boolean());
  add_edge(program.templates[0], 0, 0, std::move(leaves));
  EXPECT_EQ(verdict_of(program, 1, 10), Verdict::Safe);
}

// Every path of values: never SAFE where the violation is reached, however late.
TEST(Induction, AgreesWithTheWalk) {
  for (std::uint32_t code = 0; code < 625; code += 4) {
    std::vector<Value> next;
    for (std::uint32_t rest = code, i = 0; i < 4; ++i, rest /= 5) next.push_back(rest % 5);
    next.push_back(4);
    Value x = 0;
    for (int step = 0; step < 6; ++step) x = next[static_cast<std::size_t>(x)];
    ASSERT_EQ(verdict_of(circle(next, 4, 1), 1, 12), x == 4 ? Verdict::Unsafe : Verdict::Safe) << code;
  }
}

// Threads that come and go and push each other around, atomic sections, calls, numbers and deadlocks: brute force over
// the interpreter has the last word.
// More for a night: COHORT_ROUNDS=5000.
TEST(Induction, ProvesNothingWrong) {
  const char* given = std::getenv("COHORT_ROUNDS");
  const std::uint64_t rounds = given == nullptr ? 60 : std::stoull(given);
  std::size_t proved = 0;
  for (std::uint64_t seed = 1; seed <= rounds; ++seed) {
    const bool involves_others = seed % 7 < 3;
    const Program program = inline_calls(random_program(seed, {.calls = seed % 2 == 0,
                                                               .spawns = seed % 5 != 0,
                                                               .broadcasts = involves_others,
                                                               .moves = involves_others,
                                                               .takes = involves_others,
                                                               .mixed = seed % 7 == 0,
                                                               .deadlock = seed % 11 == 0,
                                                               .numbers = seed % 3 == 0,
                                                               .cover = seed % 4 == 0}));
    const auto bound = static_cast<std::uint32_t>(2 + seed % 2);
    const Exploration exploration = explore(program, bound, 2000);
    if (!exploration.complete) continue;
    Env env;
    const Verdict verdict = verdict_of(env, program, bound, 10);
    if (exploration.shortest_violation) {
      ASSERT_NE(verdict, Verdict::Safe) << "seed " << seed;
    } else {
      ASSERT_NE(verdict, Verdict::Unsafe) << "seed " << seed;
      proved += env.statistics.find("induction_steps") != nullptr ? 1 : 0;
    }
  }
  EXPECT_GT(proved, rounds / 30);
}

}  // namespace cohort::engine::bmc
