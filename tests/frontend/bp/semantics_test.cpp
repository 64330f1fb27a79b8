// What Boolean programs mean, observed through the interpreter: small programs whose assertions hold for a given bound
// on the threads alive if and only if the statement in question does what it should.
#include <string>

#include <gtest/gtest.h>

#include "frontend/bp/bp.hpp"
#include "frontend/bp/bp_text.hpp"
#include "model/passes/inline.hpp"
#include "model/validate.hpp"
#include "support/explore.hpp"

namespace cohort::frontend::bp {
namespace {

testing::AssertionResult violated(const std::string& text, std::uint32_t bound, const Options& options = {}) {
  const model::Program program = load(source(text), options);
  model::validate(program);
  const test::Exploration exploration = test::explore(model::inline_calls(program), bound);
  EXPECT_TRUE(exploration.complete) << "too many states to explore: " << text;
  if (exploration.violated.empty())
    return testing::AssertionFailure() << "no violation with bound " << bound << ": " << text;
  return testing::AssertionSuccess() << "a violation with bound " << bound << ": " << text;
}

#define EXPECT_SAFE(...) EXPECT_FALSE(violated(__VA_ARGS__))
#define EXPECT_UNSAFE(...) EXPECT_TRUE(violated(__VA_ARGS__))

std::string main_with(const std::string& body) {
  return "decl g, h; void main() begin decl x, y; " + body + " end ";
}

TEST(Semantics, AssertionsFailWhereTheyCan) {
  EXPECT_SAFE(main_with("x := 1; assert(x)"), 1);
  EXPECT_UNSAFE(main_with("x := 0; assert(x)"), 1);
  EXPECT_UNSAFE(main_with("assert(*)"), 1);
  EXPECT_UNSAFE(main_with("assert(!*); g := 1"), 1);
  EXPECT_UNSAFE(main_with("assert(*); assert(0)"), 1);
  EXPECT_SAFE(main_with("assert(0 => *)"), 1);
}

TEST(Semantics, VariablesStartNondeterministicUnlessToldOtherwise) {
  EXPECT_UNSAFE(main_with("assert(x)"), 1);
  EXPECT_UNSAFE(main_with("assert(!x)"), 1);
  EXPECT_UNSAFE(main_with("assert(!g)"), 1);
  EXPECT_SAFE(main_with("assert(!x & !g)"), 1, {.error_labels = {}, .zero_init = true});
  EXPECT_SAFE("decl a := 1; void main() begin decl b := 0; assert(a & !b) end", 1);
  EXPECT_UNSAFE("decl a := *; void main() begin assert(!a) end", 1, {.error_labels = {}, .zero_init = true});
}

TEST(Semantics, StarsAreIndependent) {
  EXPECT_UNSAFE(main_with("x, y := *, *; assert(x = y)"), 1);
  EXPECT_UNSAFE(main_with("x := *; y := *; assert(x | y)"), 1);
  EXPECT_UNSAFE(main_with("x := (* = *); assert(x)"), 1);
}

TEST(Semantics, AssignmentsAreParallelAndConstrained) {
  EXPECT_SAFE(main_with("x, y := 0, 1; x, y := y, x; assert(x & !y)"), 1);
  EXPECT_SAFE(main_with("x, y := *, * constrain 'x != 'y; assert(x != y)"), 1);
  EXPECT_SAFE(main_with("x := 1; x := * constrain x & !'x; assert(!x)"), 1);
  EXPECT_SAFE(main_with("x := 1; x := 0 constrain !x; assert(0)"), 1);
  EXPECT_UNSAFE(main_with("x := 1; x := 0 constrain x; assert(0)"), 1);
  EXPECT_SAFE(main_with("x := 1; y := * constrain 'x = 'y; assert(y)"), 1);
}

TEST(Semantics, SchooseMustOrMustNotOrChooses) {
  EXPECT_SAFE(main_with("x := schoose[T, F]; assert(x)"), 1);
  EXPECT_SAFE(main_with("x := schoose[F, T]; assert(!x)"), 1);
  EXPECT_SAFE(main_with("x := schoose[T, T]; assert(x)"), 1);
  EXPECT_UNSAFE(main_with("x := schoose[F, F]; assert(x)"), 1);
  EXPECT_UNSAFE(main_with("x := schoose[F, F]; assert(!x)"), 1);
}

TEST(Semantics, ControlFollowsConditions) {
  EXPECT_SAFE(main_with("if x then y := 1 elsif g then y := 0 else y := 0; assert(!x & !g) fi; assert(x => y)"), 1);
  EXPECT_SAFE(main_with("while !x do x := * od; assert(x)"), 1);
  EXPECT_SAFE(main_with("goto L; assert(0); L: skip"), 1);
  EXPECT_UNSAFE(main_with("goto L, M; L: goto E; M: assert(0); E: skip"), 1);
  EXPECT_SAFE(main_with("if 0 then assert(0) fi"), 1);
  EXPECT_SAFE(main_with("assume(x); assert(x); abortif g; assert(!g)"), 1);
}

TEST(Semantics, DeclarationsInLoopsKeepTheValueAndDeadForgetsIt) {
  EXPECT_SAFE("void main() begin decl i; i := 1; L: decl v := 1; if i then i := 0; v := 0; goto L fi; assert(!v) end",
              1);
  EXPECT_SAFE(main_with("x := 1; skip; assert(x)"), 1);
  EXPECT_UNSAFE(main_with("x := 1; dead x; assert(x)"), 1);
}

TEST(Semantics, EnforcedConditionsHoldAtEveryStatement) {
  EXPECT_SAFE(main_with("enforce x = y; x, y := *, *; assert(x = y)"), 1);
  EXPECT_SAFE(main_with("x, y := *, *; assert(x = y); enforce x = y"), 1);
  EXPECT_UNSAFE(main_with("enforce *; x := *; assert(x)"), 1);
  EXPECT_UNSAFE("decl g; void main() begin g := 1; f(); assert(g) end void f() begin enforce g; g := 0 end", 1);
  EXPECT_SAFE("decl g; void main() begin g := 1; f(); assert(g) end void f() begin enforce g; g := 0; return end", 1);
}

TEST(Semantics, StatementsAreTheStepsThatInterleave) {
  const std::string read_then_write =
      "decl g; void main() begin g := 0; start_thread f(); start_thread f() end "
      "void f() begin decl old; old := g; g := 1; if old then SLIC_ERROR: skip fi; assume(g) end ";
  EXPECT_UNSAFE(read_then_write, 3);
  const std::string test_and_set =
      "decl lock, inside; void main() begin lock, inside := 0, 0; start_thread f(); start_thread f() end "
      "void f() begin lock := 1 constrain !lock; assert(!inside); inside := 1; inside := 0; lock := 0 end";
  EXPECT_SAFE(test_and_set, 3);
  const std::string test_then_set =
      "decl lock, inside; void main() begin lock, inside := 0, 0; start_thread f(); start_thread f() end "
      "void f() begin assume(!lock); lock := 1; assert(!inside); inside := 1; inside := 0; lock := 0 end";
  EXPECT_UNSAFE(test_then_set, 3);
}

TEST(Semantics, CallsBindParametersAndResults) {
  EXPECT_SAFE(main_with("x := *; y := f(x); assert(x = !y)") + "bool f(a) begin return !a end", 1);
  EXPECT_SAFE(main_with("x, y := 0, 1; x, y := f(x, y); assert(x & !y)") + "bool<2> f(a, b) begin return b, a end", 1);
  EXPECT_UNSAFE(main_with("f(0); f(1)") + "void f(a) begin decl l; if a then assert(l) else l := 1 fi end", 1);
  EXPECT_SAFE(main_with("f(0); f(1)") + "void f(a) begin decl l := 1; if a then assert(l) else l := 0 fi end", 1);
  EXPECT_UNSAFE(main_with("x := f(); assert(x)") + "bool f() begin end", 1);
  EXPECT_UNSAFE(main_with("x := f(); assert(!x)") + "bool f() begin if * then return 0 fi end", 1);
  EXPECT_SAFE(main_with("x := 1; _, x := f(); f(); assert(!x)") + "bool<2> f() begin return 1, 0 end", 1);
}

TEST(Semantics, ThreadsStartedAtALabelCopyTheLocals) {
  EXPECT_SAFE(main_with("x := *; g := x; start_thread goto L; x := !x; goto E; L: assert(x = g); E: skip"), 2);
  EXPECT_UNSAFE(main_with("x := 0; start_thread goto L; x := 1; end_thread; L: assert(x)"), 2);
  // In a called procedure the copy includes the callers: the child returns into the same place.
  EXPECT_UNSAFE(
      main_with("x := 1; g := 0; f(); g := g != x; assert(g)") + "void f() begin start_thread goto L; L: skip end", 2);
  EXPECT_SAFE(
      main_with("x := 1; g := 0; f(); g := g != x; assert(g)") + "void f() begin start_thread goto L; L: skip end", 1);
}

TEST(Semantics, ThreadsStartedAtALabelElsewhereHaveFreshLocals) {
  // The thread starts behind the first assignment, and ends where the procedure does.
  const std::string worker = "void f(p) begin decl l := 1; h := 1; L: assert(l & !h); g := 1 end";
  EXPECT_SAFE(main_with("g, h := 0, 0; start_thread L; assume(g); assert(!h)") + worker, 2);
  EXPECT_UNSAFE(main_with("g, h := 0, 0; start_thread goto L; assume(g); assert(h)") + worker, 2);
  EXPECT_UNSAFE(main_with("start_thread L") + "void f(p) begin L: assert(p) end", 2);
  EXPECT_UNSAFE(main_with("start_thread L") + "void f(p) begin L: assert(!p) end", 2);
  // A procedure may be called and have a thread start in it; its own labels come first.
  EXPECT_SAFE(main_with("h := 0; f(1); start_thread L; assert(h)") + "void f(p) begin h := p; L: skip end", 2);
  EXPECT_SAFE(main_with("g := 1; start_thread L; goto E; L: assert(g); E: skip") + "void f() begin L: assert(0) end",
              2);
  // What belongs to the thread is its creator's.
  EXPECT_SAFE(
      "decl thread_local t; void main() begin t := 1; start_thread L; t := 0 end "
      "void f() begin skip; L: assert(t) end",
      2);
}

TEST(Semantics, TheFragmentOfAWebServerStartsItsWorkersAsInBoomsFirstFigure) {
  // The worker's initial location is a label in its own function; the same label stands twice on a statement.
  const std::string server =
      "decl serving := 0;"
      "void main() begin decl i.lt.n, graceful, dead_, ok;"
      " L0: L0: i.lt.n := true;"
      " L1: goto L2, L9;"
      " L2: assume (i.lt.n); graceful, dead_ := *, *; goto L3, L4;"
      " L3: assume (graceful || dead_); goto L8;"
      " L4: assume (!graceful && !dead_); start_thread Li;"
      " L5: ok := *; goto L6, L7;"
      " L6: assume (!ok); ok := *; goto L1;"
      " L7: assume (ok);"
      " L8: i.lt.n := *; goto L1;"
      " L9: assume (!i.lt.n); goto L0; end "
      "void worker_thread() begin decl mine; Li: mine := serving; serving := 1; ";
  EXPECT_SAFE(server + "assert(serving) end", 3);
  EXPECT_SAFE(server + "assert(!mine); assume(0) end", 2);
  EXPECT_UNSAFE(server + "assert(!mine); assume(0) end", 3);
}

TEST(Semantics, ThreadsStartedInAProcedureGetParametersAndFreshLocals) {
  EXPECT_SAFE(main_with("x := *; g := x; start_thread f(x)") + "void f(a) begin assert(a = g) end", 2);
  EXPECT_UNSAFE(main_with("start_thread f(1)") + "void f(a) begin decl l; assert(l) end", 2);
  EXPECT_UNSAFE(main_with("start_thread f(1)") + "void f(a) begin decl l; assert(!l) end", 2);
  EXPECT_UNSAFE(main_with("g := 1; ASYNC_1: f(); assume(!g); assert(0)") + "void f() begin g := 0 end", 2);
}

TEST(Semantics, StartingAtTheBoundDoesNothing) {
  const std::string text = main_with("g := 0; start_thread f(); assume(g); assert(0)") + "void f() begin g := 1 end";
  EXPECT_SAFE(text, 1);
  EXPECT_UNSAFE(text, 2);
}

TEST(Semantics, EndedThreadsMakeRoom) {
  const auto chain = [](const std::string& end) {
    return "decl g; void main() begin g := 0; start_thread f(); assume(g); start_thread h() end void f() begin g := "
           "1; " +
           end + " end void h() begin assert(0) end";
  };
  EXPECT_UNSAFE(chain(""), 2);
  EXPECT_UNSAFE(chain("return"), 2);
  EXPECT_UNSAFE(chain("end_thread"), 2);
  EXPECT_SAFE(chain("L: goto L"), 2);
  EXPECT_SAFE(chain("end_thread"), 1);
}

TEST(Semantics, AtomicSectionsStopTheOthers) {
  const auto pair = [](const std::string& begin, const std::string& end) {
    return "decl g; void main() begin start_thread f(); " + begin + "; g := 1; assert(g); " + end +
           " end void f() begin g := 0 end";
  };
  EXPECT_UNSAFE(pair("skip", "skip"), 2);
  EXPECT_SAFE(pair("atomic_begin", "atomic_end"), 2);
  EXPECT_SAFE(pair("atomic_begin", "skip"), 2);
  // A failed assumption inside kills the execution, not the section; a thread that ends leaves it.
  EXPECT_SAFE(main_with("g := 0; start_thread f(); atomic_begin; assume(g); assert(0)") +
                  "void f() begin assume(h); g := 1; h := 0 end",
              1);
  EXPECT_SAFE(
      "decl g, h; void main() begin g, h := 0, 0; start_thread f(); atomic_begin; h := 1; assume(g); atomic_end; "
      "assert(0) end "
      "void f() begin assume(h); g := 1 end",
      2);
  EXPECT_UNSAFE(
      "decl h; void main() begin h := 0; start_thread f(); atomic_begin; h := 1 end "
      "void f() begin assume(h); assert(0) end",
      2);
}

TEST(Semantics, BroadcastsReachEveryOtherThread) {
  const auto others = [](const std::string& statement) {
    return "decl go; void main() begin decl x; go, x := 0, 1; start_thread goto L; start_thread goto L; " + statement +
           "; go := 1; assert(!x); end_thread; L: assume(go); assert(x) end";
  };
  EXPECT_SAFE(others("x, x$ := 0, 1"), 3);
  EXPECT_SAFE(others("x, x$ := 0, x$"), 3);
  EXPECT_UNSAFE(others("x, x$ := 0, 0"), 3);
  EXPECT_UNSAFE(others("x, x$ := 0, *"), 3);
  EXPECT_SAFE(others("x, x$ := 0, * constrain 'x$"), 3);
  EXPECT_UNSAFE(others("x$ := 1"), 3);
}

TEST(Semantics, PassiveConjunctsHoldWithoutOtherThreads) {
  EXPECT_UNSAFE(main_with("x := 1 constrain 0 & x$ | !'x$ & 'x$; assert(0)"), 1);
  EXPECT_SAFE(main_with("x := 1 constrain 0 & x$; assert(0)"), 1);
  EXPECT_SAFE(main_with("x := 1 constrain (x$ & !'x); assert(0)"), 1);
}

TEST(Semantics, ThreadsOfOtherProceduresHaveNoPassiveInstance) {
  EXPECT_UNSAFE(
      "decl g; void main() begin decl x; g := 0; start_thread f(); assume(g); x$ := 0 constrain 'x$; assert(0) end "
      "void f() begin decl x; x := 1; g := 1; L: goto L end",
      2);
}

TEST(Semantics, ErrorLabelsAreReachedEvenWhereTheStatementCannotRun) {
  EXPECT_UNSAFE(main_with("SLIC_ERROR: assume(F)"), 1);
  EXPECT_SAFE(main_with("assume(F); SLIC_ERROR: skip"), 1);
  EXPECT_SAFE(main_with("MINE: skip"), 1);
  EXPECT_UNSAFE(main_with("MINE: skip"), 1, {.error_labels = {"MINE"}, .zero_init = false});
  EXPECT_UNSAFE(main_with("f()") + "void f() begin SLIC_ERROR: skip end", 1);
}

TEST(Semantics, ThreadLocalVariablesBelongToTheThread) {
  EXPECT_SAFE(
      "decl thread_local t; void main() begin t := 0; f(); assert(t) end void f() begin g() end void g() begin t := 1 "
      "end",
      1);
  EXPECT_SAFE(
      "decl thread_local t; void main() begin t := 1; start_thread f(); skip; assert(t) end void f() begin t := 0 end",
      2);
  EXPECT_UNSAFE("decl thread_local t; void main() begin t := 1; start_thread f() end void f() begin assert(t) end", 2);
  EXPECT_SAFE("decl thread_local t; void main() begin t := 1; start_thread goto L; end_thread; L: assert(t) end", 2);
  EXPECT_SAFE("decl thread_local t; bool f() begin t := 0; return 1 end void main() begin t := f(); assert(t) end", 1);
}

}  // namespace
}  // namespace cohort::frontend::bp
