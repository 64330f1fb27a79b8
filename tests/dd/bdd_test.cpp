#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <set>

#include "base/contract.hpp"
#include "dd/truth_table.hpp"

namespace cohort::dd {
namespace {

using testing::from_table;
using testing::mask;
using testing::quantify;
using testing::row;
using testing::rows;
using testing::Table;
using testing::to_table;

TEST(Bdd, BinaryOperationsAgreeWithAllTablesOfThreeVariables) {
  const Manager manager({.variables = 3});
  std::vector<Bdd> all;
  for (Table t = 0; t < 256; ++t) all.push_back(from_table(manager, t, 3));
  for (Table a = 0; a < 256; ++a) {
    ASSERT_EQ(to_table(all[a], 3), a);
    ASSERT_EQ(!all[a], all[~a & 0xff]);
    for (Table b = 0; b < 256; ++b) {
      ASSERT_EQ(all[a] & all[b], all[a & b]);
      ASSERT_EQ(all[a] | all[b], all[a | b]);
      ASSERT_EQ(all[a] ^ all[b], all[a ^ b]);
      ASSERT_EQ(implies(all[a], all[b]), all[(~a | b) & 0xff]);
      ASSERT_EQ(equivalent(all[a], all[b]), all[~(a ^ b) & 0xff]);
      ASSERT_EQ(difference(all[a], all[b]), all[a & ~b]);
      ASSERT_EQ(subset(all[a], all[b]), (a & ~b) == 0);
      ASSERT_EQ(disjoint(all[a], all[b]), (a & b) == 0);
    }
  }
}

TEST(Bdd, IteAgreesWithAllTablesOfTwoVariables) {
  const Manager manager({.variables = 2});
  std::vector<Bdd> all;
  for (Table t = 0; t < 16; ++t) all.push_back(from_table(manager, t, 2));
  for (Table c = 0; c < 16; ++c) {
    for (Table t = 0; t < 16; ++t) {
      for (Table e = 0; e < 16; ++e) ASSERT_EQ(ite(all[c], all[t], all[e]), all[(c & t) | (~c & e & 0xf)]);
    }
  }
}

TEST(Bdd, QuantificationAgreesWithAllTablesOfThreeVariables) {
  const Manager manager({.variables = 3});
  for (std::uint32_t chosen = 0; chosen < 8; ++chosen) {
    std::vector<Var> variables;
    for (Var v = 0; v < 3; ++v) {
      if (((chosen >> v) & 1U) != 0) variables.push_back(v);
    }
    const VarSet set(variables);
    for (Table t = 0; t < 256; ++t) {
      Table some = t;
      Table every = t;
      for (const Var v : variables) {
        some = quantify(some, 3, v, false);
        every = quantify(every, 3, v, true);
      }
      const Bdd f = from_table(manager, t, 3);
      ASSERT_EQ(to_table(exists(f, set), 3), some);
      ASSERT_EQ(to_table(forall(f, set), 3), every);
      for (Table u = 0; u < 256; u += 7) {
        const Bdd g = from_table(manager, u, 3);
        ASSERT_EQ(and_exists(f, g, set), exists(f & g, set));
      }
    }
  }
}

TEST(Bdd, CofactorsAgreeWithAllTablesOfThreeVariables) {
  const Manager manager({.variables = 3});
  for (Table t = 0; t < 256; ++t) {
    const Bdd f = from_table(manager, t, 3);
    for (Var v = 0; v < 3; ++v) {
      for (const bool value : {false, true}) {
        Table expected = 0;
        for (std::uint32_t i = 0; i < 8; ++i) {
          const std::uint32_t source = value ? (i | (1U << v)) : (i & ~(1U << v));
          if (row(t, source)) expected |= Table{1} << i;
        }
        ASSERT_EQ(to_table(cofactor(f, v, value), 3), expected);
      }
    }
    ASSERT_EQ(cofactor(f, {{0, true}, {2, false}}), cofactor(cofactor(f, 0, true), 2, false));
  }
}

TEST(Bdd, RenamesUpDownAndCrosswise) {
  const Manager manager({.variables = 6});
  const Renaming up({{0, 3}, {1, 4}, {2, 5}});
  const Renaming down({{3, 0}, {4, 1}, {5, 2}});
  const Renaming crossed({{0, 2}, {2, 0}});
  for (Table t = 0; t < 256; ++t) {
    const Bdd f = from_table(manager, t, 3);
    const Bdd renamed = up(f);
    for (const Var v : support(renamed)) ASSERT_GE(v, 3U);
    ASSERT_EQ(down(renamed), f);
    Table expected = 0;
    for (std::uint32_t i = 0; i < 8; ++i) {
      const std::uint32_t source = ((i & 1U) << 2U) | (i & 2U) | (i >> 2U);
      if (row(t, source)) expected |= Table{1} << i;
    }
    ASSERT_EQ(to_table(crossed(f), 3), expected);
  }
}

TEST(Bdd, RenamingOntoAnOccurringVariableIsRefused) {
  const Manager manager({.variables = 2});
  const Renaming clash({{0, 1}});
  EXPECT_THROW(clash(manager.literal(0) & manager.literal(1)), InternalError);
  EXPECT_THROW(Renaming({{0, 1}, {0, 0}}), InternalError);
}

TEST(Bdd, CountsPicksAndEnumeratesAllTablesOfFourVariables) {
  const Manager manager({.variables = 5});
  const VarSet four({0, 1, 2, 3});
  const VarSet five({0, 1, 2, 3, 4});
  for (Table t = 1; t < 65536; t += 13) {
    const Bdd f = from_table(manager, t, 4);
    const auto ones = static_cast<std::uint64_t>(__builtin_popcountll(t));
    ASSERT_EQ(count(f, four).to_u64(), ones);
    ASSERT_EQ(count(f, five).to_u64(), 2 * ones);
    Table picked = 0;
    for (const auto& [v, value] : pick(f, four)) picked |= Table{value} << v;
    ASSERT_TRUE(row(t, static_cast<std::uint32_t>(picked)));
    Table from_cubes = 0;
    for_each_cube(f, [&](const Assignment& literals) {
      const Table covered = to_table(cube(literals), 4);
      EXPECT_EQ(covered & from_cubes, Table{0}) << "cubes overlap";
      from_cubes |= covered;
      return true;
    });
    ASSERT_EQ(from_cubes, t);
    Table from_assignments = 0;
    for_each_assignment(f, four, [&](const Assignment& literals) {
      std::uint32_t index = 0;
      for (const auto& [v, value] : literals) index |= static_cast<std::uint32_t>(value) << v;
      from_assignments |= Table{1} << index;
      return true;
    });
    ASSERT_EQ(from_assignments, t);
  }
}

TEST(Bdd, EnumerationStopsWhenAsked) {
  const Manager manager({.variables = 4});
  int seen = 0;
  EXPECT_FALSE(for_each_assignment(Bdd(true), VarSet({0, 1, 2, 3}), [&](const Assignment&) { return ++seen < 3; }));
  EXPECT_EQ(seen, 3);
}

TEST(Bdd, CountsExactlyBeyondDoubles) {
  const Manager manager({.variables = 200});
  std::vector<Var> variables;
  for (Var v = 0; v < 200; ++v) variables.push_back(v);
  const VarSet all(variables);
  Bdd none(true);
  for (Var v = 0; v < 200; ++v) none &= manager.literal(v, false);
  // 2^200 - 1: a double rounds the one away.
  EXPECT_EQ(count(!none, all) + Natural(1), Natural::power_of_two(200));
  EXPECT_EQ(count(none, all), Natural(1));
}

TEST(Bdd, SupportAndNodesOfParity) {
  const Manager manager({.variables = 8});
  Bdd parity;
  for (Var v = 1; v < 8; v += 2) parity = parity ^ manager.literal(v);
  EXPECT_EQ(support(parity), (std::vector<Var>{1, 3, 5, 7}));
  EXPECT_EQ(node_count(parity), 7U);
  EXPECT_TRUE(support(Bdd(true)).empty());
  EXPECT_EQ(node_count(Bdd(true)), 0U);
}

TEST(Bdd, CountingOverTooFewVariablesIsRefused) {
  const Manager manager({.variables = 2});
  EXPECT_THROW(count(manager.literal(1), VarSet({0})), InternalError);
  EXPECT_THROW(manager.literal(2), InternalError);
  EXPECT_THROW(pick(Bdd(), VarSet({0})), InternalError);
}

RC_GTEST_PROP(Bdd, OperationsAgreeWithTablesOfSixVariables, (Table a, Table b, std::uint8_t chosen)) {
  const Manager manager({.variables = 6});
  const Bdd f = from_table(manager, a, 6);
  const Bdd g = from_table(manager, b, 6);
  RC_ASSERT(to_table(f & g, 6) == (a & b));
  RC_ASSERT(to_table(equivalent(f, g), 6) == ~(a ^ b));
  std::vector<Var> variables;
  Table expected = a & b;
  for (Var v = 0; v < 6; ++v) {
    if (((chosen >> v) & 1U) == 0) continue;
    variables.push_back(v);
    expected = quantify(expected, 6, v, false);
  }
  RC_ASSERT(to_table(and_exists(f, g, VarSet(variables)), 6) == expected);
  RC_ASSERT(count(f, VarSet({0, 1, 2, 3, 4, 5})).to_u64() == static_cast<std::uint64_t>(__builtin_popcountll(a)));
}

}  // namespace
}  // namespace cohort::dd
