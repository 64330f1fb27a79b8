#include "model/analysis/thread_bound.hpp"

#include <gtest/gtest.h>

#include "model/passes/cuts.hpp"
#include "model/run.hpp"
#include "support/build.hpp"

namespace cohort::model {
namespace {

using namespace cohort::test;

Action creates(TemplateId templ, LocId location, bool copies = false) {
  Action action;
  action.spawns.push_back({.templ = templ, .location = location, .copies_locals = copies, .locals = {}});
  return action;
}

// main creates a worker on the way from 0 to 1 and another on the way from 1 to 2; workers do nothing.
Program two_workers() {
  Program program;
  Template main = template_with("main", 4);
  main.edges.push_back({LocId(0), LocId(1), {creates(TemplateId(1), LocId(0))}});
  main.edges.push_back({LocId(1), LocId(2), {creates(TemplateId(1), LocId(0))}});
  program.add_template(std::move(main));
  program.add_template(template_with("worker", 2));
  program.initial.push_back({TemplateId(0), LocId(0), 1});
  return program;
}

TEST(ThreadBound, CountsWhatIsCreatedOutsideOfLoops) {
  EXPECT_EQ(most_threads(two_workers()), 3U);
}

TEST(ThreadBound, ThereIsNoneWhereALoopCreates) {
  Program program = two_workers();
  program.templates[0].edges.push_back({LocId(2), LocId(1), {Action{}}});
  EXPECT_EQ(most_threads(program), std::nullopt);
}

// main counts from 0 to `rounds` in a local variable, and creates a worker in each round.
Program counting(Value rounds) {
  Program program;
  const Type number = Type::fixed(32, true);
  Template main = template_with("main", 3);
  const VarId i = main.add_local({.name = "i", .type = number, .initial = {0}});
  ExprPool& exprs = program.exprs;
  const ExprId count = exprs.local(i, number);
  const ExprId below = exprs.binary(Op::Lt, count, exprs.constant(rounds, number), Type::boolean());
  Action enter = creates(TemplateId(1), LocId(0));
  enter.guard = below;
  main.edges.push_back({LocId(0), LocId(1), {enter}});
  Action next;
  next.assigns.push_back(
      {{.kind = LValue::Kind::Local, .var = i}, exprs.binary(Op::Add, count, exprs.constant(1, number), number)});
  main.edges.push_back({LocId(1), LocId(0), {next}});
  Action leave;
  leave.guard = exprs.negate(below);
  main.edges.push_back({LocId(0), LocId(2), {leave}});
  program.add_template(std::move(main));
  program.add_template(template_with("worker", 2));
  program.initial.push_back({TemplateId(0), LocId(0), 1});
  return program;
}

TEST(ThreadBound, ALoopThatCountsCreatesThatMany) {
  EXPECT_EQ(most_threads(counting(3)), 4U);
  EXPECT_EQ(most_threads(counting(0)), 1U);
  EXPECT_EQ(most_threads(counting(100)), 101U);
  EXPECT_EQ(most_threads(counting(100000)), std::nullopt) << "too many to be worth counting";
}

// The guard has 200 levels, each of which has the one below it twice: as a tree it has 2^200 nodes.
TEST(ThreadBound, LooksAtSharedPartsOnce) {
  Program program = two_workers();
  const VarId open = program.add_shared(bool_var("open", {}));
  ExprPool& exprs = program.exprs;
  const ExprId read = exprs.shared(open, Type::boolean());
  ExprId guard = read;
  for (int level = 0; level < 200; ++level) {
    const ExprId other = exprs.nondet(Type::boolean());
    guard = exprs.conj(exprs.disj(guard, other), exprs.disj(exprs.negate(guard), other));
  }
  program.templates[0].edges[1].actions[0].guard = guard;
  EXPECT_EQ(most_threads(program), 3U);
}

TEST(ThreadBound, ThereIsNoneWhereTheCounterIsNotKnown) {
  Program program = counting(3);
  program.templates[0].locals[0].initial.clear();
  EXPECT_EQ(most_threads(program), std::nullopt);
  program = counting(3);
  // Reset to any value on the way.
  program.templates[0].edges[1].actions[0].assigns[0].value = program.exprs.nondet(Type::fixed(32, true));
  EXPECT_EQ(most_threads(program), std::nullopt);
}

TEST(ThreadBound, ThereIsNoneWhereOthersMoveThreads) {
  Program program = two_workers();
  program.templates[1].edges.push_back({LocId(0), LocId(1), {Action{}}});
  EXPECT_EQ(most_threads(program), 3U);
  program.templates[1].edges[0].actions[0].moves.push_back({TemplateId(0), LocId(2), LocId(0)});
  EXPECT_EQ(most_threads(program), std::nullopt);
  program.templates[1].edges[0].actions[0].moves.clear();
  program.templates[1].edges[0].actions[0].takes.push_back({TemplateId(0), LocId(2), LocId(0)});
  EXPECT_EQ(most_threads(program), std::nullopt);
}

TEST(ThreadBound, ThreadsOfTheSameTemplateCountFromWhereTheyStart) {
  Program program;
  Template main = template_with("main", 4);
  main.edges.push_back({LocId(0), LocId(1), {creates(TemplateId(0), LocId(3), true)}});
  program.add_template(main);
  program.initial.push_back({TemplateId(0), LocId(0), 1});
  EXPECT_EQ(most_threads(program), 2U);
  program.templates[0].edges.push_back({LocId(3), LocId(0), {Action{}}});
  EXPECT_EQ(most_threads(program), std::nullopt);
}

TEST(ThreadBound, ThereIsNoneWhereAnyNumberStarts) {
  Program program = two_workers();
  program.initial[0].count.reset();
  EXPECT_EQ(most_threads(program), std::nullopt);
}

TEST(Cuts, AreNoErrorsWithoutCuts) {
  Program program = two_workers();
  const PropertyId cut = program.add_property({.kind = Property::Kind::Cut, .text = "recursion"});
  const PropertyId assertion = program.add_property({.kind = Property::Kind::Assertion, .text = "a"});
  program.templates[0].locations[1].error = cut;
  program.templates[0].locations[2].error = assertion;
  const Program rest = without_cuts(program);
  EXPECT_FALSE(rest.templates[0].locations[1].error.has_value());
  EXPECT_EQ(rest.templates[0].locations[2].error, assertion);
}

TEST(SampleValues, AreTheConstantsAndTheirNeighbours) {
  Program program = two_workers();
  program.exprs.constant(40, Type::fixed(32, true));
  const std::vector<Value> expected{-1, 0, 1, 39, 40, 41};
  EXPECT_EQ(sample_values(program), expected);
}

}  // namespace
}  // namespace cohort::model
