// What each construct becomes in the model, as the model prints it.
#include <string>

#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "frontend/pbmc/pbmc_text.hpp"
#include "model/print.hpp"
#include "model/validate.hpp"

namespace cohort::frontend::pbmc {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// The edges of the only process.
std::vector<std::string> edges(const std::string& body) {
  const model::Program program = load_text(one_process(body));
  model::validate(program);
  std::vector<std::string> lines;
  for (const model::Edge& edge : program.templates.at(0).edges) {
    lines.push_back(fmt::format("{} -> {}: {}", edge.source.value, edge.target.value,
                                to_string(program, program.templates[0], edge.actions.at(0))));
  }
  return lines;
}

std::string expression(const std::string& text, const std::string& target = "x") {
  const std::string line = edges(target + " = " + text + ";").at(0);
  return line.substr(line.find(":= ") + 3);
}

TEST(Lower, OneStepForEachStatement) {
  EXPECT_THAT(edges("x = 1; skip; a[x] := y; assume p; when (q) y = 2;"),
              ElementsAre("0 -> 1: x := 1", "1 -> 2: skip", "2 -> 3: a[x] := y", "3 -> 4: [p]", "4 -> 5: [q] y := 2"));
}

TEST(Lower, AssignmentsInParallelReadTheStateBefore) {
  EXPECT_THAT(edges("x, y = y, x;"), ElementsAre("0 -> 1: x, y := y, x"));
  EXPECT_THAT(edges("a[0], a[1] = a[1], a[0];"), ElementsAre("0 -> 1: a[0], a[1] := a[1], a[0]"));
}

TEST(Lower, Branches) {
  EXPECT_THAT(edges("if (p) { x = 1; } else if (q) { x = 2; } y = 3;"),
              ElementsAre("0 -> 1: [p]", "0 -> 2: [!p]", "1 -> 4: x := 1", "2 -> 3: [q]", "2 -> 4: [!q]",
                          "3 -> 4: x := 2", "4 -> 5: y := 3"));
  EXPECT_THAT(edges("if (x > 0) { }"), ElementsAre("0 -> 1: [x > 0]", "0 -> 1: [!(x > 0)]"));
}

TEST(Lower, Loops) {
  EXPECT_THAT(edges("while (x < 2) { x = x + 1; }"),
              ElementsAre("0 -> 1: [x < 2]", "0 -> 2: [!(x < 2)]", "1 -> 0: x := x + 1"));
  EXPECT_THAT(edges("while (true) { }"), ElementsAre("0 -> 0: skip"));
  EXPECT_THAT(edges("while (*) { }").size(), 2U);
}

TEST(Lower, AssertionsLeadToAnErrorLocation) {
  const model::Program program = load_text(one_process("assert x == y; assert true;"));
  ASSERT_EQ(program.properties.size(), 2U);
  EXPECT_EQ(program.properties[0].text, "assert x == y");
  ASSERT_EQ(program.templates[0].locations.size(), 4U);
  EXPECT_EQ(program.templates[0].locations[3].error, model::PropertyId(0));
  EXPECT_EQ(program.templates[0].locations[3].label, "line 5 failed");
}

TEST(Lower, AtomicBlocksAreEnteredByTheirFirstStep) {
  EXPECT_THAT(edges("atomic { assume p; x = 1; y = 2; } skip;"),
              ElementsAre("0 -> 1: [p] atomic_begin", "1 -> 2: x := 1", "2 -> 3: y := 2 atomic_end", "3 -> 4: skip"));
  EXPECT_THAT(edges("atomic { x = 1; }"), ElementsAre("0 -> 1: x := 1"));
  EXPECT_THAT(edges("atomic { } atomic { atomic { x = 1; } x = 2; }"),
              ElementsAre("0 -> 1: x := 1 atomic_begin", "1 -> 2: x := 2 atomic_end"));
  EXPECT_THAT(edges("atomic { if (p) { x = 1; } }"),
              ElementsAre("0 -> 1: [p] atomic_begin", "0 -> 2: [!p]", "1 -> 2: x := 1 atomic_end"));
}

TEST(Lower, AnAtomicLoopLeavesTheSectionWhenItEnds) {
  EXPECT_THAT(edges("atomic { while (x < 2) { x = x + 1; } }"),
              ElementsAre("0 -> 1: [x < 2] atomic_begin", "0 -> 2: [!(x < 2)] atomic_end", "1 -> 0: x := x + 1"));
}

TEST(Lower, LabelsNameLocations) {
  const model::Program program = load_text(one_process("first: x = 1; y = 2; y = 3; both: atomic { x = 2; x = 3; }"));
  std::vector<std::string> labels;
  for (const model::Location& location : program.templates[0].locations) labels.push_back(location.label);
  EXPECT_THAT(labels, ElementsAre("first", "line 5", "line 5:23", "both", "line 5:52", "end"));
}

TEST(Lower, OperatorsByTheirStrength) {
  EXPECT_EQ(expression("x + y * x - y"), "x + y * x - y");
  EXPECT_EQ(expression("(x + y) * x"), "(x + y) * x");
  EXPECT_EQ(expression("x - (y - x)"), "x - (y - x)");
  EXPECT_EQ(expression("p || q && x < y + 1", "p"), "p || q && x < y + 1");
  EXPECT_EQ(expression("p => q => p", "p"), "!p || !q || p");
  EXPECT_EQ(expression("p == q", "p"), "p == q");
  EXPECT_EQ(expression("x == y != q", "p"), "x == y != q");
  EXPECT_EQ(expression("p ? x : q ? y : 3"), "p ? x : q ? y : 3");
  EXPECT_EQ(expression("a[a[x] + 1]"), "a[a[x] + 1]");
  EXPECT_EQ(expression("-x"), "0 - x");
  EXPECT_EQ(expression("x / y % 3"), "x / y % 3");
}

TEST(Lower, ConstantsAreFolded) {
  EXPECT_EQ(expression("(2 + 3) * 4 - -1"), "21");
  EXPECT_EQ(expression("7 / 2 + 7 % 2"), "4");
  EXPECT_EQ(expression("-7 / 2"), "(-3)");
  EXPECT_EQ(expression("1 < 2 ? x : y"), "x");
  EXPECT_EQ(expression("1 / 0"), "1 / 0");
  EXPECT_EQ(expression("9223372036854775807 + 1"), "9223372036854775807 + 1");
}

TEST(Lower, AnyTakesTheTypeOfItsPlace) {
  const model::Program program = load_text(one_process("x = *; p = *; q = p == *; x = choose(1 .. 3);"));
  std::vector<std::string> types;
  for (const model::Edge& edge : program.templates[0].edges) {
    model::for_each_node(program.exprs, edge.actions[0].assigns[0].value, [&](const model::Expr& node, model::ExprId) {
      if (node.op == model::Op::Nondet) types.push_back(to_string(node.type));
    });
  }
  EXPECT_THAT(types, ElementsAre("int", "bool", "bool", "1..3"));
}

std::string printed(const std::string& text, const Options& options = {}) {
  const model::Program program = load_text(text, options);
  model::validate(program);
  return to_string(program);
}

TEST(Header, InitialValues) {
  const std::string text = printed(
      "const n = 2, yes = true;\nint a, b = n + 1, c[n] = {4, 5}, d[3] = 7, e = *;\nbool f = yes;\nprocesses 1;\n"
      "init a = -1;\nprocess P { int l = n; }\n");
  EXPECT_THAT(text, HasSubstr("shared a: int = -1\nshared b: int = 3\nshared c: int[2] = 4, 5\nshared d: int[3] = 7\n"
                              "shared e: int\nshared f: bool = 1\n"));
  EXPECT_THAT(text, HasSubstr("local l: int = 2\n"));
}

TEST(Header, ElementsGivenOneByOne) {
  EXPECT_THAT(printed("int a[2];\nprocesses 1;\ninit a[1] = 5, a[0] = 4;\nprocess P { }\n"),
              HasSubstr("shared a: int[2] = 4, 5\n"));
  const std::string some = printed("int a[2];\nprocesses 1;\ninit a[1] = 5;\nassume a[0] > 2;\nprocess P { }\n");
  EXPECT_THAT(some, HasSubstr("shared a: int[2]\n"));
  EXPECT_THAT(some, HasSubstr("assume a[1] == 5 && a[0] > 2\n"));
  EXPECT_THAT(printed("int a[2];\nprocesses 1;\ninit a[1] = 5;\nprocess P { }\n", {.zero_init = true}),
              HasSubstr("shared a: int[2] = 0, 5\n"));
}

TEST(Header, ZeroInitIsForWhatIsNotGiven) {
  const std::string text = printed("int a, b = 3, c = *;\nprocesses 1;\nprocess P { bool l; }\n", {.zero_init = true});
  EXPECT_THAT(text, HasSubstr("shared a: int = 0\nshared b: int = 3\nshared c: int\n"));
  EXPECT_THAT(text, HasSubstr("local l: bool = 0\n"));
}

TEST(Header, PropertiesAreNegatedAndNameNoThread) {
  const model::Program program =
      load_text("int x;\nprocesses 1;\nproperty small:  x <  4;\nproperty x != 3;\nprocess P { }\n");
  ASSERT_EQ(program.properties.size(), 2U);
  EXPECT_EQ(program.properties[0].text, "small: x < 4");
  EXPECT_EQ(program.properties[0].kind, model::Property::Kind::Cover);
  EXPECT_TRUE(program.properties[0].threads.empty());
  EXPECT_EQ(to_string(program, nullptr, *program.properties[0].condition), "!(x < 4)");
}

TEST(Header, FaultsAreViolationsUnlessTheyBlock) {
  const std::string rest = "processes 1;\nprocess P { }\n";
  EXPECT_EQ(load_text(rest).faults, model::FaultPolicy::Violation);
  EXPECT_EQ(load_text("faults violate;\n" + rest).faults, model::FaultPolicy::Violation);
  EXPECT_EQ(load_text("faults block;\n" + rest).faults, model::FaultPolicy::Drop);
}

TEST(Replication, ProcessesThatIgnoreTheirIndexAreOneTemplate) {
  const model::Program program =
      load_text("int x = 0;\nprocesses 5;\nprocess P[i : 4] { x = 1; }\nprocess Q { x = 2; }\n");
  ASSERT_EQ(program.templates.size(), 2U);
  EXPECT_EQ(program.templates[0].name, "P");
  EXPECT_EQ(program.initial[0].count, 4U);
  EXPECT_EQ(model::fixed_thread_count(program), 5U);
}

TEST(Replication, ProcessesThatUseTheirIndexHaveItAsAConstant) {
  const std::string text =
      printed("const n = 3;\nint a[n] = 0;\nprocesses n;\nprocess P[i] { int l = i; a[(i + 1) % n] = i; }\n");
  EXPECT_THAT(text, HasSubstr("template P[0]() entry 0:line 4\n  local l: int = 0\n  0:line 4 -> 1:end: a[1] := 0\n"));
  EXPECT_THAT(text, HasSubstr("template P[2]() entry 0:line 4\n  local l: int = 2\n  0:line 4 -> 1:end: a[0] := 2\n"));
  EXPECT_THAT(text, HasSubstr("initially 1 P[1] 0:line 4\n"));
}

TEST(Replication, TheHeadersNumberFillsUp) {
  const model::Program program =
      load_text("int x = 0;\nprocesses 6;\nprocess P[i] { }\nprocess Q { }\nprocess R[j : 2] { }\n");
  ASSERT_EQ(program.initial.size(), 3U);
  EXPECT_EQ(program.initial[0].count, 3U);
  EXPECT_EQ(program.initial[2].count, 2U);
}

}  // namespace
}  // namespace cohort::frontend::pbmc
