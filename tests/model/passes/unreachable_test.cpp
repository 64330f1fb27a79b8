#include "model/passes/unreachable.hpp"

#include <gtest/gtest.h>

#include "support/build.hpp"

namespace cohort::model {
namespace {

using namespace cohort::test;

class Unreachable : public testing::Test {
 protected:
  // main with locations L0 to L5, starting at L0; helper with L0 to L1, which nobody starts.
  Unreachable() {
    program_.add_shared(bool_var("s", {0}));
    program_.add_template(template_with("main", 6));
    program_.add_template(template_with("helper", 2));
    program_.initial.push_back({TemplateId(0), LocId(0), 1});
  }

  Template& main() { return program_.templates[0]; }
  Template& helper() { return program_.templates[1]; }
  std::size_t edges_left(std::size_t templ) const { return remove_unreachable(program_).templates[templ].edges.size(); }

  Program program_;
};

TEST_F(Unreachable, FollowsEdgesButNotEnds) {
  add_edge(main(), 0, 1);
  add_edge(main(), 1, 2, end_action());
  add_edge(main(), 2, 3);
  EXPECT_EQ(edges_left(0), 2U);
}

TEST_F(Unreachable, DropsConstantFalseGuards) {
  add_edge(main(), 0, 1, guard_action(program_.exprs.falsity()));
  add_edge(main(), 1, 2);
  add_edge(main(), 0, 3, guard_action(program_.exprs.truth()));
  const Program after = remove_unreachable(program_);
  ASSERT_EQ(after.templates[0].edges.size(), 1U);
  EXPECT_EQ(after.templates[0].edges[0].target, LocId(3));
  EXPECT_EQ(after.templates[0].locations.size(), 6U);
}

TEST_F(Unreachable, FollowsSpawnsOfReachableEdgesOnly) {
  add_edge(helper(), 0, 1);
  add_edge(main(), 1, 2, spawn_action(1, 0));
  EXPECT_EQ(edges_left(1), 0U);
  add_edge(main(), 0, 1);
  EXPECT_EQ(edges_left(1), 1U);
}

TEST_F(Unreachable, TakesNeedAThreadThere) {
  Action take;
  take.takes.push_back({TemplateId(0), LocId(4), LocId(5)});
  add_edge(main(), 0, 1, take);
  add_edge(main(), 5, 0);
  EXPECT_EQ(edges_left(0), 0U);
  add_edge(main(), 0, 4);  // found after the edge with the take was looked at
  EXPECT_EQ(edges_left(0), 3U);
}

TEST_F(Unreachable, MovesCarryThreadsFromReachablePlaces) {
  Action move;
  move.moves.push_back({TemplateId(0), LocId(2), LocId(4)});
  add_edge(main(), 0, 1, move);
  add_edge(main(), 4, 5);
  EXPECT_EQ(edges_left(0), 1U);
  add_edge(main(), 1, 2);
  EXPECT_EQ(edges_left(0), 3U);
}

}  // namespace
}  // namespace cohort::model
