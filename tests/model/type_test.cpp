#include "model/type.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "base/contract.hpp"

namespace cohort::model {
namespace {

TEST(Type, WrapsFixedWidthsAsC) {
  EXPECT_EQ(Type::fixed(8, true).wrap(200), -56);
  EXPECT_EQ(Type::fixed(8, false).wrap(-1), 255);
  EXPECT_EQ(Type::fixed(1, false).wrap(3), 1);
  EXPECT_EQ(Type::fixed(64, true).wrap(INT64_MIN), INT64_MIN);
}

RC_GTEST_PROP(Type, WrapsToTheValueThatTheMachineKeeps, (std::int64_t value)) {
  RC_ASSERT(Type::fixed(32, true).wrap(value) == static_cast<std::int32_t>(value));
  RC_ASSERT(Type::fixed(32, false).wrap(value) == static_cast<std::uint32_t>(value));
  RC_ASSERT(Type::fixed(16, true).wrap(value) == static_cast<std::int16_t>(value));
}

TEST(Type, CountsItsValues) {
  EXPECT_EQ(Type::boolean().cardinality(), 2U);
  EXPECT_EQ(Type::range(-2, 3).cardinality(), 6U);
  EXPECT_EQ(Type::fixed(8, true).cardinality(), 256U);
  EXPECT_EQ(Type::fixed(8, true).first(), -128);
  EXPECT_EQ(Type::fixed(1, true).first(), -1);
  EXPECT_EQ(Type::fixed(64, true).first(), INT64_MIN);
  EXPECT_EQ(Type::fixed(63, false).first(), 0);
  EXPECT_EQ(Type::integer().cardinality(), 0U);
  EXPECT_EQ(Type::range(INT64_MIN, INT64_MAX).cardinality(), 0U);
}

TEST(Type, ResetsToTheValueNearestToZero) {
  EXPECT_EQ(Type::range(3, 5).default_value(), 3);
  EXPECT_EQ(Type::range(-5, -3).default_value(), -3);
  EXPECT_EQ(Type::range(-5, 3).default_value(), 0);
}

TEST(Type, KeepsArraysFlat) {
  const Type array = Type::range(0, 3).array_of(4);
  EXPECT_EQ(array.slots(), 4U);
  EXPECT_EQ(array.element(), Type::range(0, 3));
  EXPECT_EQ(to_string(array), "0..3[4]");
  EXPECT_THROW(array.array_of(2), InternalError);
  EXPECT_THROW(Type::range(2, 1), InternalError);
}

}  // namespace
}  // namespace cohort::model
