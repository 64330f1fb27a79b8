#include "dd/natural.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "base/contract.hpp"

namespace cohort::dd {
namespace {

TEST(Natural, PrintsPowersBeyondMachineWords) {
  EXPECT_EQ(Natural().to_decimal(), "0");
  EXPECT_EQ(Natural::power_of_two(64).to_decimal(), "18446744073709551616");
  EXPECT_EQ(Natural::power_of_two(128).to_decimal(), "340282366920938463463374607431768211456");
}

TEST(Natural, RefusesToCutALargeNumber) {
  EXPECT_THROW(Natural::power_of_two(64).to_u64(), InternalError);
}

RC_GTEST_PROP(Natural, AgreesWithMachineArithmetic, (std::uint32_t a, std::uint32_t b)) {
  const auto wide_a = std::uint64_t{a};
  const auto wide_b = std::uint64_t{b};
  RC_ASSERT((Natural(wide_a) + Natural(wide_b)).to_u64() == wide_a + wide_b);
  RC_ASSERT((Natural(wide_a) * Natural(wide_b)).to_u64() == wide_a * wide_b);
  RC_ASSERT(Natural(wide_a * wide_b).to_decimal() == std::to_string(wide_a * wide_b));
  RC_ASSERT((Natural(wide_a) < Natural(wide_b)) == (a < b));
}

RC_GTEST_PROP(Natural, ObeysTheRingLaws, (std::uint64_t a, std::uint64_t b, std::uint64_t c)) {
  const Natural x(a);
  const Natural y(b);
  const Natural z(c);
  RC_ASSERT((x + y) * z == x * z + y * z);
  RC_ASSERT((x * y) * z == x * (y * z));
  RC_ASSERT(x.shifted_left(77) == x * Natural::power_of_two(77));
}

}  // namespace
}  // namespace cohort::dd
