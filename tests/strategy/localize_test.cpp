#include "strategy/localize.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "model/passes/inline.hpp"
#include "model/print.hpp"
#include "result/replay.hpp"
#include "support/build.hpp"
#include "support/explore.hpp"
#include "support/random_program.hpp"

namespace cohort::strategy {
namespace {

using model::FaultPolicy;
using model::LocId;
using model::Program;
using model::Property;
using model::Type;
using model::VarId;
using result::Verdict;

// Main creates threads in a loop of many rounds.  Each thread adds one to x and takes it away again; main looks whether
// x is 0.  With `locked`, both hold a lock meanwhile.
Program many_threads(bool locked) {
  constexpr model::Value rounds = 10'000;
  Program program;
  program.faults = FaultPolicy::Drop;
  const Type number = Type::fixed(32, true);
  const VarId x = program.add_shared(test::var_of("x", number, {0}));
  const VarId lock = program.add_shared(test::bool_var("lock", {0}));
  const auto property = program.add_property({.text = "x is 0"});
  model::ExprPool& exprs = program.exprs;
  const auto constant = [&](model::Value value) { return exprs.constant(value, number); };
  const auto compare = [&](model::Op op, model::ExprId left, model::ExprId right) {
    return exprs.binary(op, left, right, Type::boolean());
  };
  const auto add_lock = [&](model::Template& templ, std::size_t from) {
    model::Action action = test::assign_action(test::to_shared(lock), exprs.truth());
    if (locked) action.guard = exprs.negate(exprs.shared(lock, Type::boolean()));
    test::add_edge(templ, from, from + 1, action);
  };
  const auto add_unlock = [&](model::Template& templ, std::size_t from) {
    test::add_edge(templ, from, from + 1, test::assign_action(test::to_shared(lock), exprs.falsity()));
  };
  const auto add_step = [&](model::Template& templ, std::size_t from, model::Value amount) {
    const auto sum = exprs.binary(model::Op::Add, exprs.shared(x, number), constant(amount), number);
    test::add_edge(templ, from, from + 1, test::assign_action(test::to_shared(x), sum));
  };
  model::Template main = test::template_with("main", 6);
  const VarId i = main.add_local(test::var_of("i", number, {0}));
  const auto count = exprs.local(i, number);
  model::Action create = test::guard_action(compare(model::Op::Lt, count, constant(rounds)));
  create.spawns.push_back({.templ = model::TemplateId(1), .location = LocId(0), .locals = {}});
  test::add_edge(main, 0, 1, create);
  test::add_edge(main, 1, 0,
                 test::assign_action(test::to_local(i), exprs.binary(model::Op::Add, count, constant(1), number)));
  test::add_edge(main, 0, 2, test::guard_action(compare(model::Op::Ge, count, constant(rounds))));
  add_lock(main, 2);
  test::add_edge(main, 3, 4, test::guard_action(compare(model::Op::Ne, exprs.shared(x, number), constant(0))));
  main.locations[4].error = property;
  program.initial.push_back({.templ = program.add_template(main), .location = LocId(0)});
  model::Template worker = test::template_with("worker", 5);
  add_lock(worker, 0);
  add_step(worker, 1, 1);
  add_step(worker, 2, -1);
  add_unlock(worker, 3);
  program.add_template(worker);
  return program;
}

result::Result localize(Env& env, const Program& program, std::string_view prover, std::optional<std::uint32_t> bound,
                        Start start = Start::Everything) {
  const auto engine = localized(*engine::find_engine(prover), *engine::find_engine("explicit"), start);
  const engine::Task task{program, bound, {}};
  if (const auto refusal = engine->refuses(task)) return result::Result::unknown(*refusal);
  return engine->check(env, task);
}

TEST(Localize, ProvesALockForAnyNumberOfThreadsWithoutTheLoopsCounter) {
  Env env;
  env.limits.set_time_limit(20);
  const auto answer = localize(env, many_threads(true), "karp-miller", std::nullopt);
  EXPECT_EQ(answer.verdict, Verdict::Safe) << answer.reason;
  ASSERT_NE(env.statistics.find("hidden_variables"), nullptr);
  EXPECT_EQ(to_string(*env.statistics.find("hidden_variables")), "i");
}

TEST(Localize, NeverProvesWhatIsNotSo) {
  Env env;
  env.limits.set_time_limit(2);
  const Program program = many_threads(false);
  const auto answer = localize(env, program, "karp-miller", std::nullopt);
  EXPECT_NE(answer.verdict, Verdict::Safe);
  if (answer.verdict == Verdict::Unsafe) {
    const auto replayed = result::replay(program, std::nullopt, *answer.run);
    EXPECT_TRUE(replayed.succeeded) << replayed.message;
  }
}

// Main puts a number that nobody can enumerate into `time`, and comes to the property where `guard` holds.  A choice
// for a number that was never written, which is wide too, is there and never made.
Program looks_at_the_time(model::Op op, bool reads_time) {
  Program program;
  program.faults = FaultPolicy::Drop;
  const Type number = Type::fixed(64, true);
  const VarId time = program.add_shared(test::var_of("time", number, {0}));
  const VarId kept = program.add_shared(test::var_of("kept", Type::fixed(32, true), {5}));
  const auto property = program.add_property({.text = "never"});
  model::ExprPool& exprs = program.exprs;
  model::Template main = test::template_with("main", 4);
  const auto add = [&](std::size_t from, model::Action action, std::uint32_t line) {
    action.span = {std::make_shared<const SourceFile>("time.c", ""), line, 1};
    test::add_edge(main, from, from + 1, std::move(action));
  };
  add(0, test::assign_action(test::to_shared(time), exprs.nondet(number)), 1);
  model::Action unwritten = test::assign_action(test::to_shared(kept), exprs.nondet(Type::fixed(32, true)));
  const auto is_kept = [&](model::Op compared, model::Value value) {
    const Type type = Type::fixed(32, true);
    return exprs.binary(compared, exprs.shared(kept, type), exprs.constant(value, type), Type::boolean());
  };
  unwritten.guard = is_kept(model::Op::Ne, 5);
  add(1, unwritten, 2);
  add(1, test::guard_action(is_kept(model::Op::Eq, 5)), 3);
  const auto late = exprs.binary(model::Op::Gt, exprs.shared(time, number), exprs.constant(7, number), Type::boolean());
  const auto bad = is_kept(op, 5);
  add(2, test::guard_action(reads_time ? exprs.conj(late, bad) : bad), 4);
  main.locations[3].error = property;
  program.initial.push_back({.templ = program.add_template(main), .location = LocId(0)});
  return program;
}

TEST(Localize, HidesOnlyChoicesThatAreMade) {
  Env env;
  env.limits.set_time_limit(20);
  const auto answer = localize(env, looks_at_the_time(model::Op::Ne, true), "explicit", 1, Start::Unknown);
  EXPECT_EQ(answer.verdict, Verdict::Safe) << answer.reason;
  ASSERT_NE(env.statistics.find("hidden_variables"), nullptr);
  EXPECT_EQ(to_string(*env.statistics.find("hidden_variables")), "time");
}

TEST(Localize, SaysWhatHiddenChoicesMatterFor) {
  Env env;
  env.limits.set_time_limit(20);
  // Some value of the time leads there; a sample that holds it is found, or nothing is said.
  const auto read = localize(env, looks_at_the_time(model::Op::Eq, true), "explicit", 1, Start::Unknown);
  EXPECT_NE(read.verdict, Verdict::Safe);
  const auto not_read = localize(env, looks_at_the_time(model::Op::Eq, false), "explicit", 1, Start::Unknown);
  EXPECT_EQ(not_read.verdict, Verdict::Unsafe) << not_read.reason;
}

TEST(Localize, AgreesWithBruteForceOnRandomPrograms) {
  std::size_t safe = 0;
  std::size_t unsafe = 0;
  test::RandomProgramOptions options;
  options.numbers = options.takes = true;
  for (std::uint64_t seed = 0; seed < 250; ++seed) {
    Program program = model::inline_calls(test::random_program(seed, options));
    program.faults = FaultPolicy::Drop;
    std::erase_if(program.properties, [](const Property& one) { return one.kind == Property::Kind::Fault; });
    for (std::uint32_t bound = 2; bound <= 3; ++bound) {
      const auto truth = test::explore(program, bound, 3000);
      if (!truth.complete) continue;
      for (const Start start : {Start::Everything, Start::Unknown}) {
        Env env;
        env.limits.set_time_limit(20);
        const auto answer = localize(env, program, "explicit", bound, start);
        if (answer.verdict == Verdict::Safe) {
          ASSERT_TRUE(truth.violated.empty()) << "seed " << seed << " bound " << bound << to_string(program);
          ++safe;
        }
        if (answer.verdict == Verdict::Unsafe) {
          ASSERT_TRUE(result::replay(program, bound, *answer.run).succeeded) << "seed " << seed;
          ++unsafe;
        }
      }
    }
  }
  EXPECT_GT(safe, 50U);
  EXPECT_GT(unsafe, 50U);
}

}  // namespace
}  // namespace cohort::strategy
