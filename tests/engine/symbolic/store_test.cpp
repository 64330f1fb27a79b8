#include "engine/symbolic/store.hpp"

#include <gtest/gtest.h>

#include "dd/manager.hpp"

namespace cohort::engine::symbolic {
namespace {

// Two shared variables (0, 1) and two locals (2, 3).
class Store : public ::testing::Test {
 protected:
  SharedSet s(const dd::Bdd& set) { return sets_.shared(set); }
  LocalSet at(std::uint32_t location, const dd::Bdd& set) {
    return sets_.local(sets_.place({model::TemplateId(0), model::LocId(location), false}), set);
  }
  CounterState state(SharedSet shared, const std::vector<std::pair<LocalSet, std::uint32_t>>& threads) {
    Cells cells;
    for (const auto& [set, count] : threads) add_thread(cells, set, count);
    return {shared, cells_.intern(cells)};
  }
  StateStore make(bool merging) { return {sets_, cells_, origins_, merging}; }
  // Sets at the place overlap from now on.
  void overlap(std::uint32_t location) {
    at(location, dd::Bdd(true));
    at(location, b_);
  }

  dd::Manager manager_{{.variables = 4}};
  dd::Bdd s0_ = manager_.literal(0, false);
  dd::Bdd s1_ = manager_.literal(0);
  dd::Bdd b_ = manager_.literal(2, false);
  dd::Bdd c_ = manager_.literal(2);
  SetTable sets_;
  CellsTable cells_;
  Origins origins_;
};

TEST_F(Store, StatesThatDifferInTheSharedSetAreMerged) {
  StateStore store = make(true);
  store.insert(state(s(s0_), {{at(0, b_), 2}}), {});
  store.insert(state(s(s1_), {{at(0, b_), 2}}), {});
  ASSERT_EQ(store.size(), 1U);
  EXPECT_TRUE(sets_.shared_bdd(store.states()[0].shared).is_true());
}

TEST_F(Store, StatesThatDifferInOneThreadAreMerged) {
  overlap(0);
  StateStore store = make(true);
  store.insert(state(s(s0_), {{at(0, b_), 1}, {at(1, c_), 2}}), {});
  store.insert(state(s(s0_), {{at(0, c_), 1}, {at(1, c_), 2}}), {});
  ASSERT_EQ(store.size(), 1U);
  EXPECT_EQ(store.states()[0], state(s(s0_), {{at(0, dd::Bdd(true)), 1}, {at(1, c_), 2}}));
}

TEST_F(Store, StatesThatDifferInTwoThreadsAreNot) {
  // The paper's example: merging (B, 2) and (C, 2) would invent one thread in B and one in C.
  overlap(0);
  StateStore store = make(true);
  store.insert(state(s(s0_), {{at(0, b_), 2}}), {});
  store.insert(state(s(s0_), {{at(0, c_), 2}}), {});
  EXPECT_EQ(store.size(), 2U);
}

TEST_F(Store, OneThreadOfAPairCountsAsOneThread) {
  // {B, B} and {B, C} differ in one thread.
  overlap(0);
  StateStore store = make(true);
  store.insert(state(s(s0_), {{at(0, b_), 2}}), {});
  store.insert(state(s(s0_), {{at(0, b_), 1}, {at(0, c_), 1}}), {});
  ASSERT_EQ(store.size(), 1U);
  EXPECT_EQ(store.states()[0], state(s(s0_), {{at(0, b_), 1}, {at(0, dd::Bdd(true)), 1}}));
}

TEST_F(Store, PlacesAndSharedSetsMustBeTheSame) {
  overlap(0);
  StateStore store = make(true);
  store.insert(state(s(s0_), {{at(0, b_), 1}}), {});
  store.insert(state(s(s0_), {{at(1, c_), 1}}), {});
  store.insert(state(s(s1_), {{at(0, c_), 1}}), {});
  EXPECT_EQ(store.size(), 3U);
}

TEST_F(Store, MergingGoesOnAsLongAsARuleApplies) {
  // Four states that make up a product end as one.
  overlap(0);
  StateStore store = make(true);
  for (const dd::Bdd& shared : {s0_, s1_}) {
    for (const dd::Bdd& local : {b_, c_}) store.insert(state(s(shared), {{at(0, local), 1}}), {});
  }
  EXPECT_EQ(store.size(), 1U);
  EXPECT_EQ(store.merges(), 3U);
}

TEST_F(Store, WithoutMergingEveryStateStays) {
  StateStore store = make(false);
  store.insert(state(s(s0_), {{at(0, b_), 1}}), {});
  store.insert(state(s(s1_), {{at(0, b_), 1}}), {});
  EXPECT_EQ(store.size(), 2U);
}

TEST_F(Store, DisjointSetsAreLeftApart) {
  // Uniting them would only make sets that overlap.
  StateStore store = make(true);
  store.insert(state(s(s0_), {{at(1, b_), 1}}), {});
  store.insert(state(s(s0_), {{at(1, c_), 1}}), {});
  EXPECT_EQ(store.size(), 2U);
}

TEST_F(Store, OriginsOfMergedStatesAreKept) {
  StateStore store = make(true);
  store.insert(state(s(s0_), {{at(0, b_), 1}}), origins_.make({.node = 1}));
  store.insert(state(s(s1_), {{at(0, b_), 1}}), origins_.make({.node = 2}));
  store.insert(state(s(s1_), {{at(1, b_), 1}}), origins_.make({.node = 3}));
  const auto entries = store.take();
  ASSERT_EQ(entries.size(), 2U);
  std::vector<std::uint32_t> nodes;
  for (const Origin& origin : origins_.all(entries[0].origins)) nodes.push_back(origin.node);
  EXPECT_EQ(nodes, (std::vector<std::uint32_t>{1, 2}));
  EXPECT_EQ(origins_.all(entries[1].origins).size(), 1U);
  EXPECT_TRUE(store.empty());
}

}  // namespace
}  // namespace cohort::engine::symbolic
