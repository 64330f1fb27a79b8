#include "engine/symbolic/splice.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "dd/manager.hpp"
#include "dd/truth_table.hpp"

namespace cohort::engine::symbolic {
namespace {

TEST(Splice, AProductIsLeftWhole) {
  const dd::Manager manager({.variables = 2});
  std::vector<dd::Var> used;
  const auto parts = split(manager.literal(0) & manager.literal(1), dd::VarSet({0}), dd::VarSet({1}), used);
  EXPECT_EQ(parts.size(), 1U);
  EXPECT_TRUE(used.empty());
}

TEST(Splice, AnAssignmentBetweenTheBlocksIsSplitInTwo) {
  // s := l from unknown values: {(0,0), (1,1)}.
  const dd::Manager manager({.variables = 2});
  std::vector<dd::Var> used;
  const auto parts =
      split(dd::equivalent(manager.literal(0), manager.literal(1)), dd::VarSet({0}), dd::VarSet({1}), used);
  EXPECT_EQ(parts.size(), 2U);
  EXPECT_EQ(used, std::vector<dd::Var>{0});
}

TEST(Splice, OnlyTheTiedVariableIsSplit) {
  const dd::Manager manager({.variables = 4});
  std::vector<dd::Var> used;
  const dd::Bdd tied =
      dd::equivalent(manager.literal(1), manager.literal(3)) & (manager.literal(0) | manager.literal(2, false));
  split(dd::equivalent(manager.literal(1), manager.literal(3)) & manager.literal(0), dd::VarSet({0, 1, 2}),
        dd::VarSet({3}), used);
  EXPECT_EQ(used, std::vector<dd::Var>{1});
  EXPECT_EQ(split(tied, dd::VarSet({0, 1, 2}), dd::VarSet({3}), used).size(), 2U);
}

TEST(Splice, ParityNeedsAllItsVariablesButOnlyTwoParts) {
  const dd::Manager manager({.variables = 3});
  std::vector<dd::Var> used;
  const dd::Bdd parity = dd::equivalent(manager.literal(0) ^ manager.literal(1), manager.literal(2));
  EXPECT_EQ(split(parity, dd::VarSet({0, 1}), dd::VarSet({2}), used).size(), 2U);
  EXPECT_EQ(used.size(), 2U);
}

RC_GTEST_PROP(Splice, PartsAreDisjointProductsThatMakeUpTheSet, (std::uint64_t table)) {
  const dd::Manager manager({.variables = 6});
  const dd::Bdd set = dd::testing::from_table(manager, table, 6);
  const dd::VarSet first({0, 1, 2});
  const dd::VarSet second({3, 4, 5});
  std::vector<dd::Var> used;
  dd::Bdd total;
  dd::Bdd seen;
  for (const Product& part : split(set, first, second, used)) {
    RC_ASSERT(dd::exists(part.first, second) == part.first);
    RC_ASSERT(dd::exists(part.second, first) == part.second);
    RC_ASSERT(dd::disjoint(seen, part.first));
    seen |= part.first;
    total |= part.first & part.second;
  }
  RC_ASSERT(total == set);
}

}  // namespace
}  // namespace cohort::engine::symbolic
