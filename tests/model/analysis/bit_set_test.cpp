#include "model/analysis/bit_set.hpp"

#include <random>
#include <set>

#include <gtest/gtest.h>

namespace cohort::model {
namespace {

BitSet of(std::size_t size, const std::set<std::size_t>& members) {
  BitSet result(size);
  for (const std::size_t member : members) result.insert(member);
  return result;
}

std::set<std::size_t> members_of(const BitSet& set) {
  std::set<std::size_t> result;
  set.for_each([&](std::size_t member) {
    EXPECT_TRUE(result.empty() || *result.rbegin() < member) << "members come in order";
    result.insert(member);
  });
  return result;
}

TEST(BitSet, DoesWhatSetsDo) {
  std::mt19937 random(11);
  for (int round = 0; round < 500; ++round) {
    const std::size_t size = 1 + random() % 200;
    std::set<std::size_t> a;
    std::set<std::size_t> b;
    for (std::size_t i = 0; i < size / 8; ++i) {
      a.insert(random() % size);
      b.insert(random() % size);
    }
    std::set<std::size_t> both = a;
    both.insert(b.begin(), b.end());
    std::set<std::size_t> common;
    for (const std::size_t member : a) {
      if (b.contains(member)) common.insert(member);
    }
    BitSet united = of(size, a);
    EXPECT_EQ(united.unite(of(size, b)), both != a);
    EXPECT_EQ(members_of(united), both);
    EXPECT_FALSE(united.unite(of(size, b)));
    BitSet met = of(size, a);
    met.intersect(of(size, b));
    EXPECT_EQ(met, of(size, common));
    EXPECT_EQ(of(size, a).meets(of(size, b)), !common.empty());
    EXPECT_EQ(of(size, a).within(of(size + 100, b)), common == a);
    EXPECT_EQ(of(size + 100, a).within(of(size, b)), common == a);
  }
}

TEST(BitSet, GrowsAndKeepsItsMembers) {
  BitSet set = of(3, {0, 2});
  set.grow(130);
  set.insert(129);
  set.grow(5);
  EXPECT_EQ(set.size(), 130U);
  EXPECT_EQ(set, of(130, {0, 2, 129}));
  set.erase(2);
  EXPECT_FALSE(set.contains(2));
}

TEST(BitSet, RefusesNumbersAndSetsOfOtherRanges) {
  BitSet set(64);
  EXPECT_THROW(set.insert(64), InternalError);
  EXPECT_THROW(set.erase(64), InternalError);
  EXPECT_THROW((void)set.contains(64), InternalError);
  EXPECT_THROW(set.unite(BitSet(65)), InternalError);
  EXPECT_THROW((void)set.meets(BitSet(65)), InternalError);
  EXPECT_THROW(set.intersect(BitSet(65)), InternalError);
}

}  // namespace
}  // namespace cohort::model
