// Stopping points that no command line ends at, because what they belong to is worth finishing or has no limits there.
#include <gtest/gtest.h>

#include "engine/explicit/explicit_engine.hpp"
#include "model/passes/hide.hpp"
#include "model/passes/inline.hpp"
#include "model/passes/simplify.hpp"
#include "result/replay.hpp"
#include "strategy/localize.hpp"
#include "strategy/shorten.hpp"
#include "strategy/untangle.hpp"
#include "support/build.hpp"

namespace cohort::strategy {
namespace {

using model::LocId;
using model::Program;
using model::PropertyKind;

// Two threads that each set a flag and then look whether the other one has.
Program flags() {
  Program program;
  const auto property = program.add_property({.kind = PropertyKind::Assertion, .text = "one at a time"});
  const model::VarId flag = program.add_shared(test::bool_var("flag", {0}));
  model::Template templ = test::template_with("worker", 4);
  templ.locations[3].error = property;
  const model::ExprId set = program.exprs.shared(flag, model::Type::boolean());
  test::add_edge(templ, 0, 1);
  test::add_edge(templ, 1, 2, test::assign_action(test::to_shared(flag), program.exprs.truth()));
  test::add_edge(templ, 1, 3, test::guard_action(set));
  program.add_template(templ);
  program.initial.push_back({.templ = model::TemplateId(0), .location = LocId(0), .count = 2});
  return program;
}

// One thread that counts to two and is right about it; a proof has to know the counter.
Program counted() {
  Program program;
  program.faults = model::FaultPolicy::Drop;
  const auto property = program.add_property({.kind = PropertyKind::Assertion, .text = "two"});
  const model::Type type = model::Type::fixed(8, false);
  const model::VarId x = program.add_shared(test::var_of("x", type, {0}));
  const model::ExprId read = program.exprs.shared(x, type);
  const auto number = [&](model::Value value) { return program.exprs.constant(value, type); };
  const model::ExprId more = program.exprs.binary(model::Op::Add, read, number(1), type);
  model::Template templ = test::template_with("worker", 4);
  templ.locations[3].error = property;
  test::add_edge(templ, 0, 1, test::assign_action(test::to_shared(x), more));
  test::add_edge(templ, 1, 2, test::assign_action(test::to_shared(x), more));
  const model::ExprId wrong = program.exprs.binary(model::Op::Ne, read, number(2), model::Type::boolean());
  test::add_edge(templ, 2, 3, test::guard_action(wrong));
  program.add_template(templ);
  program.initial.push_back({.templ = model::TemplateId(0), .location = LocId(0), .count = 1});
  return program;
}

model::Run run_of(const Program& program) {
  Env env;
  const result::Result result = engine::explicit_::ExplicitEngine().check(env, {program, 2, {}});
  EXPECT_EQ(result.verdict, result::Verdict::Unsafe);
  return *result.run;
}

TEST(StopPoints, EndAReplay) {
  const Program program = flags();
  Env env;
  env.stop_at("replay");
  EXPECT_THROW(result::replay(program, 2, run_of(program), &env), Stopped);
}

TEST(StopPoints, EndLifting) {
  const Program flat = flags();
  const model::Simplified simplified = model::simplify(flat);
  Env env;
  env.stop_at("lift");
  EXPECT_THROW(model::lift(flat, 2, simplified, run_of(simplified.program), &env), Stopped);
}

// A run that is not untangled to the end is one all the same.
TEST(StopPoints, LeaveARunThatReplays) {
  const Program program = flags();
  model::Run run = run_of(program);
  Env env;
  env.stop_at("untangle");
  const model::Run left = untangle(program, 2, run, &env);
  EXPECT_TRUE(result::replay(program, 2, left).succeeded);
  EXPECT_EQ(left.steps.size(), run.steps.size());
}

TEST(StopPoints, LeaveARunThatIsNotShortened) {
  const Program program = flags();
  const model::Run run = run_of(program);
  Env env;
  env.stop_at("shorten");
  const model::Run left = shortened(env, program, 2, run, model::PropertyId(std::size_t{0}));
  EXPECT_TRUE(result::replay(program, 2, left).succeeded);
}

// A proof with variables hidden, whose run is followed, and which is refined where that fails.
TEST(StopPoints, EndLocalization) {
  const engine::Engine* searcher = engine::find_engine("explicit");
  const auto localization = localized(*searcher, *searcher);
  const Program program = counted();
  const auto answer = [&](const char* point) {
    Env env;
    env.stop_at(point);
    const result::Result result = localization->check(env, {program, 1, {}});
    EXPECT_EQ(result.verdict, result::Verdict::Unknown) << point;
    return result.reason;
  };
  for (const char* point : {"localize", "localize-refine", "localize-hide", "hide"}) {
    EXPECT_EQ(answer(point), std::string("stopped at the point '") + point + "'");
  }
  Env env;
  EXPECT_EQ(localization->check(env, {program, 1, {}}).verdict, result::Verdict::Safe) << "unless it is stopped";
}

// A choice that nobody can enumerate is hidden when the search comes to it.
TEST(StopPoints, EndTheHidingOfChoices) {
  Program program = flags();
  program.faults = model::FaultPolicy::Drop;
  const model::Type number = model::Type::fixed(64, true);
  const model::VarId time = program.add_shared(test::var_of("time", number, {0}));
  model::Action choose = test::assign_action(test::to_shared(time), program.exprs.nondet(number));
  choose.span = {std::make_shared<const SourceFile>("time.c", ""), 1, 1};
  const model::ExprId late = program.exprs.binary(model::Op::Gt, program.exprs.shared(time, number),
                                                  program.exprs.constant(7, number), model::Type::boolean());
  model::Template main = test::template_with("main", 3);
  test::add_edge(main, 0, 1, choose);
  test::add_edge(main, 1, 2, test::guard_action(late));
  main.locations[2].error = program.add_property({.kind = PropertyKind::Assertion, .text = "early"});
  program.initial.push_back({.templ = program.add_template(main), .location = LocId(0), .count = 1});
  const engine::Engine* searcher = engine::find_engine("explicit");
  const auto localization = localized(*searcher, *searcher, Start::Unknown);
  Env env;
  env.stop_at("localize-choices");
  const result::Result result = localization->check(env, {program, 3, {}});
  EXPECT_EQ(result.verdict, result::Verdict::Unknown);
  EXPECT_EQ(result.reason, "stopped at the point 'localize-choices'");
}

TEST(StopPoints, EndEveryPass) {
  const Program program = flags();
  for (const char* point : {"unreachable", "relevance", "merge", "liveness", "movers"}) {
    Env env;
    env.stop_at(point);
    EXPECT_THROW(model::simplify(program, {}, &env), Stopped) << point;
  }
  Env env;
  env.stop_at("inline");
  EXPECT_THROW(model::inline_calls(program, {}, &env), Stopped);
  env = Env();
  env.stop_at("hide");
  EXPECT_THROW(model::close_hidden(program, model::VariableSet::of(program, true), &env), Stopped);
}

TEST(StopPoints, EndTheInterpreter) {
  const Program program = flags();
  for (const char* point : {"step-outcomes", "interpreter"}) {
    Env env;
    env.stop_at(point);
    const model::Interpreter interpreter(program, 2, &env);
    EXPECT_THROW(
        {
          for (const auto& state : interpreter.initial_states()) interpreter.successors(state);
        },
        Stopped)
        << point;
  }
}

}  // namespace
}  // namespace cohort::strategy
