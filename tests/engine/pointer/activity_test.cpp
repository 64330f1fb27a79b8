// The three conditions that the RED paper derives for the MCS lock, and that resetting keeps every behaviour (which the
// agreement tests check on random programs as well).
#include "engine/pointer/activity.hpp"

#include <gtest/gtest.h>

#include "engine/pointer/pointer_example.hpp"

namespace cohort::engine::pointer {
namespace {

constexpr std::size_t next = 0;
constexpr std::size_t prev = 1;
constexpr std::size_t locked = 2;

TEST(Activity, FindsTheConditionsOfThePaperForMcs) {
  const model::Program program = test::load_pointer("mcs", 3);
  const Layout layout(program);
  const Activity activity(layout);
  // `next` is written by others; `prev` alone can say that x->... is the process itself.
  ASSERT_EQ(activity.atoms(), (std::vector<std::uint32_t>{prev}));
  constexpr Activity::Condition never = 0b00;
  constexpr Activity::Condition prev_is_not_self = 0b01;
  constexpr Activity::Condition always = 0b11;
  for (std::size_t mode = 0; mode <= 9; ++mode) {
    EXPECT_EQ(activity.condition(mode, locked), mode == 4 || mode == 5 ? always : never) << mode;
    const bool queueing = 2 <= mode && mode <= 4;
    EXPECT_EQ(activity.condition(mode, next), mode == 0 ? never : queueing ? prev_is_not_self : always) << mode;
    // The paper has mode 1 as well, where `prev` is written before anything reads it.
    EXPECT_EQ(activity.condition(mode, prev), queueing ? always : never) << mode;
  }
}

TEST(Activity, WhatOthersReadIsActiveEverywhere) {
  const model::Program program = test::load_pointer("clh", 3);
  const Layout layout(program);
  const Activity activity(layout);
  for (std::size_t mode = 0; mode < layout.templ().locations.size(); ++mode) {
    EXPECT_EQ(activity.condition(mode, 2), activity.always()) << mode;  // locked, read as pred->locked
  }
  EXPECT_EQ(activity.condition(0, 1), 0U);  // pred, idle
}

TEST(Activity, ResetsWhatIsInactiveAndNothingElse) {
  const model::Program program = test::load_pointer("mcs", 2);
  const Layout layout(program);
  const Activity activity(layout);
  Cells cells(layout.cells(), 0);
  cells[layout.location_cell(0)] = 4;
  cells[layout.local_cell(0, next)] = 2;
  cells[layout.local_cell(0, prev)] = 1;
  cells[layout.local_cell(0, locked)] = 1;
  cells[layout.location_cell(1)] = 7;
  cells[layout.local_cell(1, next)] = 1;
  cells[layout.local_cell(1, locked)] = 1;
  activity.reset(cells);
  EXPECT_EQ(cells[layout.local_cell(0, next)], 0);  // prev = P: about to be overwritten
  EXPECT_EQ(cells[layout.local_cell(0, prev)], 1);
  EXPECT_EQ(cells[layout.local_cell(0, locked)], 1);
  EXPECT_EQ(cells[layout.local_cell(1, next)], 1);
  EXPECT_EQ(cells[layout.local_cell(1, locked)], 0);
}

}  // namespace
}  // namespace cohort::engine::pointer
