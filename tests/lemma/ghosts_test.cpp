// Weights of ghosts, and what they prove: counts that threads hand on when they create others, flags beside counters,
// and tickets that wrap around.
#include "lemma/ghosts.hpp"

#include <gtest/gtest.h>

#include <string>

#include "frontend/scpl/scpl.hpp"
#include "lemma/houdini.hpp"
#include "model/passes/simplify.hpp"
#include "support/build.hpp"

namespace cohort::lemma {

using namespace model;
using namespace test;

namespace {

const Type number = Type::fixed(32, true);

// main counts a reference and then creates the thread that holds it.
TEST(Ghosts, FollowWeightsToCreatedThreads) {
  Program program;
  const VarId count = program.add_shared(var_of("count", number, {1}));
  const auto change = [&](Op op) {
    const ExprId one = program.exprs.constant(1, number);
    return assign_action(to_shared(count), program.exprs.binary(op, program.exprs.shared(count, number), one, number));
  };
  Template main = template_with("main", 2);
  add_edge(main, 0, 1, change(Op::Add));
  add_edge(main, 1, 0, spawn_action(1, 0));
  Template worker = template_with("worker", 2);
  add_edge(worker, 0, 1, change(Op::Sub));
  program.add_template(main);
  program.add_template(worker);
  program.initial.push_back({TemplateId(std::size_t{0}), LocId(std::size_t{0}), 1});
  const Instrumented counted = add_ghosts(program);
  ASSERT_EQ(counted.ghosts.size(), 1U);
  EXPECT_EQ(counted.ghosts[0].weights, (Weights{{0, 1}, {1, 0}}));
  EXPECT_EQ(counted.ghosts[0].initial, 1);
}

// main does the same once before its loop and once at its end: the place behind the creation is reached before it is
// known what the thread that was created there has got, and only the way on from there tells.
TEST(Ghosts, SolveForWeightsThatWaysDoNotTell) {
  Program program;
  const VarId count = program.add_shared(var_of("count", number, {1}));
  const auto change = [&](Op op) {
    const ExprId one = program.exprs.constant(1, number);
    return assign_action(to_shared(count), program.exprs.binary(op, program.exprs.shared(count, number), one, number));
  };
  Template main = template_with("main", 3);
  add_edge(main, 0, 1, change(Op::Add));
  add_edge(main, 1, 2, spawn_action(1, 0));
  add_edge(main, 2, 1, change(Op::Add));
  Template worker = template_with("worker", 2);
  add_edge(worker, 0, 1, change(Op::Sub));
  program.add_template(main);
  program.add_template(worker);
  program.initial.push_back({TemplateId(std::size_t{0}), LocId(std::size_t{0}), 1});
  const Instrumented counted = add_ghosts(program);
  ASSERT_EQ(counted.ghosts.size(), 1U);
  EXPECT_EQ(counted.ghosts[0].weights, (Weights{{0, 1, 0}, {1, 0}}));
}

// main creates a thousand threads.  Each raises two counters, waits until the second is a thousand, and ends: then all
// have raised the first, unless it is raised after the other.
Program barrier(bool in_order) {
  constexpr Value all = 1000;
  Program program;
  ExprPool& exprs = program.exprs;
  const VarId before = program.add_shared(var_of("before", number, {0}));
  const VarId arrived = program.add_shared(var_of("arrived", number, {0}));
  const auto compare = [&](Op op, ExprId left) {
    return exprs.binary(op, left, exprs.constant(all, number), Type::boolean());
  };
  const auto raise = [&](VarId var) {
    const ExprId raised = exprs.binary(Op::Add, exprs.shared(var, number), exprs.constant(1, number), number);
    return assign_action(to_shared(var), raised);
  };
  Template main = template_with("main", 3);
  const VarId i = main.add_local(var_of("i", number, {0}));
  const ExprId made = exprs.local(i, number);
  Action next = assign_action(to_local(i), exprs.binary(Op::Add, made, exprs.constant(1, number), number));
  next.guard = compare(Op::Lt, made);
  add_edge(main, 0, 1, next);
  add_edge(main, 1, 0, spawn_action(1, 0));
  add_edge(main, 0, 2, guard_action(compare(Op::Ge, made)));
  Template worker = template_with("worker", 5);
  add_edge(worker, 0, 1, raise(in_order ? before : arrived));
  add_edge(worker, 1, 2, raise(in_order ? arrived : before));
  add_edge(worker, 2, 3, guard_action(compare(Op::Ge, exprs.shared(arrived, number))));
  add_edge(worker, 3, 4, guard_action(compare(Op::Ne, exprs.shared(before, number))));
  add_edge(worker, 3, 3, end_action());
  worker.locations[4].error = program.add_property({.text = "assertion", .span = {}, .condition = {}});
  program.add_template(main);
  program.add_template(worker);
  program.initial.push_back({TemplateId(std::size_t{0}), LocId(std::size_t{0}), 1});
  return program;
}

TEST(Ghosts, CountHowFarThreadsHaveCome) {
  for (const bool in_order : {true, false}) {
    const Instrumented counted = add_ghosts(barrier(in_order));
    ASSERT_GE(counted.ghosts.size(), 3U);
    EXPECT_EQ(counted.ghosts[in_order ? 0 : 1].weights, (Weights{{0, 0, 0}, {0, 1, 1, 1, 1}}));
    EXPECT_EQ(counted.ghosts[in_order ? 1 : 0].weights, (Weights{{0, 0, 0}, {0, 0, 1, 1, 1}}));
    EXPECT_EQ(counted.ghosts[2].weights, (Weights{{0, 0, 0}, {1, 1, 1, 1, 1}}));
    const Commands commands(counted.program);
    Env env;
    const HoudiniOptions options{
        .views = {1, true}, .grammar = {.equations = true}, .census = {counted.ghosts, most_threads_alive}};
    const auto outcome = Houdini(env, commands, options).run().outcome;
    EXPECT_EQ(outcome, in_order ? HoudiniResult::Outcome::Proved : HoudiniResult::Outcome::NotProved);
  }
}

// Who is told leaves by another way, or is thrown out and still counted: only there a broadcast changes how many are
// in.
TEST(Ghosts, LetBroadcastsMoveThreadsOfOneWeight) {
  for (const std::size_t target : {std::size_t{2}, std::size_t{0}}) {
    Program program;
    const VarId count = program.add_shared(var_of("count", number, {0}));
    const auto change = [&](Op op) {
      const ExprId one = program.exprs.constant(1, number);
      return assign_action(to_shared(count),
                           program.exprs.binary(op, program.exprs.shared(count, number), one, number));
    };
    const ExprId none = program.exprs.binary(Op::Le, program.exprs.shared(count, number),
                                             program.exprs.constant(0, number), Type::boolean());
    Template templ = template_with("T", 4);
    add_edge(templ, 0, 1, change(Op::Add));
    add_edge(templ, 1, 0, change(Op::Sub));
    add_edge(templ, 2, 0, change(Op::Sub));
    add_edge(templ, 2, 3, guard_action(none));
    Action tell;
    tell.moves.push_back({TemplateId(std::size_t{0}), LocId(std::size_t{1}), LocId(target)});
    add_edge(templ, 0, 0, tell);
    templ.locations[3].error = program.add_property({.text = "assertion", .span = {}, .condition = {}});
    program.add_template(templ);
    program.initial.push_back({TemplateId(std::size_t{0}), LocId(std::size_t{0}), std::nullopt});
    const Instrumented counted = add_ghosts(program);
    ASSERT_EQ(counted.ghosts.size(), target == 2 ? 1U : 0U);
    if (counted.ghosts.empty()) continue;
    EXPECT_EQ(counted.ghosts[0].weights, (Weights{{0, 1, 1, 1}}));
    const Commands commands(counted.program);
    Env env;
    const HoudiniOptions options{.views = {1, false}, .census = {counted.ghosts, most_threads_alive}};
    EXPECT_EQ(Houdini(env, commands, options).run().outcome, HoudiniResult::Outcome::Proved);
  }
}

// Such steps are no weights; that the least number is its own negation must not make it a small one.
TEST(Ghosts, LeaveStepsOfTheLeastNumberAlone) {
  const Type wide = Type::fixed(64, true);
  for (const Op op : {Op::Add, Op::Sub}) {
    Program program;
    const VarId count = program.add_shared(var_of("count", wide, {0}));
    Template main = template_with("main", 2);
    const ExprId least = program.exprs.constant(INT64_MIN, wide);
    add_edge(main, 0, 1,
             assign_action(to_shared(count), program.exprs.binary(op, program.exprs.shared(count, wide), least, wide)));
    program.add_template(main);
    program.initial.push_back({TemplateId(std::size_t{0}), LocId(std::size_t{0}), 1});
    for (const Ghost& ghost : add_ghosts(program).ghosts) {
      for (const Value weight : ghost.weights[0]) EXPECT_EQ(weight, 0);
    }
  }
}

HoudiniResult::Outcome prove(const std::string& text, std::uint32_t threads, std::uint64_t alive = most_threads_alive) {
  const auto source = std::make_shared<const SourceFile>("ghosts.scpl", text);
  const Instrumented counted = add_ghosts(simplify(frontend::scpl::load(source)).program);
  EXPECT_FALSE(counted.ghosts.empty());
  const Commands commands(counted.program);
  Env env;
  return Houdini(env, commands, {.views = {threads, false}, .census = {counted.ghosts, alive}}).run().outcome;
}

const std::string lock =
    "shared int readers = 0, writer = 0, data = 0;\n"
    "thread reader {\n"
    "  local int seen = 0;\n"
    "  when (writer == 0) readers = readers + 1;\n"
    "  seen = data;\n"
    "  assert seen == data;\n"
    "  readers = readers - 1;\n"
    "}\n"
    "thread writer {\n"
    "  when (writer == 0 && GUARD) writer = 1;\n"
    "  data = data + 1;\n"
    "  writer = 0;\n"
    "}\n";

std::string with(const std::string& text, const std::string& mark, const std::string& by) {
  return std::string(text).replace(text.find(mark), mark.size(), by);
}

// With the writer counted as well, one thread in view is enough.
TEST(Ghosts, CountFlagsBesideCounters) {
  EXPECT_EQ(prove(with(lock, "GUARD", "readers == 0"), 1), HoudiniResult::Outcome::Proved);
  EXPECT_EQ(prove(with(lock, "GUARD", "readers <= 1"), 1), HoudiniResult::Outcome::NotProved);
}

// Who waits looks at what is served in one step and compares in the next.
const std::string tickets =
    "shared uint4 drawn = 0, served = 0;\n"
    "local uint4 mine = 0, seen = 0;\n"
    "again:\n"
    "  mine, drawn = drawn, drawn + 1;\n"
    "look:\n"
    "  seen = served;\n"
    "  if (seen != mine) { goto look; }\n"
    "  assert served == mine;\n"
    "  served = served + 1;\n"
    "  goto again;\n";

// Sixteen numbers are enough for fifteen threads, and not for seventeen.
TEST(Ghosts, ProveTicketsThatWrapAround) {
  EXPECT_EQ(prove(tickets, 2, 15), HoudiniResult::Outcome::Proved);
  EXPECT_EQ(prove(tickets, 2, 17), HoudiniResult::Outcome::NotProved);
}

}  // namespace

}  // namespace cohort::lemma
