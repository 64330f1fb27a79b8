#include "model/passes/liveness.hpp"

#include <gtest/gtest.h>

#include <string>

#include "model/print.hpp"
#include "model/validate.hpp"
#include "support/build.hpp"

namespace cohort::model {
namespace {

using namespace cohort::test;

class Liveness : public testing::Test {
 protected:
  Liveness() {
    s_ = program_.add_shared(bool_var("s", {0}));
    Template main = template_with("main", 6);
    x_ = main.add_local(bool_var("x"));
    y_ = main.add_local(bool_var("y"));
    program_.add_template(std::move(main));
    program_.initial.push_back({TemplateId(0), LocId(0), 1});
  }

  ExprPool& exprs() { return program_.exprs; }
  Template& main() { return program_.templates[0]; }
  ExprId x(bool primed = false) { return exprs().local(x_, Type::boolean(), primed); }
  ExprId y(bool primed = false) { return exprs().local(y_, Type::boolean(), primed); }
  ExprId any() { return exprs().nondet(Type::boolean()); }

  // The names of the locals live at each location, e.g. "xy x - -".
  std::string live() {
    validate(program_);
    const LiveLocals result(program_);
    std::string text;
    for (std::size_t i = 0; i < main().locations.size(); ++i) {
      std::string here;
      for (std::size_t var = 0; var < main().locals.size(); ++var) {
        if (result.live(TemplateId(0), LocId(i), VarId(var))) here += main().locals[var].name;
      }
      text += (text.empty() ? "" : " ") + (here.empty() ? "-" : here);
    }
    return text;
  }

  std::vector<std::string> edges_after() {
    const Program after = reset_dead_locals(program_, LiveLocals(program_));
    validate(after);
    std::vector<std::string> texts;
    for (const Edge& edge : after.templates[0].edges) texts.push_back(to_string(after, after.templates[0], edge));
    return texts;
  }

  Program program_;
  VarId s_;
  VarId x_;
  VarId y_;
};

TEST_F(Liveness, FollowsUsesBackToDefinitions) {
  add_edge(main(), 0, 1, assign_action(to_local(x_), any()));
  add_edge(main(), 1, 2);
  add_edge(main(), 2, 3, guard_action(x()));
  add_edge(main(), 3, 4, assign_action(to_shared(s_), y()));
  EXPECT_EQ(live(), "y xy xy y - -");
}

TEST_F(Liveness, ForgetsWhatAnEndedThreadWouldHaveUsed) {
  add_edge(main(), 0, 1, end_action());
  add_edge(main(), 1, 2, guard_action(x()));
  EXPECT_EQ(live(), "- x - - - -");
}

TEST_F(Liveness, OperandsOfDeadAssignmentsAreNotUses) {
  add_edge(main(), 0, 1, assign_action(to_local(x_), y()));
  add_edge(main(), 1, 0);
  EXPECT_EQ(live(), "- - - - - -");
}

TEST_F(Liveness, OperandsThatCanFaultAreUses) {
  const Type type = Type::fixed(8, false);
  const VarId n = main().add_local(var_of("n", type));
  const VarId m = main().add_local(var_of("m", type));
  const ExprId one = exprs().constant(1, type);
  add_edge(main(), 0, 1, assign_action(to_local(n), exprs().binary(Op::Div, one, exprs().local(m, type), type)));
  EXPECT_EQ(live(), "m - - - - -");
}

TEST_F(Liveness, PrimedVariablesAreReadAfterTheStep) {
  Action action = assign_action(to_local(x_), any());
  action.constraint = {exprs().binary(Op::Eq, x(true), y(true), Type::boolean())};
  add_edge(main(), 0, 1, action);
  // 'x is the new x, 'y is the old y.
  EXPECT_EQ(live(), "y - - - - -");
  ASSERT_EQ(edges_after().size(), 1U);
  EXPECT_EQ(edges_after()[0], "0:L0 -> 1:L1: x := * constrain 'x == 'y; x, y := false, false");
}

TEST_F(Liveness, AChildThatCopiesUsesWhatItWillUse) {
  Action spawn = spawn_action(0, 2, true);
  spawn.spawns[0].locals.push_back({to_local(y_), exprs().truth()});
  add_edge(main(), 0, 1, spawn);
  add_edge(main(), 2, 3, guard_action(exprs().conj(x(), y())));
  EXPECT_EQ(live(), "x - xy - - -");
}

TEST_F(Liveness, PassiveThreadsCarryTheirLocalsAlong) {
  Action action;
  action.moves.push_back({TemplateId(0), LocId(4), LocId(2)});
  action.takes.push_back({TemplateId(0), LocId(5), LocId(2)});
  add_edge(main(), 0, 1, action);
  add_edge(main(), 2, 3, guard_action(x()));
  EXPECT_EQ(live(), "- - x - x x");
}

TEST_F(Liveness, WhatOthersSeeIsLiveEverywhere) {
  add_edge(main(), 0, 1, assign_action(to_passive(x_), exprs().falsity()));
  EXPECT_EQ(live(), "x x x x x x");
  Property property;
  property.kind = Property::Kind::Condition;
  property.condition =
      exprs().quantified(Op::ExistsThread, exprs().remote(exprs().bound_thread(0), TemplateId(0), y_, Type::boolean()));
  program_.add_property(property);
  EXPECT_EQ(live(), "xy xy xy xy xy xy");
}

TEST_F(Liveness, ResetsWhereAVariableDies) {
  add_edge(main(), 0, 1, assign_action(to_local(x_), any()));
  add_edge(main(), 1, 2, guard_action(x()));
  add_edge(main(), 1, 1, assign_action(to_local(y_), exprs().negate(x())));
  add_edge(main(), 2, 0);
  add_edge(main(), 2, 3, end_action());
  EXPECT_EQ(edges_after(), (std::vector<std::string>{
                               "0:L0 -> 1:L1: x := *",
                               "1:L1 -> 2:L2: [x]; x := false",
                               "1:L1 -> 1:L1: skip",
                               "2:L2 -> 0:L0: skip",
                               "2:L2 -> 3:L3: end_thread",
                           }));
  const Program after = reset_dead_locals(program_, LiveLocals(program_));
  EXPECT_EQ(after.templates[0].locals[0].initial, std::vector<Value>{0}) << "x is dead at the start";
  EXPECT_FALSE(after.templates[0].edges[1].actions[1].origin) << "the reset is the pass's own";
}

TEST_F(Liveness, InitialLocationsThatAreLoopHeadsKeepWhatTheyUse) {
  add_edge(main(), 0, 1, guard_action(x()));
  add_edge(main(), 1, 0, assign_action(to_local(x_), y()));
  const Program after = reset_dead_locals(program_, LiveLocals(program_));
  EXPECT_TRUE(after.templates[0].locals[0].initial.empty());
  EXPECT_TRUE(after.templates[0].locals[1].initial.empty()) << "y is read in the loop";
}

TEST_F(Liveness, NewThreadsStartWithTheirDeadLocalsReset) {
  // Threads start as declared at L0, where x is live, and by a spawn at L2, where it is dead.
  add_edge(main(), 0, 1, guard_action(exprs().conj(x(), y())));
  Action spawn = spawn_action(0, 2);
  spawn.spawns[0].locals.push_back({to_local(y_), any()});
  add_edge(main(), 1, 3, spawn);
  add_edge(main(), 1, 3, spawn_action(0, 2, true));
  const auto texts = edges_after();
  EXPECT_EQ(texts[0], "0:L0 -> 1:L1: [x && y]; x, y := false, false");
  EXPECT_EQ(texts[1], "1:L1 -> 3:L3: spawn main 2:L2 with x, y := false, false");
  EXPECT_EQ(texts[2], "1:L1 -> 3:L3: spawn main 2:L2 copy");
}

TEST_F(Liveness, ArraysAreResetByElement) {
  const Type type = Type::range(1, 2).array_of(2);
  const VarId a = main().add_local(var_of("a", type));
  const ExprId zero = exprs().constant(0, Type::integer());
  const ExprId first = exprs().element(Op::LocalVar, a, type, zero);
  add_edge(main(), 0, 1,
           guard_action(exprs().binary(Op::Eq, first, exprs().constant(2, Type::range(1, 2)), Type::boolean())));
  EXPECT_EQ(edges_after()[0], "0:L0 -> 1:L1: [a[0] == 2]; a[0], a[1] := 1, 1");
}

}  // namespace
}  // namespace cohort::model
