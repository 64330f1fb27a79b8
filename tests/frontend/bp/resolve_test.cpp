#include "frontend/bp/resolve.hpp"

#include <gtest/gtest.h>

#include "frontend/bp/bp_text.hpp"

namespace cohort::frontend::bp {
namespace {

const Assignment& assignment(const Program& program, std::size_t procedure, std::size_t statement) {
  return std::get<Assignment>(program.procedures.at(procedure).body.at(statement).content);
}

TEST(Resolve, LetsLocalsHideSharedVariables) {
  const Program program = resolve_text("decl g, x; void main(p) begin decl x; x, g, p := p, x, g end");
  const Assignment& statement = assignment(program, 0, 1);
  EXPECT_EQ(statement.targets[0].reference.kind, Reference::Kind::Local);
  EXPECT_EQ(statement.targets[0].reference.index, 1U);
  EXPECT_EQ(statement.targets[1].reference.kind, Reference::Kind::Shared);
  EXPECT_EQ(statement.targets[1].reference.index, 0U);
  EXPECT_EQ(statement.values[0].reference.kind, Reference::Kind::Local);
  EXPECT_EQ(statement.values[0].reference.index, 0U);
}

TEST(Resolve, TakesSharedDeclarationsFromBehindTheirUse) {
  const Program program = resolve_text("void main() begin g := T end decl g;");
  EXPECT_EQ(assignment(program, 0, 0).targets[0].reference.kind, Reference::Kind::Shared);
}

TEST(Resolve, PrefersADeclaredNameToAPassiveInstance) {
  const Program program =
      resolve_text("decl g$; void main() begin decl x, y, y$; g$, x$, y$ := 0, x$, y constrain 'x$ & y$ end");
  const Assignment& statement = assignment(program, 0, 1);
  EXPECT_EQ(statement.targets[0].reference.kind, Reference::Kind::Shared);
  EXPECT_EQ(statement.targets[1].reference.kind, Reference::Kind::Passive);
  EXPECT_EQ(statement.targets[1].reference.index, 0U);
  EXPECT_EQ(statement.targets[2].reference.kind, Reference::Kind::Local);
  EXPECT_EQ(statement.values[1].reference.kind, Reference::Kind::Passive);
  EXPECT_EQ(statement.constraint->operands[0].reference.kind, Reference::Kind::Passive);
  EXPECT_EQ(statement.constraint->operands[1].reference.kind, Reference::Kind::Local);
}

TEST(Resolve, FindsPassiveInstancesOfOtherProceduresAndThreads) {
  const Program program = resolve_text(
      "void main() begin decl x; x, y$f := 0, y$f constrain x$ | y$$f | 'x$$$ end void f(p) begin decl y; skip end");
  const Assignment& statement = assignment(program, 0, 1);
  EXPECT_EQ(statement.targets[1].reference.procedure, 1U);
  EXPECT_EQ(statement.targets[1].reference.index, 1U);
  EXPECT_EQ(statement.values[1].reference.number, 0U);
  const auto& tied = statement.constraint->operands;
  EXPECT_EQ(tied[0].reference.procedure, 0U);
  EXPECT_EQ(tied[1].reference.procedure, 1U);
  EXPECT_EQ(tied[1].reference.number, 1U);
  EXPECT_EQ(tied[2].reference.number, 2U);
}

TEST(Resolve, DiscardsToTheUnderscoreAnyNumberOfTimes) {
  const Program program = resolve_text("void main() begin decl x; _, x, _ := 0, 1, 0 end");
  EXPECT_EQ(assignment(program, 0, 1).targets[2].reference.kind, Reference::Kind::Discard);
}

TEST(Resolve, CollectsLocalsAndEnforcedConditions) {
  const Program program =
      resolve_text("void main(p) begin enforce p; if p then decl a; a := 0 fi; decl b, c := 1; enforce b | c end");
  const Procedure& main = program.procedures.front();
  ASSERT_EQ(main.locals.size(), 4U);
  EXPECT_EQ(main.locals[0].name.text, "p");
  EXPECT_EQ(main.locals[1].name.text, "a");
  EXPECT_EQ(main.locals[3].initial, Declaration::Initial::True);
  ASSERT_EQ(main.enforced.size(), 2U);
  EXPECT_EQ(show(main.enforced[1]), "(b | c)");
}

TEST(Resolve, FindsProceduresDefinedLater) {
  const Program program =
      resolve_text("void main() begin decl x; x := f(x); f(T); start_thread main() end bool f(a) begin end");
  EXPECT_EQ(std::get<CallStatement>(program.procedures[0].body[1].content).procedure, 1U);
  EXPECT_EQ(std::get<StartProcedure>(program.procedures[0].body[3].content).procedure, 0U);
}

TEST(Resolve, KeepsLabelsOfProceduresApart) {
  EXPECT_NO_THROW(resolve_text("void main() begin L: goto L end void f() begin L: M: goto M, L end"));
}

TEST(Resolve, LetsGotosEnterBlocks) {
  EXPECT_NO_THROW(resolve_text("void main() begin goto L; while T do if T then L: skip fi od end"));
}

TEST(Resolve, TakesLongChainsOfCalls) {
  std::string text = "void main() begin f0() end\n";
  const int length = 20000;
  for (int i = 0; i < length; ++i) text += fmt::format("void f{}() begin f{}() end\n", i, i + 1);
  text += fmt::format("void f{}() begin end\n", length);
  EXPECT_EQ(resolve_text(text).procedures.size(), length + 2U);
}

}  // namespace
}  // namespace cohort::frontend::bp
