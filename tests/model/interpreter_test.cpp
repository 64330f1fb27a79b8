// What the interpreter does beyond Boolean programs, whose statements have their tests with the front end: references,
// rendezvous, moves, faults, ranges, initial groups.
#include "model/interpreter.hpp"

#include <algorithm>
#include <set>

#include <gtest/gtest.h>

#include "base/source.hpp"
#include "model/passes/inline.hpp"
#include "model/passive.hpp"
#include "model/validate.hpp"
#include "support/build.hpp"
#include "support/random_program.hpp"

namespace cohort::model {
namespace {

using namespace test;

// One template `t` with `locations` locations and one local `x`, one initial thread at L0.
struct OneTemplate {
  Program program;
  VarId x;

  explicit OneTemplate(std::size_t locations, Type type = Type::boolean()) {
    Template templ = template_with("t", locations);
    x = templ.add_local(var_of("x", type, {type.default_value()}));
    program.add_template(std::move(templ));
    program.initial.push_back({TemplateId(0), LocId(0), 1});
  }
  Template& templ() { return program.templ(TemplateId(0)); }
};

TEST(Interpreter, ReadsAndWritesThroughReferences) {
  OneTemplate one(2, Type::range(0, 5));
  one.program.initial[0].count = 2;
  ExprPool& exprs = one.program.exprs;
  // The other thread's x becomes its old value plus one: the thread in slot 0 refers to slot 1 by the constant 2.
  const ExprId other = exprs.constant(2, Type::thread_ref());
  Action action;
  LValue target{.kind = LValue::Kind::Remote, .var = one.x, .ref = other, .templ = TemplateId(0)};
  const ExprId value = exprs.remote(other, TemplateId(0), one.x, Type::range(0, 5));
  action.assigns.push_back({target, exprs.binary(Op::Add, value, exprs.constant(1, Type::integer()), Type::integer())});
  add_edge(one.templ(), 0, 1, action);
  const Interpreter interpreter(one.program, 2);
  const auto steps = interpreter.successors(interpreter.initial_states().at(0), 0, {TemplateId(0), 0});
  ASSERT_EQ(steps.size(), 1U);
  EXPECT_EQ(steps[0].target.threads[1]->locals, Valuation{1});
  EXPECT_EQ(steps[0].target.threads[0]->locals, Valuation{0});
  // Slot 1 writes to itself.
  const auto self = interpreter.successors(interpreter.initial_states().at(0), 1, {TemplateId(0), 0});
  EXPECT_EQ(self.at(0).target.threads[1]->locals, Valuation{1});
}

TEST(Interpreter, FaultsOnNullAndLeavesTheStateAsItWas) {
  OneTemplate one(2);
  ExprPool& exprs = one.program.exprs;
  const ExprId null = exprs.constant(0, Type::thread_ref());
  add_edge(one.templ(), 0, 1, guard_action(exprs.remote(null, TemplateId(0), one.x, Type::boolean())));
  const State start = Interpreter(one.program, 1).initial_states().at(0);
  const auto steps = Interpreter(one.program, 1).successors(start);
  ASSERT_EQ(steps.size(), 1U);
  EXPECT_EQ(steps[0].fault, FaultKind::NullReference);
  EXPECT_EQ(steps[0].target, start);
  one.program.faults = FaultPolicy::Drop;
  EXPECT_TRUE(Interpreter(one.program, 1).successors(start).empty());
}

TEST(Interpreter, FaultsWhenAValueLeavesItsRange) {
  OneTemplate one(2, Type::range(0, 2));
  ExprPool& exprs = one.program.exprs;
  const ExprId next =
      exprs.binary(Op::Add, exprs.local(one.x, Type::range(0, 2)), exprs.constant(2, Type::integer()), Type::integer());
  add_edge(one.templ(), 0, 0, assign_action(to_local(one.x), next));
  const Interpreter interpreter(one.program, 1);
  const auto first = interpreter.successors(interpreter.initial_states().at(0));
  ASSERT_FALSE(first.at(0).fault);
  EXPECT_EQ(interpreter.successors(first.at(0).target).at(0).fault, FaultKind::OutOfRange);
}

TEST(Interpreter, TakesDifferentThreads) {
  OneTemplate one(3);
  one.program.initial = {{TemplateId(0), LocId(0), 1}, {TemplateId(0), LocId(1), 2}};
  Action action;
  action.takes = {{TemplateId(0), LocId(1), LocId(2)}, {TemplateId(0), LocId(1), std::nullopt}};
  add_edge(one.templ(), 0, 0, action);
  const Interpreter interpreter(one.program, 3);
  State start = interpreter.initial_states().at(0);
  const auto alike = interpreter.successors(start, 0, {TemplateId(0), 0});
  ASSERT_EQ(alike.size(), 1U);  // which of two equal threads goes on and which ends makes no difference
  start.threads[2]->locals = {1};
  const auto steps = interpreter.successors(start, 0, {TemplateId(0), 0});
  ASSERT_EQ(steps.size(), 2U);
  for (const Transition& step : steps) {
    EXPECT_EQ(step.target.alive(), 2U);
    // Now only one thread is left at L2 and none at L1: the rendezvous is not possible any more.
    EXPECT_TRUE(interpreter.successors(step.target, 0, {TemplateId(0), 0}).empty());
  }
}

TEST(Interpreter, LetsEachPassiveThreadChooseItsMove) {
  OneTemplate one(4);
  one.program.initial = {{TemplateId(0), LocId(0), 1}, {TemplateId(0), LocId(1), 2}};
  Action action;
  action.moves = {{TemplateId(0), LocId(1), LocId(2)}, {TemplateId(0), LocId(1), LocId(3)}};
  add_edge(one.templ(), 0, 0, action);
  const Interpreter interpreter(one.program, 3);
  EXPECT_EQ(interpreter.successors(interpreter.initial_states().at(0)).size(), 4U);
}

TEST(Interpreter, SharesOutThreadsAmongGroupsWithoutACount) {
  OneTemplate one(2);
  one.program.initial = {{TemplateId(0), LocId(0), std::nullopt}, {TemplateId(0), LocId(1), std::nullopt}};
  EXPECT_EQ(Interpreter(one.program, 3).initial_states().size(), 4U);  // 0+3, 1+2, 2+1, 3+0
  const Interpreter unbounded(one.program, std::nullopt);
  for (const State& state : Interpreter(one.program, 3).initial_states()) EXPECT_TRUE(unbounded.is_initial(state));
}

TEST(Interpreter, RefusesMoreInitialThreadsThanTheBound) {
  OneTemplate one(1);
  one.program.initial[0].count = 3;
  EXPECT_THROW(Interpreter(one.program, 2).initial_states(), InputError);
}

TEST(Interpreter, RefusesChoicesThatNobodyCanEnumerate) {
  OneTemplate one(2, Type::fixed(32, true));
  add_edge(one.templ(), 0, 1, assign_action(to_local(one.x), one.program.exprs.nondet(Type::fixed(32, true))));
  const Interpreter interpreter(one.program, 1);
  EXPECT_THROW(interpreter.successors(interpreter.initial_states().at(0)), InputError);
}

TEST(Interpreter, ChecksCoverByDistinctThreads) {
  OneTemplate one(2);
  one.program.add_property({.kind = Property::Kind::Cover,
                            .text = "two at L0",
                            .threads = {{TemplateId(0), LocId(0)}, {TemplateId(0), LocId(0)}}});
  const auto violated = [&](std::uint32_t count) {
    one.program.initial[0].count = count;
    const Interpreter interpreter(one.program, 4);
    return interpreter.violated(interpreter.initial_states().at(0)).has_value();
  };
  EXPECT_FALSE(violated(1));
  EXPECT_TRUE(violated(2));
  EXPECT_TRUE(violated(3));
}

// A thread goes on where the shared x's of all others are apart, two by two: with one other nothing is asked.
TEST(Interpreter, TiesPassiveThreadsToEachOther) {
  OneTemplate one(2, Type::range(0, 2));
  one.templ().locals[0].initial.clear();
  one.program.initial[0].count.reset();
  ExprPool& exprs = one.program.exprs;
  const auto x = [&](std::uint32_t number) {
    return passive_variable(exprs, TemplateId(0), one.x, Type::range(0, 2), false, number);
  };
  Action action;
  action.constraint.push_back(exprs.binary(Op::Ne, x(0), x(1), Type::boolean()));
  add_edge(one.templ(), 0, 1, action);
  EXPECT_NO_THROW(validate(one.program));
  for (std::uint32_t bound = 1; bound <= 4; ++bound) {
    const Interpreter interpreter(one.program, bound);
    for (const State& state : interpreter.initial_states()) {
      std::multiset<Value> others;
      for (std::size_t i = 1; i < bound; ++i) others.insert(state.threads[i]->locals[0]);
      const bool apart = std::set<Value>(others.begin(), others.end()).size() == others.size();
      EXPECT_EQ(interpreter.successors(state, 0, {TemplateId(0), 0}).size(), apart ? 1U : 0U);
    }
  }
}

// Three different threads, of two templates: values after the step count, in every order.
TEST(Interpreter, TiesThreadsOfSeveralTemplatesAfterTheStep) {
  OneTemplate one(2);
  Template other = template_with("u", 1);
  const VarId y = other.add_local(var_of("y", Type::boolean(), {}));
  one.program.add_template(std::move(other));
  one.program.initial.push_back({TemplateId(1), LocId(0), 2});
  ExprPool& exprs = one.program.exprs;
  Action action;
  const auto after = [&](std::uint32_t number) {
    return passive_variable(exprs, TemplateId(1), y, Type::boolean(), true, number);
  };
  action.assigns.push_back({to_passive(y, TemplateId(1)), exprs.nondet(Type::boolean())});
  action.constraint.push_back(exprs.binary(Op::Xor, after(0), after(1), Type::boolean()));
  add_edge(one.templ(), 0, 1, action);
  EXPECT_NO_THROW(validate(one.program));
  const Interpreter interpreter(one.program, 3);
  for (const State& state : interpreter.initial_states()) {
    std::set<Valuation> found;
    for (const Transition& step : interpreter.successors(state, 0, {TemplateId(0), 0})) {
      found.insert({step.target.threads[1]->locals[0], step.target.threads[2]->locals[0]});
    }
    EXPECT_EQ(found, (std::set<Valuation>{{0, 1}, {1, 0}}));
  }
}

// A step of one template looks at threads of another, and at none of its own.
TEST(Interpreter, LooksAtPassiveThreadsOfOtherTemplates) {
  OneTemplate one(2);
  Template other = template_with("u", 1);
  const VarId y = other.add_local(var_of("y", Type::boolean(), {}));
  one.program.add_template(std::move(other));
  one.program.initial[0].count = 2;
  one.program.initial.push_back({TemplateId(1), LocId(0), 2});
  Action action;
  action.constraint.push_back(passive_variable(one.program.exprs, TemplateId(1), y, Type::boolean()));
  add_edge(one.templ(), 0, 1, action);
  const Interpreter interpreter(one.program, 4);
  for (const State& state : interpreter.initial_states()) {
    const bool all = state.threads[2]->locals[0] != 0 && state.threads[3]->locals[0] != 0;
    EXPECT_EQ(interpreter.successors(state, 0, {TemplateId(0), 0}).size(), all ? 1U : 0U);
  }
}

// The semantics does not tell threads apart: permuting the slots of a state permutes its successors.
TEST(Interpreter, CommutesWithPermutationsOfThreads) {
  RandomProgramOptions options;
  options.broadcasts = options.moves = options.takes = true;
  for (std::uint64_t seed = 1; seed <= 120; ++seed) {
    options.foreign = options.ties = seed > 60;
    const Program program = inline_calls(random_program(seed, options));
    const Interpreter interpreter(program, 4);
    State state = interpreter.initial_states().at(0);
    for (int i = 0; i < 6; ++i) {
      State mirrored = state;
      std::reverse(mirrored.threads.begin(), mirrored.threads.end());
      std::set<State> expected;
      std::set<State> found;
      for (const Transition& step : interpreter.successors(state)) expected.insert(canonical(step.target));
      for (const Transition& step : interpreter.successors(mirrored)) found.insert(canonical(step.target));
      ASSERT_EQ(expected, found) << "seed " << seed;
      const auto steps = interpreter.successors(state);
      if (steps.empty()) break;
      state = steps[seed % steps.size()].target;
    }
  }
}

}  // namespace
}  // namespace cohort::model
