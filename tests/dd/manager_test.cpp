#include "dd/manager.hpp"

#include <gtest/gtest.h>

#include "base/contract.hpp"
#include "dd/truth_table.hpp"

namespace cohort::dd {
namespace {

// Equality of two words whose bits are ordered one word after the other: exponentially many nodes.
Bdd separated_equality(const Manager& manager, std::uint32_t width) {
  Bdd result(true);
  for (Var v = 0; v < width; ++v) result &= equivalent(manager.literal(v), manager.literal(v + width));
  return result;
}

TEST(Manager, OnlyOneAtATime) {
  const Manager first({.variables = 1});
  EXPECT_THROW(Manager({.variables = 1}), InternalError);
}

TEST(Manager, ManyInARow) {
  for (std::uint32_t i = 0; i < 50; ++i) {
    const Manager manager({.variables = i});
    Bdd all(true);
    for (Var v = 0; v < i; ++v) all &= manager.literal(v);
    EXPECT_EQ(node_count(all), i);
  }
}

TEST(Manager, AddsVariables) {
  Manager manager({.variables = 2});
  const Bdd f = manager.literal(0) & !manager.literal(1);
  EXPECT_EQ(manager.add_variables(3), 2U);
  EXPECT_EQ(manager.variable_count(), 5U);
  EXPECT_EQ(count(f & manager.literal(4), VarSet({0, 1, 2, 3, 4})).to_u64(), 4U);
}

TEST(Manager, ReachingTheNodeLimitIsAnExceptionAndNotTheEnd) {
  const Manager manager({.variables = 40, .memory_bytes = 20000 * Manager::bytes_per_node()});
  const Bdd small = separated_equality(manager, 4);
  EXPECT_THROW(separated_equality(manager, 20), OutOfMemory);
  // Earlier handles keep their meaning and work goes on.
  EXPECT_EQ(separated_equality(manager, 4), small);
  EXPECT_LE(manager.nodes_allocated(), manager.node_limit());
  EXPECT_THROW(separated_equality(manager, 20), OutOfMemory);
  EXPECT_TRUE(subset(small & manager.literal(39), small));
}

TEST(Manager, TheStopCheckEndsALongOperation) {
  bool stop = false;
  const Manager manager({.variables = 48, .stop_check = [&] { return stop; }});
  stop = true;
  EXPECT_THROW(separated_equality(manager, 24), OutOfMemory);
  stop = false;
  EXPECT_NO_THROW(separated_equality(manager, 10));
}

TEST(Manager, CollectsWhatNoHandleHolds) {
  Manager manager({.variables = 24});
  { const Bdd large = separated_equality(manager, 12); }
  const std::uint64_t before = manager.nodes_in_use();
  manager.collect_garbage();
  EXPECT_LT(manager.nodes_in_use(), before);
  EXPECT_LT(manager.nodes_in_use(), 100U);
  EXPECT_GE(manager.collections(), 1U);
}

TEST(Manager, KeepsWhatHandlesHoldAcrossCollections) {
  Manager manager({.variables = 20, .initial_nodes = 1024});
  const Bdd kept = testing::from_table(manager, 0x123456789abcdef0U, 6);
  std::vector<Bdd> copies(2000, kept);  // more than BuDDy's own counter holds
  for (std::uint32_t width = 2; width < 10; ++width) separated_equality(manager, width);
  manager.collect_garbage();
  EXPECT_EQ(testing::to_table(kept, 6), 0x123456789abcdef0U);
  copies.clear();
  manager.collect_garbage();
  EXPECT_EQ(testing::to_table(kept, 6), 0x123456789abcdef0U);
}

TEST(Manager, ReorderingShrinksAndKeepsTheFunction) {
  Manager manager({.variables = 20});
  const Bdd f = separated_equality(manager, 10);
  const Renaming made_before({{0, 10}, {10, 0}, {1, 11}, {11, 1}});
  const std::size_t before = node_count(f);
  EXPECT_TRUE(manager.reorder());
  EXPECT_LT(node_count(f), 2 * before / 3);
  EXPECT_EQ(f, separated_equality(manager, 10));
  std::vector<Var> variables;
  for (Var v = 0; v < 20; ++v) variables.push_back(v);
  EXPECT_EQ(count(f, VarSet(variables)).to_u64(), 1024U);
  const Renaming swap({{0, 10}, {10, 0}});
  EXPECT_EQ(swap(f), f);
  EXPECT_EQ(made_before(f), f);
  EXPECT_EQ(made_before(manager.literal(1)), manager.literal(11));
  std::uint64_t seen = 0;
  for_each_assignment(f, VarSet(variables), [&](const Assignment& literals) {
    EXPECT_TRUE(evaluate(f, [&](Var v) {
      for (const auto& [variable, value] : literals) {
        if (variable == v) return value;
      }
      return false;
    }));
    return ++seen < 2000;
  });
  EXPECT_EQ(seen, 1024U);
}

TEST(Manager, ReorderingIsRefusedWhereItCouldRunOut) {
  Manager manager({.variables = 20, .memory_bytes = 10000 * Manager::bytes_per_node()});
  const Bdd f = separated_equality(manager, 10);
  ASSERT_GT(4 * node_count(f), 10000U);
  EXPECT_FALSE(manager.reorder());
  EXPECT_EQ(f, separated_equality(manager, 10));
}

}  // namespace
}  // namespace cohort::dd
