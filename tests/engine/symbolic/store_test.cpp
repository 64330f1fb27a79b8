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
  static CounterState state(SharedSet shared, std::vector<std::pair<LocalSet, std::uint32_t>> threads) {
    CounterState result{shared, {}};
    for (const auto& [set, count] : threads) add_thread(result.cells, set, count);
    return result;
  }

  dd::Manager manager_{{.variables = 4}};
  dd::Bdd s0_ = manager_.literal(0, false);
  dd::Bdd s1_ = manager_.literal(0);
  dd::Bdd b_ = manager_.literal(2, false);
  dd::Bdd c_ = manager_.literal(2);
  SetTable sets_;
};

TEST_F(Store, StatesThatDifferInTheSharedSetAreMerged) {
  StateStore store(sets_, true);
  store.insert(state(s(s0_), {{at(0, b_), 2}}), {});
  store.insert(state(s(s1_), {{at(0, b_), 2}}), {});
  ASSERT_EQ(store.size(), 1U);
  EXPECT_TRUE(sets_.shared_bdd(store.states()[0].shared).is_true());
}

TEST_F(Store, StatesThatDifferInOneThreadAreMerged) {
  StateStore store(sets_, true);
  store.insert(state(s(s0_), {{at(0, b_), 1}, {at(1, c_), 2}}), {});
  store.insert(state(s(s0_), {{at(0, c_), 1}, {at(1, c_), 2}}), {});
  ASSERT_EQ(store.size(), 1U);
  EXPECT_EQ(store.states()[0], state(s(s0_), {{at(0, dd::Bdd(true)), 1}, {at(1, c_), 2}}));
}

TEST_F(Store, StatesThatDifferInTwoThreadsAreNot) {
  // The paper's example: merging (B, 2) and (C, 2) would invent one thread in B and one in C.
  StateStore store(sets_, true);
  store.insert(state(s(s0_), {{at(0, b_), 2}}), {});
  store.insert(state(s(s0_), {{at(0, c_), 2}}), {});
  EXPECT_EQ(store.size(), 2U);
}

TEST_F(Store, OneThreadOfAPairCountsAsOneThread) {
  // {B, B} and {B, C} differ in one thread.
  StateStore store(sets_, true);
  store.insert(state(s(s0_), {{at(0, b_), 2}}), {});
  store.insert(state(s(s0_), {{at(0, b_), 1}, {at(0, c_), 1}}), {});
  ASSERT_EQ(store.size(), 1U);
  EXPECT_EQ(store.states()[0], state(s(s0_), {{at(0, b_), 1}, {at(0, dd::Bdd(true)), 1}}));
}

TEST_F(Store, PlacesAndSharedSetsMustBeTheSame) {
  StateStore store(sets_, true);
  store.insert(state(s(s0_), {{at(0, b_), 1}}), {});
  store.insert(state(s(s0_), {{at(1, c_), 1}}), {});
  store.insert(state(s(s1_), {{at(0, c_), 1}}), {});
  EXPECT_EQ(store.size(), 3U);
}

TEST_F(Store, MergingGoesOnAsLongAsARuleApplies) {
  // Four states that make up a product end as one.
  StateStore store(sets_, true);
  for (const dd::Bdd& shared : {s0_, s1_}) {
    for (const dd::Bdd& local : {b_, c_}) store.insert(state(s(shared), {{at(0, local), 1}}), {});
  }
  EXPECT_EQ(store.size(), 1U);
  EXPECT_EQ(store.merges(), 3U);
}

TEST_F(Store, WithoutMergingEveryStateStays) {
  StateStore store(sets_, false);
  store.insert(state(s(s0_), {{at(0, b_), 1}}), {});
  store.insert(state(s(s1_), {{at(0, b_), 1}}), {});
  EXPECT_EQ(store.size(), 2U);
}

TEST_F(Store, OnlyWhatIsNewIsLeft) {
  StateStore store(sets_, true);
  store.insert(state(s(s0_), {{at(0, b_), 1}, {at(1, b_), 1}}), {});
  const auto rest = store.reduce(state(s(dd::Bdd(true)), {{at(0, b_), 1}, {at(1, b_), 1}}));
  ASSERT_TRUE(rest);
  EXPECT_EQ(rest->shared, s(s1_));
  const auto local = store.reduce(state(s(s0_), {{at(0, dd::Bdd(true)), 1}, {at(1, b_), 1}}));
  ASSERT_TRUE(local);
  EXPECT_EQ(*local, state(s(s0_), {{at(0, c_), 1}, {at(1, b_), 1}}));
}

TEST_F(Store, ContainedStatesAreNothingNew) {
  for (const bool merging : {false, true}) {
    StateStore store(sets_, merging);
    store.insert(state(s(dd::Bdd(true)), {{at(0, dd::Bdd(true)), 2}}), {});
    EXPECT_FALSE(store.reduce(state(s(s0_), {{at(0, b_), 1}, {at(0, c_), 1}})));
    EXPECT_TRUE(store.reduce(state(s(s0_), {{at(0, b_), 1}, {at(1, c_), 1}})));
  }
}

TEST_F(Store, ContainmentDealsThreadsOut) {
  // b & d fits both cells, b only the first: the first thread tried must move over.
  const dd::Bdd d = manager_.literal(3);
  EXPECT_TRUE(cells_subsumed(sets_, state(0, {{at(0, b_ & d), 1}, {at(0, b_), 1}}).cells,
                             state(0, {{at(0, b_), 1}, {at(0, d), 1}}).cells));
  EXPECT_FALSE(
      cells_subsumed(sets_, state(0, {{at(0, b_), 2}}).cells, state(0, {{at(0, b_), 1}, {at(0, d), 1}}).cells));
}

}  // namespace
}  // namespace cohort::engine::symbolic
