#include "convert/writers.hpp"

#include <gtest/gtest.h>

namespace cohort::convert {
namespace {

TEST(Writers, AreFoundByEnding) {
  ASSERT_NE(writer_for("out/model.m"), nullptr);
  EXPECT_EQ(writer_for("out/model.m")->language, "Murphi");
  ASSERT_NE(writer_for("model.pml"), nullptr);
  EXPECT_TRUE(writer_for("model.pml")->needs_threads);
  ASSERT_NE(writer_for("x.bp"), nullptr);
  EXPECT_FALSE(writer_for("x.bp")->needs_threads);
  EXPECT_EQ(writer_for("model.xyz"), nullptr);
  EXPECT_EQ(writer_for(".m"), nullptr) << "an ending alone names no file";
}

}  // namespace
}  // namespace cohort::convert
