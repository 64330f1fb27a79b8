#include "model/thread_system.hpp"

#include <gtest/gtest.h>

#include "base/contract.hpp"
#include "support/build.hpp"

namespace cohort::model {
namespace {

using namespace test;

TEST(PairTable, KeepsEveryPairThroughGrowth) {
  PairTable table;
  constexpr std::uint32_t side = 200;
  for (std::uint32_t i = 0; i < side; ++i) {
    for (std::uint32_t j = 0; j < side; ++j) table.insert(i, j, i * side + j);
  }
  EXPECT_EQ(table.size(), side * side);
  for (std::uint32_t i = 0; i < side; ++i) {
    for (std::uint32_t j = 0; j < side; ++j) ASSERT_EQ(table.find(i, j), i * side + j);
  }
  EXPECT_EQ(table.find(side, 0), PairTable::absent);
  EXPECT_THROW(table.insert(0, 0, 1), InternalError);
}

// A location with an edge for each value of the shared variable, as thread transition systems have them.
Program ring(Value size) {
  Program program;
  const Type type = Type::range(0, size - 1);
  const VarId s = program.add_shared(var_of("s", type, {0}));
  Template templ = template_with("t", 1);
  for (Value value = 0; value < size; ++value) {
    Action action = assign_action(to_shared(s), program.exprs.constant((value + 1) % size, type));
    action.guard = program.exprs.binary(Op::Eq, program.exprs.shared(s, type), program.exprs.constant(value, type),
                                        Type::boolean());
    add_edge(templ, 0, 0, action);
  }
  program.add_template(std::move(templ));
  program.initial.push_back({TemplateId(0), LocId(0), 1});
  return program;
}

TEST(ThreadSystem, FindsTheEdgesOfASharedState) {
  const Program program = ring(50);
  ThreadSystem system(program);
  const LocalId local = system.intern_local({TemplateId(0), LocId(0), false, {}});
  for (Value value = 0; value < 50; ++value) {
    const SharedId shared = system.intern_shared({value});
    const auto steps = system.successors(shared, local);
    ASSERT_EQ(steps.size(), 1U);
    EXPECT_EQ(steps[0].edge, static_cast<std::uint32_t>(value));
    EXPECT_EQ(system.shared(steps[0].shared), Valuation{(value + 1) % 50});
  }
  EXPECT_EQ(system.expanded_count(), 50U);
}

TEST(ThreadSystem, RemembersWhatItComputed) {
  const Program program = ring(3);
  ThreadSystem system(program);
  const LocalId local = system.intern_local({TemplateId(0), LocId(0), false, {}});
  const SharedId shared = system.intern_shared({0});
  const auto* first = system.successors(shared, local).data();
  EXPECT_EQ(system.successors(shared, local).data(), first);
  EXPECT_EQ(system.expanded_count(), 1U);
}

TEST(ThreadSystem, LeavesOutStepsThatChangeNothing) {
  Program program;
  Template templ = template_with("t", 1);
  add_edge(templ, 0, 0);
  program.add_template(std::move(templ));
  ThreadSystem system(program);
  const LocalId local = system.intern_local({TemplateId(0), LocId(0), false, {}});
  EXPECT_TRUE(system.successors(system.intern_shared({}), local).empty());
}

TEST(ThreadSystem, RefusesProgramsWithReferences) {
  Program program;
  Template templ = template_with("t", 1);
  add_edge(templ, 0, 0,
           guard_action(program.exprs.binary(Op::Eq, program.exprs.self(), program.exprs.self(), Type::boolean())));
  program.add_template(std::move(templ));
  EXPECT_THROW(ThreadSystem system(program), InternalError);
}

}  // namespace
}  // namespace cohort::model
