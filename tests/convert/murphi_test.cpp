#include "convert/murphi.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/diagnostics.hpp"
#include "support/example.hpp"

namespace cohort::convert {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(Murphi, ThreadsAreAScalarset) {
  const std::string text = to_murphi(test::load_flat(test::example("semaphore_mutex")), 3);
  EXPECT_THAT(text, HasSubstr("const thread_count: 3;"));
  EXPECT_THAT(text, HasSubstr("thread: scalarset(thread_count);"));
  EXPECT_THAT(text, HasSubstr("semaphore: boolean;"));
  EXPECT_THAT(text, HasSubstr("at: array [thread] of place;"));
  EXPECT_THAT(text, HasSubstr("invariant \"assert(!inside)\""));
  EXPECT_THAT(text, Not(HasSubstr("atomic"))) << "no atomic section, no lock";
}

TEST(Murphi, ChoicesAreParametersAndConstraintsAreGuards) {
  const std::string text =
      to_murphi(test::load_flat("decl x, y; void main() begin x, y := *, x constrain 'x != y; end"), 1);
  EXPECT_THAT(text, HasSubstr("ruleset self: thread; choice_0: boolean do"));
  EXPECT_THAT(text, HasSubstr("(at[self] = main_at_0) & (choice_0 != y)"));
  // y takes the old x, so it is written first.
  EXPECT_THAT(text, HasSubstr("  y := x;\n  x := choice_0;\n"));
}

TEST(Murphi, VariablesNeverHideParameters) {
  const std::string text =
      to_murphi(test::load_flat("decl choice_0, self; void main() begin choice_0, self := *, *; end"), 1);
  EXPECT_THAT(text, HasSubstr("choice_0_v2 := choice_0;"));
  EXPECT_THAT(text, HasSubstr("self_v2 := choice_1;"));
}

TEST(Murphi, ASpawnTakesAnyFreeElementOrNone) {
  const std::string text = to_murphi(test::load_flat("void main() begin decl l; start_thread goto L; L: skip; end"), 2);
  EXPECT_THAT(text, HasSubstr("& (at[child] = none)"));
  EXPECT_THAT(text, HasSubstr("main_l[child] := main_l[self];"));
  EXPECT_THAT(text, HasSubstr("& (forall other: thread do (at[other] != none) end)"));
}

TEST(Murphi, AThreadThatEndsLeavesDefaultValues) {
  const std::string text = to_murphi(test::load_flat("void main() begin decl l; end_thread; end"), 2);
  EXPECT_THAT(text, HasSubstr("  at[self] := none;\n  main_l[self] := false;\n"));
}

TEST(Murphi, AtomicSectionsAreALock) {
  const std::string text = to_murphi(test::load_flat("void main() begin atomic_begin; skip; atomic_end; end"), 2);
  EXPECT_THAT(text, HasSubstr("& (!atomic | in_atomic[self])"));
  EXPECT_THAT(text, HasSubstr("  atomic := true;\n  in_atomic[self] := true;\n"));
}

TEST(Murphi, BroadcastsLoopOverTheOtherThreadsOfTheTemplate) {
  const std::string text = to_murphi(test::load_flat(test::example("broadcast_invalidate")), 2);
  EXPECT_THAT(text, HasSubstr("function is_main(other: thread): boolean;"));
  EXPECT_THAT(text, HasSubstr("    if (other != self) & is_main(other) then\n      main_valid[other] := false;\n"));
}

TEST(Murphi, SeveralThreadsWithFreeLocalsStartOneByOne) {
  model::Program program = test::load_flat("void main() begin decl l; assert(l); end");
  program.initial.front().count.reset();
  const std::string text = to_murphi(program, 2);
  EXPECT_THAT(text, HasSubstr("to_start: 0 .. 2;"));
  EXPECT_THAT(text, HasSubstr("& (to_start = 0)"));
}

TEST(Murphi, WritesCoverProperties) {
  model::Program program = test::load_flat("void main() begin A: skip; B: skip; end");
  model::Property property;
  property.kind = model::Property::Kind::Cover;
  property.text = "two at B";
  property.threads = {{model::TemplateId(0), model::LocId(1)}, {model::TemplateId(0), model::LocId(1)}};
  program.add_property(property);
  const std::string text = to_murphi(program, 2);
  EXPECT_THAT(text, HasSubstr("for other: thread do if at[other] = main_at_1 then count := count + 1; end; end;"));
  EXPECT_THAT(text, HasSubstr("if count < 2 then return false; end;"));
  EXPECT_THAT(text, HasSubstr("invariant \"two at B\" !covered_0();"));
}

}  // namespace
}  // namespace cohort::convert
