#include "convert/promela.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/diagnostics.hpp"
#include "support/example.hpp"

namespace cohort::convert {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(Promela, OneProcessForEachThread) {
  const std::string text = to_promela(test::load_flat(test::example("semaphore_mutex")), 3);
  EXPECT_THAT(text, HasSubstr("active [3] proctype thread()"));
  EXPECT_THAT(text, HasSubstr("assert(false);  /* assert(!inside) */"));
  EXPECT_THAT(text, Not(HasSubstr("atomic_by"))) << "no atomic section, no lock";
}

TEST(Promela, ASpawnStartsTheLowestFreeProcess) {
  const std::string text =
      to_promela(test::load_flat("void main() begin decl l; start_thread goto L; L: skip; end"), 2);
  EXPECT_THAT(text, HasSubstr("chan start[2] = [0] of { short, bool };"));
  EXPECT_THAT(text, HasSubstr("{ !busy[0] -> busy[0] = true; start[0]!1, main_l }"));
  EXPECT_THAT(text, HasSubstr("{ (busy[0] && !busy[1]) -> busy[1] = true; start[1]!1, main_l }"));
  EXPECT_THAT(text, HasSubstr(":: (busy[0] && busy[1]) -> goto"));
}

TEST(Promela, AFreeChoiceIsMadeAfterTheGuard) {
  const std::string text = to_promela(test::load_flat("decl x; void main() begin x := *; end"), 1);
  EXPECT_THAT(text, HasSubstr("atomic { true -> if :: x = false :: x = true fi }"));
}

TEST(Promela, AConstrainedChoiceIsEnumerated) {
  const std::string text = to_promela(test::load_flat("decl x, y; void main() begin x := * constrain 'x != y; end"), 1);
  EXPECT_THAT(text, HasSubstr("d_step { y -> x = false }"));
  EXPECT_THAT(text, HasSubstr("d_step { !y -> x = true }"));
}

TEST(Promela, ASwapSavesOneValue) {
  const std::string text = to_promela(test::load_flat("decl x, y; void main() begin x, y := y, x; end"), 1);
  EXPECT_THAT(text, HasSubstr("saved_0 = y; y = x; x = saved_0; saved_0 = 0"));
}

TEST(Promela, LocalsThatABroadcastTouchesAreArrays) {
  const std::string text = to_promela(test::load_flat(test::example("broadcast_invalidate")), 2);
  EXPECT_THAT(text, HasSubstr("bool main_valid[2];"));
  EXPECT_THAT(text, HasSubstr("  bool main_seen;\n"));
  EXPECT_THAT(text, HasSubstr("if :: (_pid != 1 && busy[1]) -> main_valid[1] = false; :: else fi"));
}

TEST(Promela, AStepThatChangesNothingIsLeftOut) {
  const std::string text = to_promela(test::load_flat("void main() begin L: goto L; end"), 1);
  EXPECT_THAT(text, HasSubstr("at_main_0:\n  false;\n"));
}

TEST(Promela, RefusesTooManyAlternatives) {
  std::string stars = "*";
  std::string names = "x0";
  std::string constraint = "'x0";
  for (int i = 1; i < 13; ++i) {
    stars += ", *";
    names += ", x" + std::to_string(i);
    constraint += " | 'x" + std::to_string(i);
  }
  const model::Program program = test::load_flat("decl " + names + "; void main() begin " + names + " := " + stars +
                                                 " constrain " + constraint + "; end");
  EXPECT_THAT(test::diagnostic([&] { to_promela(program, 2); }),
              HasSubstr("more than 4096 nondeterministic alternatives"));
}

TEST(Promela, RefusesMoreProcessesThanSpinHas) {
  const model::Program program = test::load_flat("void main() begin skip; end");
  EXPECT_THAT(test::diagnostic([&] { to_promela(program, 256); }), HasSubstr("more than 255 threads"));
}

}  // namespace
}  // namespace cohort::convert
