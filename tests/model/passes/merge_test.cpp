#include "model/passes/merge.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "model/print.hpp"
#include "model/validate.hpp"
#include "support/build.hpp"

namespace cohort::model {
namespace {

using namespace cohort::test;

class Merge : public testing::Test {
 protected:
  Merge() {
    s_ = program_.add_shared(bool_var("s", {0}));
    Template main = template_with("main", 6);
    x_ = main.add_local(bool_var("x"));
    program_.add_template(std::move(main));
    program_.initial.push_back({TemplateId(0), LocId(0), 1});
  }

  ExprPool& exprs() { return program_.exprs; }
  Template& main() { return program_.templates[0]; }
  ExprId x() { return exprs().local(x_, Type::boolean()); }
  ExprId s() { return exprs().shared(s_, Type::boolean()); }
  Action write_shared() { return assign_action(to_shared(s_), x()); }
  Action write_local() { return assign_action(to_local(x_), exprs().nondet(Type::boolean())); }

  std::vector<std::string> merged(const MergeOptions& options = {.locks = false}) {
    validate(program_);
    const Program after = merge_steps(program_, options);
    validate(after);
    std::vector<std::string> texts;
    for (const Edge& edge : after.templates[0].edges) texts.push_back(to_string(after, after.templates[0], edge));
    return texts;
  }
  std::size_t edges_left() { return merged().size(); }

  Program program_;
  VarId s_;
  VarId x_;
};

TEST_F(Merge, LocalStepsMoveRight) {
  add_edge(main(), 0, 1, write_local());
  add_edge(main(), 1, 2, guard_action(s()));
  add_edge(main(), 2, 3, write_shared());
  EXPECT_EQ(merged(), (std::vector<std::string>{"0:L0 -> 2:L2: x := *; [s]", "2:L2 -> 3:L3: s := x"}));
}

TEST_F(Merge, LocalStepsThatCannotBlockMoveLeft) {
  add_edge(main(), 0, 1, guard_action(s()));
  add_edge(main(), 1, 2, write_local());
  add_edge(main(), 2, 3, write_shared());
  add_edge(main(), 3, 0, write_shared());
  // x := * joins the step before it; the two shared writes stay apart.
  EXPECT_EQ(edges_left(), 3U);
}

TEST_F(Merge, LocalStepsThatCanBlockDoNotMoveLeft) {
  add_edge(main(), 0, 1, write_shared());
  add_edge(main(), 1, 2, guard_action(x()));
  EXPECT_EQ(edges_left(), 2U);
}

TEST_F(Merge, LocalStepsThatCanFaultDoNotMoveLeft) {
  const VarId n = main().add_local(var_of("n", Type::range(0, 1), {0}));
  const ExprId next = exprs().binary(Op::Add, exprs().local(n, Type::range(0, 1)), exprs().constant(1, Type::integer()),
                                     Type::integer());
  add_edge(main(), 0, 1, write_shared());
  add_edge(main(), 1, 2, assign_action(to_local(n), next));
  EXPECT_EQ(edges_left(), 2U);
}

TEST_F(Merge, BranchesAreJoinedWithWhatComesBefore) {
  add_edge(main(), 0, 1, write_local());
  add_edge(main(), 1, 2, guard_action(x()));
  add_edge(main(), 1, 3, guard_action(exprs().negate(x())));
  add_edge(main(), 2, 4, write_shared());
  add_edge(main(), 3, 4, write_shared());
  EXPECT_EQ(merged(),
            (std::vector<std::string>{"0:L0 -> 4:L4: x := *; [x]; s := x", "0:L0 -> 4:L4: x := *; [!x]; s := x"}));
}

TEST_F(Merge, AtomicSectionsBecomeOneStep) {
  add_edge(main(), 0, 1, atomic_action(AtomicChange::Enter));
  add_edge(main(), 1, 2, guard_action(exprs().negate(s())));
  add_edge(main(), 2, 3, assign_action(to_shared(s_), exprs().truth()));
  add_edge(main(), 3, 4, atomic_action(AtomicChange::Exit));
  add_edge(main(), 4, 5, write_shared());
  EXPECT_EQ(merged(), (std::vector<std::string>{"0:L0 -> 4:L4: atomic_begin; [!s]; s := true; atomic_end",
                                                "4:L4 -> 5:L5: s := x"}));
  EXPECT_EQ(merged({.atomic_sections = false}).size(), 5U);
}

TEST_F(Merge, PlacesOfThreadsAreSeenBeforeASectionAsWellAsInsideOfIt) {
  add_edge(main(), 0, 1, atomic_action(AtomicChange::Enter));
  add_edge(main(), 1, 2, guard_action(s()));
  add_edge(main(), 2, 3, atomic_action(AtomicChange::Exit));
  add_edge(main(), 3, 5, write_shared());
  Property cover;
  cover.kind = Property::Kind::Cover;
  cover.threads = {{TemplateId(0), LocId(3)}, {TemplateId(0), LocId(5)}};
  const PropertyId id = program_.add_property(cover);
  EXPECT_EQ(merged(),
            (std::vector<std::string>{"0:L0 -> 3:L3: atomic_begin; [s]; atomic_end", "3:L3 -> 5:L5: s := x"}));
  program_.properties[id.value].condition = s();
  EXPECT_EQ(edges_left(), 4U) << "with s before the section, without it inside";
}

TEST_F(Merge, AThreadThatASectionCreatesIsSeenInsideOfIt) {
  add_edge(main(), 0, 1, atomic_action(AtomicChange::Enter));
  add_edge(main(), 1, 2, spawn_action(0, 5));
  add_edge(main(), 2, 3, guard_action(s()));
  Property cover;
  cover.kind = Property::Kind::Cover;
  cover.threads = {{TemplateId(0), LocId(5)}};
  program_.add_property(cover);
  EXPECT_EQ(merged(), (std::vector<std::string>{"0:L0 -> 2:L2: atomic_begin; spawn main 5:L5", "2:L2 -> 3:L3: [s]"}));
}

TEST_F(Merge, ALocationThatIsAlsoReachedFromOutsideIsNotInsideASection) {
  add_edge(main(), 0, 1, atomic_action(AtomicChange::Enter));
  add_edge(main(), 1, 2, write_shared());
  add_edge(main(), 2, 3, write_shared());
  add_edge(main(), 0, 1, write_shared());
  EXPECT_EQ(edges_left(), 4U);
}

TEST_F(Merge, ErrorLocationsStay) {
  program_.add_property({.kind = Property::Kind::Assertion, .text = "a", .span = {}, .condition = {}, .threads = {}});
  main().locations[1].error = PropertyId(0);
  add_edge(main(), 0, 1, write_local());
  add_edge(main(), 1, 2, write_shared());
  EXPECT_EQ(edges_left(), 2U);
}

TEST_F(Merge, AStepThatPutsAThreadAtAnErrorIsNotFollowedByOneThatBlocks) {
  program_.add_property({.kind = Property::Kind::ErrorLabel, .text = "a", .span = {}, .condition = {}, .threads = {}});
  main().locations[5].error = PropertyId(0);
  add_edge(main(), 0, 1, atomic_action(AtomicChange::Enter));
  add_edge(main(), 1, 2, spawn_action(0, 5));
  add_edge(main(), 2, 3, guard_action(s()));
  EXPECT_EQ(merged(), (std::vector<std::string>{"0:L0 -> 2:L2: atomic_begin; spawn main 5:L5", "2:L2 -> 3:L3: [s]"}));
}

TEST_F(Merge, WhatOthersSeeIsNotPrivate) {
  add_edge(main(), 0, 1, write_local());
  add_edge(main(), 1, 2, write_shared());
  EXPECT_EQ(edges_left(), 1U);
  add_edge(main(), 2, 3, assign_action(to_passive(x_), exprs().falsity()));
  EXPECT_EQ(edges_left(), 3U);
}

TEST_F(Merge, PlacesWhereOthersFindThreadsAreNotPrivate) {
  add_edge(main(), 0, 1, write_local());
  add_edge(main(), 1, 2, write_shared());
  Action move = write_shared();
  move.moves.push_back({TemplateId(0), LocId(0), LocId(4)});
  add_edge(main(), 2, 3, move);
  EXPECT_EQ(edges_left(), 3U) << "a thread at L0 would be moved, one at L1 not";
}

TEST_F(Merge, LocationsNamedByPropertiesStay) {
  add_edge(main(), 0, 1, write_local());
  add_edge(main(), 1, 2, write_local());
  add_edge(main(), 2, 3, write_shared());
  EXPECT_EQ(edges_left(), 1U);
  Property cover;
  cover.kind = Property::Kind::Cover;
  cover.threads = {{TemplateId(0), LocId(2)}};
  program_.add_property(cover);
  EXPECT_EQ(merged(), (std::vector<std::string>{"0:L0 -> 2:L2: x := *; x := *", "2:L2 -> 3:L3: s := x"}));
}

TEST_F(Merge, IsOffForConditionsOverLocals) {
  add_edge(main(), 0, 1, write_local());
  add_edge(main(), 1, 2, write_shared());
  Property property;
  property.kind = Property::Kind::Condition;
  property.condition =
      exprs().quantified(Op::ExistsThread, exprs().remote(exprs().bound_thread(0), TemplateId(0), x_, Type::boolean()));
  program_.add_property(property);
  EXPECT_EQ(edges_left(), 2U);
}

TEST_F(Merge, AtMostOneEffectInAnEdge) {
  add_edge(main(), 0, 1, atomic_action(AtomicChange::Enter));
  add_edge(main(), 1, 2, spawn_action(0, 0));
  add_edge(main(), 2, 3, spawn_action(0, 0));
  EXPECT_EQ(edges_left(), 2U);
}

TEST_F(Merge, LoopsAreKept) {
  add_edge(main(), 0, 1, write_local());
  add_edge(main(), 1, 2, guard_action(x()));
  add_edge(main(), 2, 1, write_local());
  add_edge(main(), 1, 3, write_shared());
  // L2 goes, L1 has a loop then and stays.
  EXPECT_EQ(merged(),
            (std::vector<std::string>{"0:L0 -> 1:L1: x := *", "1:L1 -> 3:L3: s := x", "1:L1 -> 1:L1: [x]; x := *"}));
}

TEST_F(Merge, EndsOfThreadsAreNotFollowed) {
  add_edge(main(), 0, 1, end_action());
  add_edge(main(), 0, 1, guard_action(x()));
  add_edge(main(), 1, 2, write_shared());
  EXPECT_EQ(merged(), (std::vector<std::string>{"0:L0 -> 1:L1: end_thread", "0:L0 -> 2:L2: [x]; s := x"}));
}

}  // namespace
}  // namespace cohort::model
