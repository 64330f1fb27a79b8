#include "frontend/bp/lower.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "frontend/bp/bp_text.hpp"
#include "frontend/bp/model_text.hpp"

namespace cohort::frontend::bp {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

model::Program load_text(const std::string& text, const Options& options = {}) {
  return load(source(text), options);
}

// The edges of main with this body, over shared g, h and local x, y.
std::vector<std::string> lowered(const std::string& body, const std::string& others = "") {
  const model::Program program = load_text("decl g, h; void main() begin decl x, y; " + body + " end " + others);
  return ModelText(program).edges("main");
}

TEST(LowerStatement, SkipAndTheEndAreOneStepEach) {
  EXPECT_THAT(lowered("skip"), ElementsAre("0 -> 1 `skip`", "1 -> 1 `end` return"));
}

TEST(LowerStatement, AnEmptyBodyEndsAtOnce) {
  EXPECT_THAT(lowered(""), ElementsAre("0 -> 0 `end` return"));
}

TEST(LowerStatement, AssignmentsReadOldValuesAndKeepTheirConstraint) {
  EXPECT_THAT(lowered("x, g := g, x constrain 'x & (!g & 'g | h)"),
              ElementsAre("0 -> 1 `x, g := g, x constrain 'x & (!g & 'g | h)` x := g g := x constrain 'x constrain "
                          "((!g & 'g) | h)",
                          "1 -> 1 `end` return"));
}

TEST(LowerStatement, DiscardedValuesLeaveNoTrace) {
  EXPECT_EQ(lowered("_, x, _ := g, 1, *").front(), "0 -> 1 `_, x, _ := g, 1, *` x := 1");
}

TEST(LowerStatement, EveryStarIsAChoiceOfItsOwn) {
  const model::Program program = load_text("decl a, b; void main() begin a, b := *, *; assert(*) end");
  std::set<model::ExprId> choices;
  for (const model::Edge& edge : program.templates[0].edges) {
    for (const model::Assign& assign : edge.actions[0].assigns) choices.insert(assign.value);
    if (edge.actions[0].guard) {
      model::for_each_node(program.exprs, *edge.actions[0].guard, [&](const model::Expr& node, model::ExprId id) {
        if (node.op == model::Op::Nondet) choices.insert(id);
      });
    }
  }
  EXPECT_EQ(choices.size(), 4U);
}

TEST(LowerStatement, PassiveInstancesStandForOtherThreads) {
  EXPECT_EQ(lowered("x, x$ := 1, x$ & g constrain (h & 'y$) & !x").front(),
            "0 -> 1 `x, x$ := 1, x$ & g constrain (h & 'y$) & !x` x := 1 x$ := (x$ & g) constrain h constrain 'y$ "
            "constrain !x");
}

TEST(LowerStatement, GotosAreOneStepForEachTarget) {
  EXPECT_THAT(
      lowered("L: skip; goto L, M; M: skip"),
      ElementsAre("0 -> 1 `skip`", "1 -> 0 `goto L, M`", "1 -> 2 `goto L, M`", "2 -> 3 `skip`", "3 -> 3 `end` return"));
}

TEST(LowerStatement, LabelsOfDeclarationsBelongToWhatFollows) {
  EXPECT_THAT(lowered("goto L; L: decl z; M: enforce T; N: skip; goto M"),
              ElementsAre("0 -> 1 `goto L`", "1 -> 2 `skip`", "2 -> 1 `goto M`", "3 -> 3 `end` return"));
}

TEST(LowerStatement, ConditionsAreOneStepEach) {
  EXPECT_THAT(lowered("if x then skip elsif g then y := 0 else goto L fi; L: skip"),
              ElementsAre("0 -> 1 `if x` [x]", "0 -> 2 `if x` [!x]", "1 -> 5 `skip`", "2 -> 3 `elsif g` [g]",
                          "2 -> 4 `elsif g` [!g]", "3 -> 5 `y := 0` y := 0", "4 -> 5 `goto L`", "5 -> 6 `skip`",
                          "6 -> 6 `end` return"));
}

TEST(LowerStatement, EmptyBranchesGoOnBehindTheIf) {
  EXPECT_THAT(lowered("if x then fi; skip"),
              ElementsAre("0 -> 1 `if x` [x]", "0 -> 1 `if x` [!x]", "1 -> 2 `skip`", "2 -> 2 `end` return"));
}

TEST(LowerStatement, NondeterministicConditionsMayGoBothWays) {
  EXPECT_THAT(lowered("if * then skip fi"),
              ElementsAre("0 -> 1 `if *` [*]", "0 -> 2 `if *` [!*]", "1 -> 2 `skip`", "2 -> 2 `end` return"));
}

TEST(LowerStatement, EdgesThatAreNeverEnabledAreLeftOut) {
  EXPECT_THAT(lowered("if 0 then skip fi; assert(T); assume(F)"),
              ElementsAre("0 -> 2 `if 0`", "1 -> 2 `skip`", "2 -> 3 `assert(T)`", "4 -> 4 `end` return"));
}

TEST(LowerStatement, LoopsReturnToTheirCondition) {
  EXPECT_THAT(lowered("while !x do x := 1; if y then skip fi od"),
              ElementsAre("0 -> 1 `while !x` [!x]", "0 -> 4 `while !x` [x]", "1 -> 2 `x := 1` x := 1",
                          "2 -> 3 `if y` [y]", "2 -> 0 `if y` [!y]", "3 -> 0 `skip`", "4 -> 4 `end` return"));
  EXPECT_THAT(lowered("while x do od"),
              ElementsAre("0 -> 0 `while x` [x]", "0 -> 1 `while x` [!x]", "1 -> 1 `end` return"));
}

TEST(LowerStatement, AssumptionsBlock) {
  EXPECT_EQ(lowered("assume(x | g)").front(), "0 -> 1 `assume(x | g)` [(x | g)]");
  EXPECT_EQ(lowered("abortif x | g").front(), "0 -> 1 `abortif x | g` [!(x | g)]");
}

TEST(LowerStatement, AssertionsLeadToAnErrorLocationOfTheirOwn) {
  const model::Program program = load_text("decl g; void main() begin assert(g); L: assert(!g) end");
  EXPECT_THAT(ModelText(program).edges("main"),
              ElementsAre("0 -> 1 `assert(g)` [g]", "0 -> 3 `assert(g)` [!g]", "1 -> 2 `assert(!g)` [!g]",
                          "1 -> 4 `assert(!g)` [g]", "2 -> 2 `end` return"));
  ASSERT_EQ(program.properties.size(), 2U);
  EXPECT_EQ(program.properties[1].kind, model::Property::Kind::Assertion);
  EXPECT_EQ(program.properties[1].text, "assert(!g)");
  EXPECT_EQ(program.properties[1].span.column, 41U);
  const auto& locations = program.templates[0].locations;
  ASSERT_EQ(locations.size(), 5U);
  EXPECT_EQ(locations[4].error, model::PropertyId(1));
  EXPECT_EQ(locations[4].label, "L failed");
  EXPECT_FALSE(locations[0].error);
}

TEST(LowerStatement, EnforcedConditionsGuardEveryStatement) {
  EXPECT_THAT(lowered("skip; enforce g | *; x := 1; if x then assert(y) fi; atomic_begin; enforce h"),
              ElementsAre("0 -> 1 `skip` [(h & (g | *))]", "1 -> 2 `x := 1` [(h & (g | *))] x := 1",
                          "2 -> 3 `if x` [(h & ((g | *) & x))]", "2 -> 4 `if x` [(h & ((g | *) & !x))]",
                          "3 -> 4 `assert(y)` [(h & ((g | *) & y))]", "3 -> 6 `assert(y)` [(h & ((g | *) & !y))]",
                          "4 -> 5 `atomic_begin` [(h & (g | *))] enter", "5 -> 5 `end` return"));
}

TEST(LowerStatement, DeadVariablesTakeAnyValue) {
  EXPECT_EQ(lowered("dead x, g, x").front(), "0 -> 1 `dead x, g, x` x := * g := *");
}

TEST(LowerStatement, ThreadsEndAndAtomicSectionsOpenAndClose) {
  EXPECT_THAT(lowered("atomic_begin; atomic_end; end_thread; skip"),
              ElementsAre("0 -> 1 `atomic_begin` enter", "1 -> 2 `atomic_end` exit", "2 -> 3 `end_thread` ends",
                          "3 -> 4 `skip`", "4 -> 4 `end` return"));
}

TEST(LowerStatement, ThreadsStartAtLabelsWithACopyOfTheLocals) {
  EXPECT_THAT(lowered("start_thread goto L; start_thread L; L: start_thread goto L, M; M: skip"),
              ElementsAre("0 -> 1 `start_thread goto L` clone main@2", "1 -> 2 `start_thread L` clone main@2",
                          "2 -> 3 `start_thread goto L, M` clone main@2",
                          "2 -> 3 `start_thread goto L, M` clone main@3", "3 -> 4 `skip`", "4 -> 4 `end` return"));
}

TEST(LowerStatement, ThreadsStartInProceduresWithTheirParameters) {
  EXPECT_THAT(lowered("start_thread f(x, *); ASYNC_1: f(1, g)", "void f(a, b) begin decl c; skip end"),
              ElementsAre("0 -> 1 `start_thread f(x, *)` spawn f@0 a=x b=*", "1 -> 2 `f(1, g)` spawn f@0 a=1 b=g",
                          "2 -> 2 `end` return"));
}

TEST(LowerStatement, CallsPassArgumentsAndTakeResults) {
  const std::string f = "bool<2> f(a) begin return a, !a; end";
  EXPECT_THAT(lowered("x, _ := f(g); f(*)", f), ElementsAre("0 -> 1 `x, _ := f(g)` call f g >x >_",
                                                            "1 -> 2 `f(*)` call f * >_ >_", "2 -> 2 `end` return"));
  const model::Program program = load_text("void main() begin end " + f);
  EXPECT_THAT(ModelText(program).edges("f"),
              ElementsAre("0 -> 1 `return a, !a` return a !a", "1 -> 1 `end` return * *"));
  EXPECT_EQ(program.templates[1].result_count, 2U);
  EXPECT_THAT(program.templates[1].params, ElementsAre(model::VarId(0)));
}

TEST(LowerStatement, ThreadLocalVariablesTravelThroughCalls) {
  const model::Program program = load_text(
      "decl thread_local t := 1; decl g; bool f(a) begin t := a; return t end "
      "void main() begin decl x; x := f(t); t := f(x); start_thread f(g) end");
  EXPECT_THAT(ModelText(program).edges("main"),
              ElementsAre("0 -> 1 `x := f(t)` call f t t >t >x", "1 -> 2 `t := f(x)` call f t x >_ >t",
                          "2 -> 3 `start_thread f(g)` spawn f@0 a=g", "3 -> 3 `end` return t"));
  EXPECT_THAT(ModelText(program).edges("f"),
              ElementsAre("0 -> 1 `t := a` t := a", "1 -> 2 `return t` return t t", "2 -> 2 `end` return t *"));
  EXPECT_EQ(program.shared.size(), 1U);
  EXPECT_THAT(program.templates[0].locals[0].initial, ElementsAre(1));
}

std::string guard_of(const std::string& condition) {
  const std::string line = lowered("assume(" + condition + ")").front();
  return line.substr(line.find("` [") + 2);
}

TEST(LowerExpression, TranslatesEveryOperator) {
  EXPECT_EQ(guard_of("x ^ y"), "[(x ^ y)]");
  EXPECT_EQ(guard_of("x = y != g"), "[(x = (y != g))]");
  EXPECT_EQ(guard_of("x => y"), "[(!x | y)]");
  EXPECT_EQ(guard_of("x ? y : !g"), "[(x ? y : !g)]");
  EXPECT_EQ(guard_of("x & y & g & h"), "[((x & y) & (g & h))]");
  EXPECT_EQ(guard_of("x | *"), "[(x | *)]");
}

TEST(LowerExpression, ReadsSchooseAsMustAndMustNot) {
  EXPECT_EQ(guard_of("schoose[x, y]"), "[(x | (* & !y))]");
  EXPECT_EQ(guard_of("schoose[F, F]"), "[*]");
  EXPECT_EQ(guard_of("schoose[F, y]"), "[(* & !y)]");
  EXPECT_EQ(lowered("x := schoose[T, F]").front(), "0 -> 1 `x := schoose[T, F]` x := 1");
  EXPECT_EQ(lowered("x := schoose[F, T]").front(), "0 -> 1 `x := schoose[F, T]` x := 0");
}

TEST(LowerDeclaration, GivesInitialValues) {
  const std::string text = "decl a, b := 0, c := T, d := *; void main(p) begin decl x, y := 1, z := *; end";
  const model::Program program = load_text(text);
  ASSERT_EQ(program.shared.size(), 4U);
  EXPECT_THAT(program.shared[0].initial, IsEmpty());
  EXPECT_THAT(program.shared[1].initial, ElementsAre(0));
  EXPECT_THAT(program.shared[2].initial, ElementsAre(1));
  EXPECT_THAT(program.shared[3].initial, IsEmpty());
  const auto& locals = program.templates[0].locals;
  ASSERT_EQ(locals.size(), 4U);
  EXPECT_THAT(locals[0].initial, IsEmpty());
  EXPECT_THAT(locals[2].initial, ElementsAre(1));

  const model::Program zeroed = load_text(text, {.error_labels = {}, .zero_init = true});
  EXPECT_THAT(zeroed.shared[0].initial, ElementsAre(0));
  EXPECT_THAT(zeroed.shared[2].initial, ElementsAre(1));
  EXPECT_THAT(zeroed.shared[3].initial, IsEmpty());
  EXPECT_THAT(zeroed.templates[0].locals[0].initial, ElementsAre(0));
  EXPECT_THAT(zeroed.templates[0].locals[1].initial, ElementsAre(0));
  EXPECT_THAT(zeroed.templates[0].locals[3].initial, IsEmpty());
}

TEST(LowerProgram, StartsOneThreadOfMain) {
  const model::Program program = load_text("void f() begin end void main() begin skip end");
  ASSERT_EQ(program.initial.size(), 1U);
  EXPECT_EQ(program.initial[0].templ, model::TemplateId(1));
  EXPECT_EQ(program.initial[0].location, program.templates[1].entry);
  EXPECT_EQ(program.initial[0].count, 1U);
}

TEST(LowerProgram, NamesLocationsByLabelOrLine) {
  const model::Program program = load_text("void main() begin\n L: M: skip; skip; skip;\n skip\nend");
  std::vector<std::string> names;
  for (const model::Location& location : program.templates[0].locations) names.push_back(location.label);
  EXPECT_THAT(names, ElementsAre("L", "line 2", "line 2:20", "line 3", "end"));
}

TEST(LowerProgram, MarksErrorLabels) {
  const std::string text = "void main() begin A: SLIC_ERROR: skip; MINE: skip; OTHER: skip end";
  const model::Program plain = load_text(text);
  ASSERT_EQ(plain.properties.size(), 1U);
  EXPECT_EQ(plain.properties[0].kind, model::Property::Kind::ErrorLabel);
  EXPECT_EQ(plain.properties[0].text, "SLIC_ERROR");
  EXPECT_EQ(plain.templates[0].locations[0].error, model::PropertyId(0));
  EXPECT_EQ(plain.templates[0].locations[0].label, "SLIC_ERROR");

  const model::Program chosen = load_text(text, {.error_labels = {"MINE", "OTHER"}, .zero_init = false});
  ASSERT_EQ(chosen.properties.size(), 3U);
  EXPECT_EQ(chosen.templates[0].locations[1].error, model::PropertyId(1));
  EXPECT_EQ(chosen.templates[0].locations[2].error, model::PropertyId(2));
}

TEST(LowerProgram, RefusesAnErrorLabelThatStandsNowhere) {
  try {
    load_text("void main() begin L: skip end", {.error_labels = {"L", "NONE"}, .zero_init = false});
    FAIL() << "the label was accepted";
  } catch (const InputError& error) {
    EXPECT_EQ(error.render(), "t.bp: error: the error label 'NONE' stands nowhere in the program");
  }
  EXPECT_NO_THROW(load_text("void main() begin end", {.error_labels = {"SLIC_ERROR"}, .zero_init = false}));
}

TEST(LowerProgram, KeepsThePlaceOfEveryStatement) {
  const model::Program program = load_text("void main() begin\n  L: skip;\n  if T then\n    skip;\n  fi\nend");
  for (const model::Edge& edge : program.templates[0].edges) {
    const model::Action& action = edge.actions.front();
    EXPECT_TRUE(action.span.known());
    EXPECT_EQ(action.span.file->line(action.span.line).substr(action.span.column - 1, action.text.size()), action.text);
  }
}

TEST(LowerProgram, TakesTheDeepestNesting) {
  std::string condition = "a";
  for (std::size_t i = 1; i < max_expression_nesting; ++i) condition += " = a";
  std::string body = "assume(" + condition.substr(4) + ")";
  for (std::size_t i = 1; i < max_block_nesting; ++i) body = "if a then " + body + " fi";
  const model::Program program = load_text("decl a; void main() begin " + body + " end");
  EXPECT_EQ(program.templates[0].edges.size(), 2 * (max_block_nesting - 1) + 2);
}

TEST(LowerProgram, TakesLongChainsWithoutDeepExpressions) {
  std::string chain = "a";
  for (int i = 0; i < 20000; ++i) chain += " | a";
  const model::Program program = load_text("decl a; void main() begin assume(" + chain + ") end");
  EXPECT_EQ(program.templates[0].edges.size(), 2U);
}

}  // namespace
}  // namespace cohort::frontend::bp
