#include "base/contract.hpp"

#include <gtest/gtest.h>

namespace cohort {
namespace {

TEST(Contract, HoldsSilently) {
  EXPECT_NO_THROW(COHORT_EXPECT(1 + 1 == 2, "sums are right"));
}

TEST(Contract, SaysWhatShouldHoldAndWhere) {
  try {
    const int count = -1;
    COHORT_EXPECT(count >= 0, "a count is not negative");
    FAIL() << "a broken contract must throw";
  } catch (const InternalError& error) {
    const std::string text = error.what();
    EXPECT_NE(text.find("contract_test.cpp"), std::string::npos) << text;
    EXPECT_NE(text.find("a count is not negative (count >= 0)"), std::string::npos) << text;
  }
}

TEST(Contract, UnreachableCodeThrows) {
  EXPECT_THROW(COHORT_UNREACHABLE("no such case"), InternalError);
}

}  // namespace
}  // namespace cohort
