#include "frontend/bp/parser.hpp"

#include <gtest/gtest.h>

#include "frontend/bp/bp_text.hpp"

namespace cohort::frontend::bp {
namespace {

std::string expression(const std::string& text) {
  return show(std::get<Assume>(parse_body("assume " + text).at(0).content).condition);
}

template <class Content>
Content only(const std::string& statement) {
  const Block body = parse_body(statement);
  EXPECT_EQ(body.size(), 1U);
  EXPECT_TRUE(std::holds_alternative<Content>(body.at(0).content)) << statement;
  return std::get<Content>(body.at(0).content);
}

TEST(ParseExpression, KnowsAllConstants) {
  EXPECT_EQ(expression("T & F & true & false & 1 & 0 & *"), "(1 & 0 & 1 & 0 & 1 & 0 & *)");
}

TEST(ParseExpression, BindsFromImplicationToNegation) {
  EXPECT_EQ(expression("a ^ b | c & !d"), "(a ^ (b | (c & !d)))");
  EXPECT_EQ(expression("a & b | c ^ d"), "(((a & b) | c) ^ d)");
  EXPECT_EQ(expression("a = b & c"), "(a = (b & c))");
  EXPECT_EQ(expression("a & b = c | d"), "((a & b) = (c | d))");
  EXPECT_EQ(expression("a ^ b = c ^ d"), "((a ^ b) = (c ^ d))");
}

TEST(ParseExpression, AssociatesTheLoosestLevelToTheRight) {
  EXPECT_EQ(expression("a = b = c"), "(a = (b = c))");
  EXPECT_EQ(expression("a => b != c => d"), "(a => (b != (c => d)))");
}

TEST(ParseExpression, MakesChainsFlat) {
  EXPECT_EQ(expression("a & b & c | d | e"), "((a & b & c) | d | e)");
  EXPECT_EQ(expression("(a & b) & (c & d)"), "(a & b & (c & d))");
}

TEST(ParseExpression, ReadsDoubledAndSingleSignsAlike) {
  EXPECT_EQ(expression("a && b || c == d"), "(((a & b) | c) = d)");
  EXPECT_EQ(expression("~a & !~b"), "(!a & !!b)");
}

TEST(ParseExpression, ReadsConditionalsLoosestOfAll) {
  EXPECT_EQ(expression("a = b ? c : d ? e : f"), "((a = b) ? c : (d ? e : f))");
}

TEST(ParseExpression, ReadsSchooseAndPrimes) {
  EXPECT_EQ(expression("schoose[a & b, !(c)] | 'x & !'y$"), "(schoose[(a & b), !c] | ('x & !'y$))");
}

TEST(ParseExpression, TakesLongChainsAndDeepNestingUpToTheLimit) {
  std::string chain = "a";
  for (int i = 0; i < 100000; ++i) chain += " & a";
  EXPECT_EQ(std::get<Assume>(parse_body("assume " + chain).at(0).content).condition.operands.size(), 100001U);
  const std::size_t levels = max_expression_nesting - 1;
  const std::string nested = std::string(levels, '(') + "a" + std::string(levels, ')');
  EXPECT_EQ(expression(nested), "a");
}

TEST(ParseDeclaration, TakesListsInitialisersAndThreadLocals) {
  const Program program =
      parse_text("decl a, b;\ndecl c := 1, d := *, e := F;\ndecl thread_local f;\nvoid main() begin end");
  ASSERT_EQ(program.shared.size(), 6U);
  EXPECT_EQ(program.shared[1].name.text, "b");
  EXPECT_EQ(program.shared[1].initial, Declaration::Initial::None);
  EXPECT_EQ(program.shared[2].initial, Declaration::Initial::True);
  EXPECT_EQ(program.shared[3].initial, Declaration::Initial::Any);
  EXPECT_EQ(program.shared[4].initial, Declaration::Initial::False);
  EXPECT_FALSE(program.shared[4].is_thread_local);
  EXPECT_TRUE(program.shared[5].is_thread_local);
  EXPECT_EQ(program.shared[3].name.span.line, 2U);
  EXPECT_EQ(program.shared[3].name.span.column, 14U);
}

TEST(ParseProcedure, TakesEveryKindOfHead) {
  const Program program = parse_text(
      "void f(a,b) begin end\n bool g() begin end;\n dfs bool<3> h(x) begin skip end\n main() begin end\n k() { skip; "
      "}");
  ASSERT_EQ(program.procedures.size(), 5U);
  EXPECT_EQ(program.procedures[0].result_count, 0U);
  EXPECT_EQ(program.procedures[0].parameters.size(), 2U);
  EXPECT_EQ(program.procedures[1].result_count, 1U);
  EXPECT_EQ(program.procedures[2].result_count, 3U);
  EXPECT_EQ(program.procedures[3].name.text, "main");
  EXPECT_EQ(program.procedures[4].body.size(), 1U);
  EXPECT_EQ(program.procedures[4].end.column, 14U);
}

TEST(ParseStatement, NeedsNoSemicolonAfterTheLastAndAfterClosedOnes) {
  EXPECT_EQ(parse_body("skip; skip").size(), 2U);
  EXPECT_EQ(parse_body("skip;; ;skip;").size(), 2U);
  EXPECT_EQ(parse_body("if a then skip fi skip").size(), 2U);
  EXPECT_EQ(parse_body("while a do skip; od skip").size(), 2U);
}

TEST(ParseStatement, TakesSeveralLabelsAndIntegers) {
  const Block body = parse_body("L1: 13: T: skip; goto L1, 13, T");
  ASSERT_EQ(body.size(), 2U);
  ASSERT_EQ(body[0].labels.size(), 3U);
  EXPECT_EQ(body[0].labels[1].text, "13");
  EXPECT_EQ(body[0].text, "skip");
  EXPECT_EQ(std::get<Goto>(body[1].content).labels.at(2).text, "T");
}

TEST(ParseStatement, ReadsParallelAssignmentsWithConstraints) {
  const auto assignment = only<Assignment>("x, _, y$ := *, T, y constrain 'x = y");
  ASSERT_EQ(assignment.targets.size(), 3U);
  EXPECT_EQ(assignment.targets[1].name.text, "_");
  EXPECT_EQ(assignment.targets[2].name.text, "y$");
  ASSERT_TRUE(assignment.constraint);
  EXPECT_EQ(show(*assignment.constraint), "('x = y)");
  EXPECT_FALSE(only<Assignment>("x:=*").constraint);
}

TEST(ParseStatement, ReadsCallsWithResults) {
  const auto call = only<CallStatement>("a, _ := f(x & y, *)");
  EXPECT_EQ(call.targets.size(), 2U);
  EXPECT_EQ(call.callee.text, "f");
  ASSERT_EQ(call.arguments.size(), 2U);
  EXPECT_EQ(show(call.arguments[0]), "(x & y)");
  EXPECT_TRUE(only<CallStatement>("f()").targets.empty());
}

TEST(ParseStatement, ReadsAssumptionsWithAndWithoutParentheses) {
  EXPECT_EQ(show(only<Assume>("assume(a)").condition), "a");
  EXPECT_EQ(show(only<Assume>("assume (a) | b").condition), "(a | b)");
  EXPECT_EQ(show(only<Assert>("assert !a").condition), "!a");
  EXPECT_EQ(show(only<Assert>("assert(a = !b)").condition), "(a = !b)");
  EXPECT_EQ(show(only<AbortIf>("abortif a").condition), "a");
  EXPECT_EQ(show(only<Enforce>("enforce(!(a & b))").condition), "!(a & b)");
}

TEST(ParseStatement, ReadsReturnsDeadAndThreadStatements) {
  EXPECT_TRUE(only<ReturnStatement>("return").values.empty());
  EXPECT_EQ(only<ReturnStatement>("return a, !b;").values.size(), 2U);
  EXPECT_EQ(only<Dead>("dead a, b").variables.size(), 2U);
  only<EndThread>("end_thread");
  only<AtomicBegin>("atomic_begin");
  only<AtomicEnd>("atomic_end");
}

TEST(ParseStatement, ReadsEveryFormOfStartThread) {
  EXPECT_EQ(only<StartAtLabel>("start_thread L").labels.at(0).text, "L");
  EXPECT_EQ(only<StartAtLabel>("start_thread 13").labels.at(0).text, "13");
  EXPECT_EQ(only<StartAtLabel>("start_thread goto L").labels.at(0).text, "L");
  EXPECT_EQ(only<StartAtLabel>("start_thread goto L, M").labels.size(), 2U);
  EXPECT_EQ(only<StartProcedure>("start_thread f(a, *)").arguments.size(), 2U);
  EXPECT_EQ(only<StartProcedure>("L: ASYNC_2: M: f(a)").callee.text, "f");
  only<Skip>("ASYNC_2: skip");
}

TEST(ParseStatement, ReadsBranchesAndLoops) {
  const auto conditional = only<If>("if a then skip; elsif (b) then skip; skip elsif c then else skip fi");
  ASSERT_EQ(conditional.branches.size(), 3U);
  EXPECT_EQ(conditional.branches[1].body.size(), 2U);
  EXPECT_EQ(conditional.branches[1].text, "elsif (b)");
  EXPECT_TRUE(conditional.branches[2].body.empty());
  EXPECT_EQ(conditional.otherwise.size(), 1U);
  const auto loop = only<While>("while !a do while b do skip od od");
  EXPECT_EQ(loop.branch.text, "while !a");
  EXPECT_EQ(loop.branch.body.size(), 1U);
}

TEST(ParseStatement, TakesDeepBlocksUpToTheLimit) {
  std::string body = "skip";
  for (std::size_t i = 1; i < max_block_nesting; ++i) body = "while a do " + body + " od";
  EXPECT_EQ(parse_body(body).size(), 1U);
}

TEST(ParseStatement, KeepsTheTextAsWrittenOnOneLine) {
  const Block body = parse_body("L: x,y:=y,\n    x // swap\n constrain 'x; if (a  | b) then skip fi");
  EXPECT_EQ(body.at(0).text, "x,y:=y, x constrain 'x");
  EXPECT_EQ(body.at(1).text, "if (a | b)");
  EXPECT_EQ(body.at(0).span.column, 22U);
}

TEST(ParseStatement, LetsWaitAndBroadcastBeOrdinaryNamesElsewhere) {
  EXPECT_EQ(only<CallStatement>("wait()").callee.text, "wait");
  EXPECT_EQ(only<Assignment>("sync := T").targets.at(0).name.text, "sync");
}

}  // namespace
}  // namespace cohort::frontend::bp
