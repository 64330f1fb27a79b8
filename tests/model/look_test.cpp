#include "model/look.hpp"

#include <gtest/gtest.h>

namespace cohort::model {
namespace {

std::shared_ptr<Shape> scalar(std::uint64_t size) {
  auto shape = std::make_shared<Shape>();
  shape->size = size;
  return shape;
}

// struct item { int id; char tag; } in struct pool { struct item queue[3]; int length; } pool at 16.
class Looks : public ::testing::Test {
 protected:
  Looks() {
    item_->members = {{0, "id", number_}, {4, "tag", letter_}};
    queue_->element = item_;
    pool_->members = {{0, "queue", queue_}, {24, "length", number_}};
    atlas_.add(16, "pool", pool_);
    atlas_.add_opaque(64, "worker");
  }

  std::shared_ptr<Shape> number_ = scalar(4);
  std::shared_ptr<Shape> letter_ = scalar(1);
  std::shared_ptr<Shape> item_ = scalar(8);
  std::shared_ptr<Shape> queue_ = scalar(24);
  std::shared_ptr<Shape> pool_ = scalar(28);
  Atlas atlas_;
};

TEST_F(Looks, PointersAreNamedByWhatTheyAreDeclaredToPointTo) {
  EXPECT_EQ(atlas_.name_of(16, pool_.get()), "&pool");
  EXPECT_EQ(atlas_.name_of(16, queue_.get()), "&pool.queue");
  EXPECT_EQ(atlas_.name_of(16, item_.get()), "&pool.queue[0]");
  EXPECT_EQ(atlas_.name_of(16, number_.get()), "&pool.queue[0].id");
  EXPECT_EQ(atlas_.name_of(24, item_.get()), "&pool.queue[1]");
  EXPECT_EQ(atlas_.name_of(40, number_.get()), "&pool.length");
}

TEST_F(Looks, PointersToSomethingElseAreNamedByTheLargestThatBeginsThere) {
  EXPECT_EQ(atlas_.name_of(16, nullptr), "&pool");
  EXPECT_EQ(atlas_.name_of(24, nullptr), "&pool.queue[1]");
  EXPECT_EQ(atlas_.name_of(29, nullptr), "&pool.queue[1] + 5 bytes");
}

TEST_F(Looks, AddressesOfNobodyHaveNoName) {
  EXPECT_EQ(atlas_.name_of(0, item_.get()), "NULL");
  EXPECT_EQ(atlas_.name_of(8, item_.get()), "");
  EXPECT_EQ(atlas_.name_of(44, item_.get()), "the end of pool");
  EXPECT_EQ(atlas_.name_of(45, item_.get()), "");
  EXPECT_EQ(atlas_.name_of(64, nullptr), "worker");
  EXPECT_EQ(atlas_.name_of(65, nullptr), "");
}

TEST(LookText, ElementsHaveTheirIndicesWhereTheNameLeavesThemOut) {
  EXPECT_EQ(element_name("jobs[].id", {.counts = {4}}, 2), "jobs[2].id");
  EXPECT_EQ(element_name("m[][].x[]", {.counts = {2, 3, 5}}, 28), "m[1][2].x[3]");
  EXPECT_EQ(element_name("plain", {}, 7), "plain[7]");
}

TEST(LookText, ValuesLookAsInC) {
  EXPECT_EQ(value_text({}, nullptr, -3), "-3");
  EXPECT_EQ(value_text({.kind = Look::Kind::Unsigned}, nullptr, -1), "18446744073709551615");
  EXPECT_EQ(value_text({.kind = Look::Kind::Character}, nullptr, 'a'), "'a'");
  EXPECT_EQ(value_text({.kind = Look::Kind::Character}, nullptr, 7), "7");
  EXPECT_EQ(value_text({.kind = Look::Kind::Pointer}, nullptr, 65536), "address 0x10000");
  // A number that was handed on as a pointer.
  EXPECT_EQ(value_text({.kind = Look::Kind::Pointer}, nullptr, 16), "(void *)16");
  EXPECT_EQ(value_text({.kind = Look::Kind::Pointer}, nullptr, -1), "(void *)-1");
}

TEST(LookText, NumbersWithNamesAreNamed) {
  const auto names = std::make_shared<Shape>();
  names->members = {{0, "IDLE", nullptr},
                    {1, "READ", nullptr},
                    {2, "WRITE", nullptr},
                    {static_cast<std::uint64_t>(-1), "BROKEN", nullptr}};
  const Look look{.target = names};
  EXPECT_EQ(value_text(look, nullptr, 0), "IDLE");
  EXPECT_EQ(value_text(look, nullptr, 2), "WRITE");
  EXPECT_EQ(value_text(look, nullptr, -1), "BROKEN");
  EXPECT_EQ(value_text(look, nullptr, 3), "READ | WRITE");
  EXPECT_EQ(value_text(look, nullptr, 7), "7");
  EXPECT_EQ(value_text(look, nullptr, -2), "-2");
}

}  // namespace
}  // namespace cohort::model
