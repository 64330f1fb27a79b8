#include "model/passes/relevance.hpp"

#include <gtest/gtest.h>

#include "model/print.hpp"
#include "support/build.hpp"

namespace cohort::model {
namespace {

using namespace cohort::test;

class Relevance : public testing::Test {
 protected:
  Relevance() {
    a_ = program_.add_shared(bool_var("a"));
    b_ = program_.add_shared(bool_var("b", {1}));
    Template main = template_with("main", 3);
    x_ = main.add_local(bool_var("x"));
    program_.add_template(std::move(main));
    program_.initial.push_back({TemplateId(0), LocId(0), 1});
  }

  ExprPool& exprs() { return program_.exprs; }
  Template& main() { return program_.templates[0]; }
  ExprId a() { return exprs().shared(a_, Type::boolean()); }
  ExprId x() { return exprs().local(x_, Type::boolean()); }
  bool relevant(VarId var) const { return RelevantVariables(program_).shared(var); }

  Program program_;
  VarId a_;
  VarId b_;
  VarId x_;
};

TEST_F(Relevance, VariablesThatOnlyFeedEachOtherAreFixed) {
  add_edge(main(), 0, 1, assign_action(to_shared(b_), a()));
  add_edge(main(), 1, 0, assign_action(to_shared(a_), exprs().shared(b_, Type::boolean())));
  EXPECT_FALSE(relevant(a_));
  EXPECT_FALSE(relevant(b_));
  const Program after = fix_irrelevant(program_, RelevantVariables(program_));
  EXPECT_EQ(after.shared[0].initial, std::vector<Value>{0});
  EXPECT_EQ(after.shared[1].initial, std::vector<Value>{0});
  EXPECT_EQ(to_string(after, after.templates[0], after.templates[0].edges[0]), "0:L0 -> 1:L1: skip");
}

TEST_F(Relevance, InfluenceGoesThroughLocals) {
  add_edge(main(), 0, 1, assign_action(to_local(x_), a()));
  EXPECT_FALSE(relevant(a_));
  add_edge(main(), 1, 2, guard_action(x()));
  EXPECT_TRUE(relevant(a_));
  EXPECT_FALSE(relevant(b_));
}

TEST_F(Relevance, PropertiesAndInitialConditionsCount) {
  Property cover;
  cover.kind = Property::Kind::Cover;
  cover.condition = a();
  program_.add_property(cover);
  EXPECT_TRUE(relevant(a_));
  EXPECT_FALSE(relevant(b_));
  program_.initial_condition = exprs().shared(b_, Type::boolean());
  EXPECT_TRUE(relevant(b_));
}

TEST_F(Relevance, AssignmentsThatCanFaultCount) {
  const Type type = Type::range(0, 2);
  const VarId n = program_.add_shared(var_of("n", type, {0}));
  const VarId m = program_.add_shared(var_of("m", type, {0}));
  const ExprId value =
      exprs().binary(Op::Add, exprs().shared(m, type), exprs().constant(1, Type::integer()), Type::integer());
  add_edge(main(), 0, 1, assign_action(to_shared(n), value));
  EXPECT_TRUE(relevant(n));
  EXPECT_TRUE(relevant(m));
}

TEST_F(Relevance, WhatANewThreadIsGivenCounts) {
  Action spawn = spawn_action(0, 2);
  spawn.spawns[0].locals.push_back({to_local(x_), a()});
  add_edge(main(), 0, 1, spawn);
  EXPECT_FALSE(relevant(a_));
  add_edge(main(), 2, 0, guard_action(x()));
  EXPECT_TRUE(relevant(a_));
}

}  // namespace
}  // namespace cohort::model
