// Value sets against sets of numbers: every operation holds what it must, and the lists are exact while they are kept.
#include "smt/value_set.hpp"

#include <gtest/gtest.h>

#include <random>
#include <set>

namespace cohort::smt {

namespace {

std::vector<Wide> some_values(std::mt19937& random) {
  std::vector<Wide> values;
  const std::size_t count = 1 + random() % 12;
  for (std::size_t i = 0; i < count; ++i) values.push_back(static_cast<Wide>(random() % 40) - 20);
  return values;
}

std::set<Wide> members(const ValueSet& set) {
  const auto values = set.enumerate();
  EXPECT_TRUE(values.has_value()) << "few values can be listed";
  return values ? std::set<Wide>(values->begin(), values->end()) : std::set<Wide>{};
}

}  // namespace

TEST(ValueSet, AgreesWithSets) {
  std::mt19937 random(7);
  for (int round = 0; round < 500; ++round) {
    const auto left = some_values(random);
    const auto right = some_values(random);
    const std::set<Wide> a(left.begin(), left.end());
    const std::set<Wide> b(right.begin(), right.end());
    ASSERT_TRUE(members(set_of(left)) == a);
    std::set<Wide> both = a;
    both.insert(b.begin(), b.end());
    ASSERT_TRUE(members(unite(set_of(left), set_of(right))) == both);
    std::set<Wide> common;
    for (const Wide value : a) {
      if (b.contains(value)) common.insert(value);
    }
    const auto met = meet(set_of(left), set_of(right));
    ASSERT_EQ(met.has_value(), !common.empty());
    ASSERT_TRUE(!met || members(*met) == common);
    for (Wide value = -25; value <= 25; ++value) ASSERT_EQ(set_of(left).contains(value), a.contains(value));
  }
}

// What cannot be listed is an interval, which holds more, never less.
TEST(ValueSet, LargeSetsAreIntervals) {
  std::vector<Wide> even;
  for (Wide i = 0; i < 2 * static_cast<Wide>(max_listed) + 2; i += 2) even.push_back(i);
  const ValueSet large = set_of(even);
  EXPECT_EQ(large.listed, nullptr);
  EXPECT_TRUE(large.contains(1));
  EXPECT_FALSE(large.contains(-1));
  const ValueSet far = unite(large, set_of({1000, 2000}));
  EXPECT_TRUE(far.contains(2000) && far.contains(500) && far.contains(0));
  const auto products = image(set_of({0, 1, 2, 3}), set_of({11}), [](Wide a, Wide b) { return std::optional(a * b); });
  ASSERT_TRUE(products.has_value());
  EXPECT_TRUE(products->contains(22));
  EXPECT_FALSE(products->contains(21));
}

}  // namespace cohort::smt
