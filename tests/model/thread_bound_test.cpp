#include "model/thread_bound.hpp"

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
