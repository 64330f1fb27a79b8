#include "engine/symbolic/known_states.hpp"

#include <random>
#include <set>

#include <gtest/gtest.h>

namespace cohort::engine::symbolic {
namespace {

// One Boolean shared variable and two Boolean locals at two locations.
class Known : public ::testing::Test {
 protected:
  static model::Program program() {
    model::Program result;
    result.add_shared({.name = "s"});
    result.templates.emplace_back();
    result.templates.back().add_local({.name = "a"});
    result.templates.back().add_local({.name = "b"});
    return result;
  }
  // The values of the two locals whose bits are in `mask`.
  dd::Bdd values(std::uint32_t mask) const {
    dd::Bdd result;
    for (std::uint32_t value = 0; value < 4; ++value) {
      if (((mask >> value) & 1U) == 0) continue;
      result |= encoding_.literal(encoding_.local(0), (value & 1U) != 0) &
                encoding_.literal(encoding_.local(1), (value & 2U) != 0);
    }
    return result;
  }
  dd::Bdd shared(std::uint32_t mask) const {
    dd::Bdd result;
    if ((mask & 1U) != 0) result |= encoding_.literal(encoding_.shared(0), false);
    if ((mask & 2U) != 0) result |= encoding_.literal(encoding_.shared(0));
    return result;
  }
  LocalSet at(std::uint32_t location, std::uint32_t mask) {
    return sets_.local(sets_.place({model::TemplateId(0), model::LocId(location), false}), values(mask));
  }
  CounterState state(std::uint32_t shared_mask, const std::vector<LocalSet>& threads) {
    Cells cells;
    for (const LocalSet set : threads) add_thread(cells, set);
    return {sets_.shared(shared(shared_mask)), cells_.intern(cells)};
  }
  KnownStates make(bool exact) { return {encoding_, sets_, cells_, exact}; }

  // Shared value, and the threads' places and values in ascending order.
  using Concrete = std::pair<std::uint32_t, std::multiset<std::uint32_t>>;
  std::set<Concrete> concrete(const CounterState& state) const {
    std::set<Concrete> result;
    for (std::uint32_t value = 0; value < 2; ++value) {
      if (!dd::disjoint(sets_.shared_bdd(state.shared), shared(1U << value))) result.insert({value, {}});
    }
    for (const Cell& cell : cells_[state.cells]) {
      for (std::uint32_t i = 0; i < cell.count; ++i) {
        std::set<Concrete> longer;
        for (const Concrete& before : result) {
          for (std::uint32_t value = 0; value < 4; ++value) {
            if (dd::disjoint(sets_.local_bdd(cell.set), values(1U << value))) continue;
            Concrete after = before;
            after.second.insert(4 * sets_.place(cell.set).location.value + value);
            longer.insert(std::move(after));
          }
        }
        result = std::move(longer);
      }
    }
    return result;
  }

  Env env_;
  model::Program program_ = program();
  Encoding encoding_{env_, program_, 0};
  SetTable sets_;
  CellsTable cells_;
};

TEST_F(Known, OnlyWhatIsNewIsLeft) {
  KnownStates known = make(true);
  EXPECT_TRUE(known.add(state(1, {at(0, 3), at(1, 1)})));
  EXPECT_EQ(known.add(state(3, {at(0, 3), at(1, 1)})), state(2, {at(0, 3), at(1, 1)}));
  EXPECT_EQ(known.add(state(1, {at(0, 15), at(1, 1)})), state(1, {at(0, 15), at(1, 1)}));
  EXPECT_EQ(known.add(state(3, {at(0, 5), at(1, 1)})), state(2, {at(0, 5), at(1, 1)}));
  EXPECT_EQ(known.add(state(3, {at(0, 15), at(1, 1)})), state(2, {at(0, 15), at(1, 1)}));
  EXPECT_FALSE(known.add(state(3, {at(0, 9), at(1, 1)})));
}

TEST_F(Known, AUnionOfSeveralStatesIsRecognised) {
  KnownStates known = make(true);
  EXPECT_TRUE(known.add(state(3, {at(0, 3), at(0, 12)})));
  EXPECT_TRUE(known.add(state(3, {at(0, 3), at(0, 3)})));
  EXPECT_TRUE(known.add(state(3, {at(0, 12), at(0, 12)})));
  EXPECT_FALSE(known.add(state(1, {at(0, 15), at(0, 15)}))) << "threads at one place may change roles";
}

TEST_F(Known, WhatWasAddedBeforeSetsOverlappedStaysKnown) {
  KnownStates known = make(true);
  EXPECT_TRUE(known.add(state(1, {at(0, 1), at(1, 1)})));
  EXPECT_TRUE(known.add(state(1, {at(0, 2), at(1, 1)})));
  EXPECT_FALSE(known.add(state(1, {at(0, 3), at(1, 1)})));
  EXPECT_EQ(known.add(state(3, {at(0, 7), at(1, 1)})), state(3, {at(0, 7), at(1, 1)}))
      << "shared states of what is left";
}

TEST_F(Known, WithoutMergingOnlyEqualStatesAreKnown) {
  KnownStates known = make(false);
  EXPECT_EQ(known.add(state(3, {at(0, 15)})), state(3, {at(0, 15)}));
  EXPECT_TRUE(known.add(state(3, {at(0, 3)})));
  EXPECT_FALSE(known.add(state(3, {at(0, 3)})));
  EXPECT_FALSE(known.add(state(3, {at(0, 15)})));
}

// Against sets of concrete states: what is returned is part of the state and contains all that was not known, and
// nothing is returned exactly when all was known.
TEST_F(Known, AgreesWithConcreteSets) {
  std::mt19937 engine(1);
  const auto below = [&](std::uint32_t bound) { return static_cast<std::uint32_t>(engine() % bound); };
  for (std::uint32_t round = 0; round < 60; ++round) {
    sets_ = {};
    cells_ = {};
    KnownStates known = make(true);
    std::set<Concrete> truth;
    // Some rounds have disjoint sets only, at first.
    const bool starts_disjoint = round % 3 == 0;
    for (std::uint32_t step = 0; step < 60; ++step) {
      std::vector<LocalSet> threads;
      for (std::uint32_t i = 0; i < 1 + below(4); ++i) {
        const std::uint32_t mask = starts_disjoint && step < 40 ? 1U << (below(4)) : 1 + below(15);
        threads.push_back(at(below(2), mask));
      }
      const CounterState added = state(1 + below(3), threads);
      const std::set<Concrete> all = concrete(added);
      const auto rest = known.add(added);
      const std::set<Concrete> given = rest ? concrete(*rest) : std::set<Concrete>{};
      ASSERT_TRUE(std::includes(all.begin(), all.end(), given.begin(), given.end()));
      bool fresh = false;
      for (const Concrete& one : all) {
        if (!truth.insert(one).second) continue;
        fresh = true;
        ASSERT_TRUE(given.contains(one)) << "round " << round << " step " << step;
      }
      ASSERT_EQ(rest.has_value(), fresh) << "round " << round << " step " << step;
    }
  }
}

// Diagrams of many threads at one place are given up; what is returned then is still enough, and nothing comes twice.
TEST_F(Known, NothingIsLostWhereDiagramsAreGivenUp) {
  std::mt19937 engine(2);
  const auto below = [&](std::uint32_t bound) { return static_cast<std::uint32_t>(engine() % bound); };
  KnownStates known = make(true);
  std::set<Concrete> truth;
  std::vector<CounterState> states;
  std::size_t known_but_returned = 0;
  for (std::uint32_t step = 0; step < 250; ++step) {
    std::vector<LocalSet> threads;
    for (std::uint32_t i = 0; i < 6; ++i) threads.push_back(at(0, 1 + below(15)));
    states.push_back(state(1 + below(3), threads));
    const std::set<Concrete> all = concrete(states.back());
    const auto rest = known.add(states.back());
    const std::set<Concrete> given = rest ? concrete(*rest) : std::set<Concrete>{};
    ASSERT_TRUE(std::includes(all.begin(), all.end(), given.begin(), given.end()));
    bool fresh = false;
    for (const Concrete& one : all) {
      if (!truth.insert(one).second) continue;
      fresh = true;
      ASSERT_TRUE(given.contains(one)) << "step " << step;
    }
    known_but_returned += !fresh && rest ? 1 : 0;
  }
  EXPECT_GT(known_but_returned, 0U) << "no diagram was given up";
  for (const CounterState& again : states) EXPECT_FALSE(known.add(again));
}

}  // namespace
}  // namespace cohort::engine::symbolic
