#include "convert/step_view.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <map>

#include "support/build.hpp"

namespace cohort::convert {
namespace {

using model::Assign;
using model::ExprId;
using model::Type;
using model::VarId;

TEST(StepView, PutsTheAssignedValueInPlaceOfThePrimedVariable) {
  model::Program program;
  const VarId x = program.add_shared({.name = "x"});
  const VarId y = program.add_shared({.name = "y"});
  model::Edge edge;
  model::Action& action = edge.actions.emplace_back();
  const ExprId choice = program.exprs.nondet(Type::boolean());
  const ExprId old_y = program.exprs.shared(y, Type::boolean());
  action.assigns.push_back({test::to_shared(x), choice});
  action.constraint.push_back(program.exprs.binary(model::Op::Eq, program.exprs.shared(x, Type::boolean(), true),
                                                   program.exprs.shared(y, Type::boolean(), true), Type::boolean()));
  const StepView view = view_step(program, edge);
  ASSERT_EQ(view.enabled.size(), 1U);
  EXPECT_EQ(program.exprs[view.enabled[0]].args, (std::vector<ExprId>{choice, old_y}));
  EXPECT_EQ(view.choices, std::vector<ExprId>{choice});
  EXPECT_FALSE(view.free_target(program, choice)) << "the guard speaks of the choice";
}

TEST(StepView, KnowsChoicesThatNothingElseReads) {
  model::Program program;
  const VarId x = program.add_shared({.name = "x"});
  model::Edge edge;
  const ExprId choice = program.exprs.nondet(Type::boolean());
  edge.actions.push_back(test::assign_action(test::to_shared(x), choice));
  const StepView view = view_step(program, edge);
  ASSERT_TRUE(view.free_target(program, choice));
  EXPECT_EQ(view.free_target(program, choice)->var, x);
}

// Runs assignments one after another on concrete values, with temporaries.
std::vector<int> run(const model::ExprPool& pool, const std::vector<SequencedAssign>& sequence,
                     std::vector<int> values) {
  std::map<std::size_t, int> saved;
  for (const SequencedAssign& item : sequence) {
    const int value =
        item.temporary && !item.save ? saved.at(*item.temporary) : values[pool[item.assign.value].var.value];
    if (item.save) {
      saved[*item.temporary] = value;
    } else {
      values[item.assign.target.var.value] = value;
    }
  }
  return values;
}

RC_GTEST_PROP(InSequence, MeansTheParallelAssignment, ()) {
  constexpr int variables = 5;
  model::ExprPool pool;
  std::vector<int> before;
  for (int i = 0; i < variables; ++i) before.push_back(10 + i);
  std::vector<int> after = before;
  std::vector<Assign> assigns;
  for (int i = 0; i < variables; ++i) {
    if (!*rc::gen::arbitrary<bool>()) continue;
    const int source = *rc::gen::inRange(0, variables);
    assigns.push_back({test::to_shared(VarId(i)), pool.shared(VarId(source), Type::boolean())});
    after[i] = before[source];
  }
  const auto sequence = in_sequence(pool, assigns);
  RC_ASSERT(run(pool, sequence, before) == after);
}

TEST(InSequence, SavesOnlyForCycles) {
  model::ExprPool pool;
  const auto read = [&](std::size_t var) { return pool.shared(VarId(var), Type::boolean()); };
  const std::vector<Assign> chain{{test::to_shared(VarId(0)), read(1)}, {test::to_shared(VarId(1)), read(2)}};
  EXPECT_EQ(temporaries(in_sequence(pool, chain)), 0U);
  const std::vector<Assign> swap{{test::to_shared(VarId(0)), read(1)}, {test::to_shared(VarId(1)), read(0)}};
  EXPECT_EQ(temporaries(in_sequence(pool, swap)), 1U);
}

}  // namespace
}  // namespace cohort::convert
