#include "base/module.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/source.hpp"

namespace cohort {
namespace {

TEST(Module, ThatIsMissingIsNamed) {
  try {
    module_function("cohort_nothing.so", "anything", "the part that does nothing");
    FAIL() << "there is no such module";
  } catch (const InputError& error) {
    EXPECT_EQ(error.kind(), InputError::Kind::Unsupported);
    EXPECT_THAT(error.what(), ::testing::HasSubstr("the part that does nothing cannot be loaded"));
    EXPECT_THAT(error.what(), ::testing::HasSubstr("cohort_nothing.so"));
  }
}

}  // namespace
}  // namespace cohort
