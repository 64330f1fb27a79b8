#include "model/heap.hpp"

#include <memory>

#include <gtest/gtest.h>

namespace cohort::model {
namespace {

TEST(Heap, TravelsWithTheProgram) {
  Heap heap;
  heap.families.push_back(
      {.address = 16, .stride = 24, .count = 4, .columns = {VarId(3), VarId(0)}, .comes_back = true});
  heap.families.push_back({.address = 144, .stride = 9, .count = 1, .columns = {}, .comes_back = false});
  heap.shared = {VarId(0), VarId(7)};
  heap.locals = {{}, {VarId(2)}, {VarId(1), VarId(5)}};
  Atlas atlas;
  heap.write(atlas);
  Program program;
  program.atlas = std::make_shared<const Atlas>(atlas);
  EXPECT_EQ(heap_of(program), heap);
}

TEST(Heap, IsUnknownWhereNobodySaysAnything) {
  Program program;
  EXPECT_EQ(heap_of(program), std::nullopt);
  program.atlas = std::make_shared<const Atlas>();
  EXPECT_EQ(heap_of(program), std::nullopt);
}

TEST(Heap, LiesWhereNoAddressLeads) {
  Atlas atlas;
  Heap{}.write(atlas);
  atlas.add_opaque(16, "object");
  for (const Value address : {Value{1}, Value{15}, Value{-1}, Value{-4096}})
    EXPECT_EQ(atlas.name_of(address, nullptr), "");
  EXPECT_EQ(atlas.name_of(16, nullptr), "object");
}

}  // namespace
}  // namespace cohort::model
