// Cuts that are bounds name the option that raises them.
#include "model/passes/cuts.hpp"

#include <gtest/gtest.h>

namespace cohort::model {
namespace {

Property cut(std::string text) {
  return {.kind = Property::Kind::Cut, .text = std::move(text)};
}

TEST(Cuts, TellTheBoundThatWasExceeded) {
  const auto bound = exceeded_bound(cut(exceeded_bound_text("more than 4 objects (of f)", "--heap-pool", 4)));
  ASSERT_TRUE(bound.has_value());
  EXPECT_EQ(bound->option, "--heap-pool");
  EXPECT_EQ(bound->value, 4U);
}

TEST(Cuts, TellTheSwitchThatIsNeeded) {
  const auto bound = exceeded_bound(cut(needed_switch_text("a thread that is joined twice", "--no-late-naming")));
  ASSERT_TRUE(bound.has_value());
  EXPECT_EQ(bound->option, "--no-late-naming");
  EXPECT_TRUE(bound->is_switch);
  for (const char* text :
       {"twice (needs late naming)", "twice (needs --no-late-naming here)", "twice (needs --x", "(needs )"}) {
    EXPECT_FALSE(exceeded_bound(cut(text)).has_value()) << text;
  }
}

TEST(Cuts, ThatAreNoBoundsAreNotTakenForOnes) {
  for (const char* text : {"setjmp", "a call (--undefined refuse)", "more (--heap-pool)", "more (--heap-pool )",
                           "more (--heap-pool 4x)", "more (--heap-pool 4) here", "(--heap-pool 4", ""}) {
    EXPECT_FALSE(exceeded_bound(cut(text)).has_value()) << text;
  }
  const Property assertion{.kind = Property::Kind::Assertion, .text = "more (--heap-pool 4)"};
  EXPECT_FALSE(exceeded_bound(assertion).has_value());
}

}  // namespace
}  // namespace cohort::model
