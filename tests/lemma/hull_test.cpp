// Affine hulls against their definition: the equations hold of all points, and there are as many as the rank of the
// points leaves.
#include "lemma/hull.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace cohort::lemma {

using namespace model;

namespace {

using Point = std::vector<Value>;

bool holds(const Hull::Equation& equation, const Point& point) {
  __extension__ __int128 sum = -equation.bound;
  for (std::size_t i = 0; i < point.size(); ++i) sum += static_cast<__int128>(equation.factors[i]) * point[i];
  return equation.modulus == 0 ? sum == 0 : sum % equation.modulus == 0;
}

// Of the differences to the first point, by elimination in a field where these small numbers do not vanish.
std::size_t rank(const std::vector<Point>& points) {
  constexpr Value prime = 1'000'000'007;
  const auto residue = [](Value value) { return ((value % prime) + prime) % prime; };
  const auto inverse = [&](Value value) {
    Value result = 1;
    for (Value power = prime - 2; power > 0; power /= 2, value = value * value % prime) {
      if (power % 2 == 1) result = result * value % prime;
    }
    return result;
  };
  std::vector<Point> rows;
  for (const Point& point : points) {
    Point& row = rows.emplace_back();
    for (std::size_t i = 0; i < point.size(); ++i) row.push_back(residue(point[i] - points[0][i]));
  }
  std::size_t found = 0;
  for (std::size_t column = 0; column < points[0].size(); ++column) {
    const auto pivot = std::find_if(rows.begin() + static_cast<std::ptrdiff_t>(found), rows.end(),
                                    [&](const Point& row) { return row[column] != 0; });
    if (pivot == rows.end()) continue;
    std::iter_swap(rows.begin() + static_cast<std::ptrdiff_t>(found), pivot);
    for (std::size_t i = found + 1; i < rows.size(); ++i) {
      const Value factor = rows[i][column] * inverse(rows[found][column]) % prime;
      for (std::size_t k = 0; k < points[0].size(); ++k)
        rows[i][k] = residue(rows[i][k] - factor * rows[found][k] % prime);
    }
    ++found;
  }
  return found;
}

TEST(Hull, IsTheLeastSpaceOfItsPoints) {
  std::mt19937_64 random(3);
  const auto below = [&](Value limit) { return static_cast<Value>(random() % static_cast<std::uint64_t>(limit)); };
  for (unsigned round = 0; round < 400; ++round) {
    const auto dimensions = static_cast<std::size_t>(1 + below(6));
    // In the space of a few directions, so that equations are left.
    std::vector<Point> directions(static_cast<std::size_t>(below(4)), Point(dimensions));
    for (Point& direction : directions) {
      for (Value& value : direction) value = below(7) - 3;
    }
    Hull hull(std::vector<Type>(dimensions, Type::integer()));
    const Point origin(dimensions, below(100) - 50);
    std::vector<Point> points;
    for (unsigned i = 0; i < 8; ++i) {
      Point point = origin;
      for (const Point& direction : directions) {
        const Value factor = below(9) - 4;
        for (std::size_t k = 0; k < dimensions; ++k) point[k] += factor * direction[k];
      }
      const std::vector<Hull::Equation> before = hull.equations();
      const bool grew = hull.add(point);
      points.push_back(point);
      EXPECT_EQ(grew, i == 0 || before != hull.equations());
      for (const Hull::Equation& equation : hull.equations()) {
        EXPECT_EQ(equation.modulus, 0);
        for (const Point& one : points) ASSERT_TRUE(holds(equation, one)) << "round " << round;
      }
      ASSERT_EQ(hull.equations().size(), dimensions - rank(points)) << "round " << round << ", point " << i;
    }
  }
}

// The equations are independent of the order of coming, as what they exclude shows.
TEST(Hull, FindsTheFactors) {
  Hull hull(std::vector<Type>(3, Type::integer()));
  for (Value i = 0; i < 4; ++i) hull.add({i, 2 * i + 7, (i * i) % 5});
  ASSERT_EQ(hull.equations().size(), 1U);
  EXPECT_TRUE(holds(hull.equations()[0], {100, 207, -1}));
  EXPECT_FALSE(holds(hull.equations()[0], {100, 208, -1}));
}

// x = 3 * y of 8 bits stays true of remainders when x has wrapped around, and no longer when it is set to something
// else.  Variables without a width do not wrap around.
TEST(Hull, KeepsRemaindersWhereNumbersWrapAround) {
  const Type byte = Type::fixed(8, false);
  Hull hull({byte, byte});
  hull.add({0, 0});
  hull.add({3, 1});
  ASSERT_EQ(hull.equations().size(), 1U);
  EXPECT_EQ(hull.equations()[0].modulus, 0);
  EXPECT_TRUE(hull.add({(3 * 100) % 256, 100}));
  ASSERT_EQ(hull.equations().size(), 1U);
  EXPECT_EQ(hull.equations()[0].modulus, 256);
  EXPECT_TRUE(holds(hull.equations()[0], {(3 * 200) % 256, 200}));
  EXPECT_FALSE(hull.add({(3 * 200) % 256, 200}));
  EXPECT_TRUE(hull.add({1, 0}));
  EXPECT_TRUE(hull.equations().empty());
  Hull exact({Type::integer(), Type::integer()});
  exact.add({0, 0});
  exact.add({3, 1});
  exact.add({(3 * 100) % 256, 100});
  EXPECT_TRUE(exact.equations().empty());
}

TEST(Hull, DropsWhatGrowsTooLarge) {
  Hull hull(std::vector<Type>(2, Type::fixed(64, true)));
  hull.add({INT64_MIN, INT64_MAX});
  EXPECT_TRUE(hull.equations().empty());
  EXPECT_FALSE(hull.add({INT64_MAX, INT64_MIN}));
}

}  // namespace

}  // namespace cohort::lemma
