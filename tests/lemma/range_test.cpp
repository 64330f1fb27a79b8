// Ranges of small numbers, all of them: what an operation gives holds the result for every pair of values.
#include <gtest/gtest.h>

#include <functional>
#include <random>
#include <vector>

#include "lemma/range.hpp"

namespace cohort::lemma {

using model::Type;
using model::Value;

namespace {

// Intervals, lists with gaps and remainders around 0, and a few far away from it.
std::vector<Range> some_ranges() {
  std::vector<Range> result;
  for (int lo = -4; lo <= 4; ++lo) {
    for (int hi = lo; hi <= 4; ++hi) result.push_back(between(lo, hi));
  }
  const auto listed = [&](const std::vector<int>& values) {
    Range range = exactly(values[0]);
    for (const int value : values) range = join(range, exactly(value));
    result.push_back(range);
  };
  listed({0, 3});
  listed({-3, 0, 5});
  listed({1, 2, 4, 8});
  listed({-6, -2, 2});
  for (const int modulus : {2, 3, 5}) {
    const Range stride = multiply(between(-20, 20), exactly(modulus));
    result.push_back(stride);
    result.push_back(add(stride, exactly(1)));
  }
  result.push_back(between(100, 180));
  result.push_back(between(-300, -250));
  return result;
}

std::vector<Wide> values_of(const Range& range) {
  std::vector<Wide> result;
  for (Wide value = range.lo; value <= range.hi; ++value) {
    if (range.contains(value)) result.push_back(value);
  }
  return result;
}

using Exact = std::function<std::optional<Wide>(Wide, Wide)>;
using Abstract = std::function<std::optional<Range>(const Range&, const Range&)>;

void compare(const Exact& exact, const Abstract& abstract, const std::function<bool(const Range&)>& fits = {}) {
  const std::vector<Range> ranges = some_ranges();
  for (const Range& left : ranges) {
    for (const Range& right : ranges) {
      if (fits && !fits(right)) continue;
      const auto result = abstract(left, right);
      for (const Wide a : values_of(left)) {
        for (const Wide b : values_of(right)) {
          const auto value = exact(a, b);
          if (!value) continue;
          ASSERT_TRUE(result && result->contains(*value))
              << "[" << static_cast<int>(left.lo) << "," << static_cast<int>(left.hi) << "] and ["
              << static_cast<int>(right.lo) << "," << static_cast<int>(right.hi) << "]: " << static_cast<int>(a) << ", "
              << static_cast<int>(b);
        }
      }
      if (!result) continue;
      EXPECT_TRUE(result->contains(result->lo) && result->contains(result->hi)) << "ends are values";
    }
  }
}

TEST(Range, AddsSubtractsAndMultiplies) {
  compare([](Wide a, Wide b) { return a + b; }, [](const Range& a, const Range& b) { return add(a, b); });
  compare([](Wide a, Wide b) { return a - b; }, [](const Range& a, const Range& b) { return subtract(a, b); });
  compare([](Wide a, Wide b) { return a * b; }, [](const Range& a, const Range& b) { return multiply(a, b); });
}

TEST(Range, DividesAsC) {
  compare([](Wide a, Wide b) { return b == 0 ? std::optional<Wide>() : std::optional(a / b); }, divide);
  compare([](Wide a, Wide b) { return b == 0 ? std::optional<Wide>() : std::optional(a % b); }, remainder);
}

TEST(Range, CombinesAndShiftsBits) {
  for (const Bits operation : {Bits::And, Bits::Or, Bits::Xor}) {
    compare(
        [&](Wide a, Wide b) {
          const auto one = static_cast<Value>(a);
          const auto other = static_cast<Value>(b);
          return Wide{operation == Bits::And ? one & other : operation == Bits::Or ? one | other : one ^ other};
        },
        [&](const Range& a, const Range& b) { return combine(operation, a, b); });
  }
  const auto is_amount = [](const Range& range) { return range.lo >= 0 && range.hi < 64; };
  compare([](Wide a, Wide b) { return a * (Wide{1} << static_cast<unsigned>(b)); },
          [](const Range& a, const Range& b) { return shift_left(a, b); }, is_amount);
  compare([](Wide a, Wide b) { return a >> static_cast<unsigned>(b); },
          [](const Range& a, const Range& b) { return shift_right(a, b); }, is_amount);
}

TEST(Range, JoinsAndMeets) {
  for (const Range& left : some_ranges()) {
    for (const Range& right : some_ranges()) {
      const Range both = join(left, right);
      const auto common = meet(left, right);
      for (const Wide value : values_of(left)) {
        EXPECT_TRUE(both.contains(value));
        EXPECT_EQ(right.contains(value), common && common->contains(value));
      }
      EXPECT_TRUE(is_within(left, both) && is_within(right, both));
      EXPECT_TRUE(!common || (is_within(*common, left) && is_within(*common, right)));
    }
  }
}

TEST(Range, WrapsAround) {
  for (const Type& type : {Type::fixed(3, true), Type::fixed(3, false), Type::fixed(8, true), Type::fixed(8, false)}) {
    for (const Range& range : some_ranges()) {
      const Range kept = wrap(range, type);
      EXPECT_TRUE(is_within(kept, all_of(type)));
      for (const Wide value : values_of(range)) EXPECT_TRUE(kept.contains(type.wrap(static_cast<Value>(value))));
    }
  }
  EXPECT_EQ(wrap(between(300, 310), Type::fixed(8, false)), between(44, 54)) << "moved as a whole";
}

TEST(Range, KeepsRemaindersAndLists) {
  const Range even = multiply(between(0, 1000), exactly(2));
  EXPECT_EQ(remainder(even, exactly(2)), exactly(0));
  EXPECT_EQ(remainder(add(even, exactly(1)), exactly(4))->contains(2), false);
  EXPECT_FALSE(meet(even, add(even, exactly(1))));
  EXPECT_FALSE(join(exactly(0), exactly(7)).contains(3));
}

// The longest chain of widened ranges is short.
TEST(Range, WidensInFewSteps) {
  const std::vector<Wide> landmarks{-1, 0, 1, 10, 100};
  const Range all = all_of(Type::fixed(32, true));
  std::mt19937_64 random(7);
  Range range = exactly(0);
  int steps = 0;
  for (int i = 0; i < 1000; ++i) {
    const auto value = static_cast<Wide>(static_cast<std::int32_t>(random()) >> (random() % 31));
    if (range.contains(value)) continue;
    const Range wider = join(range, exactly(value));
    const Range widened = widen(range, wider, landmarks, all);
    EXPECT_TRUE(is_within(wider, widened));
    range = widened;
    ++steps;
  }
  EXPECT_LE(steps, 12);
}

}  // namespace

}  // namespace cohort::lemma
