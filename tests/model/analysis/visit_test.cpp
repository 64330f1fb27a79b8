#include "model/analysis/visit.hpp"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "support/build.hpp"
#include "support/random_program.hpp"

namespace cohort::model {
namespace {

using test::add_edge;
using test::template_with;

Action named(const std::string& text) {
  Action action;
  action.text = text;
  return action;
}

// A template without edges, one with two edges of which the first has two actions, and another one.
Program sample() {
  Program program;
  program.add_template(template_with("empty", 1));
  Template two = template_with("two", 3);
  add_edge(two, 0, 1, named("a"));
  two.edges.back().actions.push_back(named("b"));
  add_edge(two, 1, 2, named("c"));
  program.add_template(std::move(two));
  Template last = template_with("last", 2);
  add_edge(last, 0, 1, named("d"));
  program.add_template(std::move(last));
  return program;
}

TEST(ActionsOf, VisitsEachActionOnceInOrder) {
  const Program program = sample();
  std::string seen;
  for (const auto& [action, edge, templ] : actions_of(program)) {
    seen += action.text;
    EXPECT_EQ(&edge, &program.templ(templ).edges[action.text == "c" ? 1 : 0]);
    EXPECT_EQ(templ.value, action.text == "d" ? 2U : 1U);
  }
  EXPECT_EQ(seen, "abcd");
  const Program nothing;
  for (const auto& site : actions_of(nothing)) FAIL() << site.action.text;
}

TEST(ActionsOf, CountsAsThreeLoopsDo) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    const Program program = test::random_program(seed);
    std::vector<const Action*> expected;
    for (const Template& templ : program.templates) {
      for (const Edge& edge : templ.edges) {
        for (const Action& action : edge.actions) expected.push_back(&action);
      }
    }
    std::vector<const Action*> found;
    for (const auto& site : actions_of(program)) found.push_back(&site.action);
    EXPECT_EQ(found, expected);
  }
}

TEST(ActionsOf, LetsActionsBeChanged) {
  Program program = sample();
  for (const auto& [action, edge, templ] : actions_of(program)) action.text += "!";
  EXPECT_EQ(program.templates[1].edges[0].actions[1].text, "b!");
}

TEST(AnyAction, FindsOneInEdgeTemplateAndProgram) {
  const Program program = sample();
  const auto is = [](const char* text) { return [text](const Action& action) { return action.text == text; }; };
  EXPECT_TRUE(any_action(program, is("d")));
  EXPECT_FALSE(any_action(program, is("e")));
  EXPECT_FALSE(any_action(program.templates[1], is("d")));
  EXPECT_TRUE(any_action(program.templates[1].edges[0], is("b")));
  EXPECT_FALSE(any_action(program.templates[1].edges[1], is("b")));
}

TEST(ForEachPlaced, NamesWhereThreadsArePut) {
  Action action;
  action.spawns.push_back({.templ = TemplateId(std::size_t{0}), .location = LocId(std::size_t{1})});
  action.moves.push_back({TemplateId(std::size_t{1}), LocId(std::size_t{2}), LocId(std::size_t{3})});
  action.takes.push_back({TemplateId(std::size_t{2}), LocId(std::size_t{4}), LocId(std::size_t{5})});
  action.takes.push_back({TemplateId(std::size_t{2}), LocId(std::size_t{4}), std::nullopt});
  std::vector<std::pair<std::size_t, std::size_t>> placed;
  for_each_placed(action, [&](TemplateId templ, LocId at) { placed.emplace_back(templ.value, at.value); });
  EXPECT_EQ(placed, (std::vector<std::pair<std::size_t, std::size_t>>{{0, 1}, {1, 3}, {2, 5}}));
}

}  // namespace
}  // namespace cohort::model
