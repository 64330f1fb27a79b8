#include "convert/names.hpp"

#include <gtest/gtest.h>

namespace cohort::convert {
namespace {

TEST(Names, KeepsLegalNames) {
  Names names("end begin");
  EXPECT_EQ(names.fresh("counter_1"), "counter_1");
}

TEST(Names, NeverGivesANameTwice) {
  Names names("");
  EXPECT_EQ(names.fresh("x"), "x");
  EXPECT_EQ(names.fresh("x_2"), "x_2");
  EXPECT_EQ(names.fresh("x"), "x_v2");
  EXPECT_EQ(names.fresh("f.x"), "f_x");
  EXPECT_EQ(names.fresh("f#x"), "f_x_v2");
}

TEST(Names, AvoidsReservedWordsInAnySpelling) {
  Names names("end begin");
  EXPECT_EQ(names.fresh("end"), "end_v2");
  EXPECT_EQ(names.fresh("Begin"), "Begin_v2");
}

TEST(Names, AvoidsNumberedReservedWords) {
  Names names("saved_* t*");
  EXPECT_EQ(names.fresh("saved_0"), "saved_0_v2");
  EXPECT_EQ(names.fresh("T12"), "T12_v2");
  EXPECT_EQ(names.fresh("saved_x1"), "saved_x1");
  EXPECT_EQ(names.fresh("turn"), "turn");
}

TEST(Names, BeginsWithALetter) {
  Names names("");
  EXPECT_EQ(names.fresh("$x"), "v_x");
  EXPECT_EQ(names.fresh("1"), "v1");
  EXPECT_EQ(names.fresh(""), "v");
}

}  // namespace
}  // namespace cohort::convert
