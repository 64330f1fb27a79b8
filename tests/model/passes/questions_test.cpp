#include "model/passes/questions.hpp"

#include <algorithm>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/interpreter.hpp"
#include "support/build.hpp"

namespace cohort::model {
namespace {

using namespace cohort::test;
using ::testing::ElementsAre;

class Questions : public testing::Test {
 protected:
  // main: L0 to L1, which violates p0, or to L2, which violates p1; a second thread goes from L0 of helper to L1, p2.
  Questions() {
    const auto file = std::make_shared<const SourceFile>("a.bp", "x\ny\nz\n");
    program_.add_shared(bool_var("s", {0}));
    program_.add_template(template_with("main", 3));
    program_.add_template(template_with("helper", 2));
    program_.add_property({.kind = Property::Kind::Assertion, .text = "late", .span = {file, 2, 3}});
    program_.add_property({.kind = Property::Kind::Assertion, .text = "early", .span = {file, 1, 3}});
    program_.add_property({.kind = Property::Kind::Assertion, .text = "late", .span = {file, 2, 3}});
    program_.add_property({.kind = Property::Kind::Deadlock, .text = "threads wait for ever"});
    program_.add_property({.kind = Property::Kind::Cut, .text = "not modelled"});
    mark(0, 1, 0);
    mark(0, 2, 1);
    mark(1, 1, 2);
    add_edge(program_.templates[0], 0, 1);
    add_edge(program_.templates[0], 0, 2);
    add_edge(program_.templates[1], 0, 1);
    program_.initial.push_back({TemplateId(0), LocId(0), 1});
    program_.initial.push_back({TemplateId(1), LocId(0), 1});
  }

  void mark(std::size_t templ, std::size_t location, std::size_t property) {
    program_.templates[templ].locations[location].error = PropertyId(property);
  }

  static std::vector<std::string> ids(const std::vector<Question>& questions) {
    std::vector<std::string> result;
    for (const Question& question : questions) result.push_back(question.id);
    return result;
  }

  // The properties that some execution violates.
  static std::set<std::size_t> violated(const Program& program) {
    const Interpreter interpreter(program, 2);
    std::vector<State> open = interpreter.initial_states();
    std::vector<State> seen = open;
    std::set<std::size_t> found;
    while (!open.empty()) {
      const State state = open.back();
      open.pop_back();
      if (const auto property = interpreter.violated(state)) {
        found.insert(property->value);
        continue;
      }
      for (const Transition& step : interpreter.successors(state)) {
        if (std::find(seen.begin(), seen.end(), step.target) != seen.end()) continue;
        seen.push_back(step.target);
        open.push_back(step.target);
      }
    }
    return found;
  }

  Program program_;
};

TEST_F(Questions, AreWhatStandsAtOnePlace) {
  const auto all = questions(program_);
  EXPECT_THAT(ids(all), ElementsAre("a.bp:1:3", "a.bp:2:3", "deadlock"));
  EXPECT_THAT(all[1].properties, ElementsAre(PropertyId(0), PropertyId(2)));
}

TEST_F(Questions, AreFoundByTheBeginningOfTheirPlace) {
  EXPECT_THAT(ids(questions_at(program_, "a.bp:2")), ElementsAre("a.bp:2:3"));
  EXPECT_THAT(ids(questions_at(program_, "a.bp")), ElementsAre("a.bp:1:3", "a.bp:2:3"));
  EXPECT_THAT(ids(questions_at(program_, "deadlock")), ElementsAre("deadlock"));
  EXPECT_TRUE(questions_at(program_, "a.b").empty());
  EXPECT_TRUE(questions_at(program_, "a.bp:3").empty());
}

TEST_F(Questions, AskedAloneAreTheOnlyOnesToBeViolated) {
  EXPECT_EQ(violated(program_), (std::set<std::size_t>{0, 1, 2}));
  EXPECT_EQ(violated(asking_only(program_, questions_at(program_, "a.bp:1"))), (std::set<std::size_t>{1}));
  EXPECT_EQ(violated(asking_only(program_, questions_at(program_, "a.bp:2"))), (std::set<std::size_t>{0, 2}));
  EXPECT_EQ(violated(asking_only(program_, questions_at(program_, "deadlock"))), std::set<std::size_t>{});
}

// Whoever has run into another assertion goes no further, and neither does anybody else.
TEST_F(Questions, AreNotAskedBehindAnotherViolation) {
  const Program alone = asking_only(program_, questions_at(program_, "a.bp:1"));
  const Interpreter interpreter(alone, 2);
  std::size_t ended = 0;
  for (const State& start : interpreter.initial_states()) {
    for (const Transition& step : interpreter.successors(start)) {
      const bool is_elsewhere = step.target.threads[0]->location != LocId(2);
      if (!is_elsewhere || interpreter.violated(step.target)) continue;
      EXPECT_TRUE(interpreter.successors(step.target).empty());
      ++ended;
    }
  }
  EXPECT_EQ(ended, 2U);
}

TEST_F(Questions, CutsStayWhatTheyAre) {
  mark(1, 1, 4);
  const Program alone = asking_only(program_, questions_at(program_, "a.bp:1"));
  EXPECT_EQ(violated(alone), (std::set<std::size_t>{1, 4}));
}

}  // namespace
}  // namespace cohort::model
