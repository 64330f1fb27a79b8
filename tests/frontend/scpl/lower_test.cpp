// What each construct becomes in the model, as the model prints it.
#include <string>

#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "frontend/scpl/scpl_text.hpp"
#include "model/print.hpp"
#include "model/validate.hpp"
#include "support/explore.hpp"

namespace cohort::frontend::scpl {
namespace {

using ::testing::ElementsAre;

std::vector<std::string> edges(const std::string& statements) {
  const model::Program program = load_text(body(statements));
  model::validate(program);
  std::vector<std::string> lines;
  for (const model::Edge& edge : program.templates.at(0).edges) {
    lines.push_back(fmt::format("{} -> {}: {}", edge.source.value, edge.target.value,
                                to_string(program, program.templates[0], edge.actions.at(0))));
  }
  return lines;
}

TEST(Lower, TheFormOfThePaper) {
  const model::Program program = load_text("shared s = 0;\nlocal l = 1;\n1: l = s;\n2: assume s != l;\n3: goto 1, 3;");
  model::validate(program);
  ASSERT_EQ(program.templates.size(), 1U);
  ASSERT_EQ(program.initial.size(), 1U);
  EXPECT_FALSE(program.initial[0].count) << "any number of threads";
  EXPECT_EQ(program.shared[0].type, model::Type::fixed(32, true));
  EXPECT_EQ(program.templates[0].locals[0].initial, std::vector<model::Value>{1});
  EXPECT_EQ(program.templates[0].edges.size(), 4U);
  EXPECT_EQ(program.templates[0].edges[2].target, model::LocId{0});
  EXPECT_EQ(program.templates[0].edges[3].target, model::LocId{2});
  EXPECT_EQ(program.templates[0].locations[1].label, "2");
}

TEST(Lower, OneStepForEachStatement) {
  EXPECT_THAT(edges("x = 1; skip; y := x; assume p; when (q) y = 2;"),
              ElementsAre("0 -> 1: x := 1", "1 -> 2: skip", "2 -> 3: y := x", "3 -> 4: [p]", "4 -> 5: [q] y := 2"));
  EXPECT_THAT(edges("x, y = y, x;"), ElementsAre("0 -> 1: x, y := y, x"));
}

TEST(Lower, BranchesAndLoops) {
  EXPECT_THAT(edges("if (p) { x = 1; } else if (q) { x = 2; } y = 3;"),
              ElementsAre("0 -> 1: [p]", "0 -> 2: [!p]", "1 -> 4: x := 1", "2 -> 3: [q]", "2 -> 4: [!q]",
                          "3 -> 4: x := 2", "4 -> 5: y := 3"));
  EXPECT_THAT(edges("while (x < 2) { x = x + 1; }"),
              ElementsAre("0 -> 1: [x < 2]", "0 -> 2: [!(x < 2)]", "1 -> 0: x := x + 1"));
  EXPECT_THAT(edges("while (true) { }"), ElementsAre("0 -> 0: skip"));
  EXPECT_EQ(edges("if (*) { x = 1; }").size(), 3U);
}

TEST(Lower, AssertionsLeadToAnErrorLocation) {
  const model::Program program = load_text(body("assert x == y; assert true;"));
  model::validate(program);
  ASSERT_EQ(program.properties.size(), 2U);
  const model::Template& templ = program.templates[0];
  EXPECT_EQ(templ.locations.at(templ.edges.at(1).target.value).error, model::PropertyId{0});
  EXPECT_EQ(templ.edges.size(), 3U) << "nothing leads to the failure of an assertion that always holds";
}

TEST(Lower, AtomicSectionsBeginWithTheirFirstStep) {
  const auto changes = [](const std::string& statements) {
    const model::Program program = load_text(body(statements));
    model::validate(program);
    std::string result;
    for (const model::Edge& edge : program.templates[0].edges)
      result += "-EX"[static_cast<int>(edge.actions[0].atomic)];
    return result;
  };
  EXPECT_EQ(changes("x = 1; atomic { x = 2; y = 3; x = 4; } y = 5;"), "-E-X-");
  EXPECT_EQ(changes("atomic { x = 2; }"), "-") << "one step is atomic anyway";
  EXPECT_EQ(changes("atomic { x = 1; atomic { y = 2; } x = 3; }"), "E-X") << "a section inside another means nothing";
  EXPECT_EQ(changes("atomic { while (p) { x = 1; } }"), "EX-") << "the head may be reached from inside";
  EXPECT_EQ(changes("l: skip; atomic { x = 1; goto l; }"), "-EX") << "a jump out of the section leaves it";
  EXPECT_EQ(changes("atomic { x = 1; } atomic { x = 2; y = 3; }"), "-EX");
}

TEST(Lower, TypesWrapAround) {
  const model::Program program =
      load_text("shared uint2 s = 3;\nshared int2 t = 1; s = s + 1; t = t + 1; assert s == 0 && t == -2;");
  EXPECT_FALSE(test::explore(program, 1, 1000).shortest_violation);
}

TEST(Lower, ConversionsWrapAround) {
  EXPECT_FALSE(test::explore(load_text("shared x = 300; local uint8 a = 0; a = uint8(x); assert a == 44;"), 1, 1000)
                   .shortest_violation);
}

TEST(Lower, SeveralThreadsAndTheirNumbers) {
  const model::Program program = load_text(
      "shared x = 0;\nthread main [1] { start worker; }\nthread worker [0] { local l = 2; x = l; }\nthread other { "
      "skip; }");
  model::validate(program);
  ASSERT_EQ(program.templates.size(), 3U);
  ASSERT_EQ(program.initial.size(), 2U) << "no worker exists at the start";
  EXPECT_EQ(program.initial[0].count, 1U);
  EXPECT_FALSE(program.initial[1].count);
  EXPECT_EQ(program.templates[0].edges.at(0).actions.at(0).spawns.at(0).templ, model::TemplateId{1});
}

TEST(Lower, AStartedThreadBeginsWithItsLocals) {
  EXPECT_TRUE(test::explore(load_text("shared x = 0;\nthread main [1] { start worker; assert x != 2; }\n"
                                      "thread worker [0] { local l = 2; x = l; }"),
                            2, 1000)
                  .shortest_violation);
}

}  // namespace
}  // namespace cohort::frontend::scpl
