#include "base/assignment.hpp"

#include <random>

#include <gtest/gtest.h>

namespace cohort {
namespace {

using Numbers = std::vector<std::uint64_t>;
using Table = std::vector<std::vector<bool>>;

// Puts the items one by one into every box that takes them.
bool brute_force(Numbers items, Numbers room, const Table& allowed) {
  for (std::size_t kind = 0; kind < items.size(); ++kind) {
    if (items[kind] == 0) continue;
    for (std::size_t box = 0; box < room.size(); ++box) {
      if (room[box] == 0 || !allowed[kind][box]) continue;
      Numbers fewer = items;
      Numbers less = room;
      --fewer[kind];
      --less[box];
      if (brute_force(fewer, less, allowed)) return true;
    }
    return false;
  }
  return true;
}

TEST(Assignment, AgreesWithBruteForce) {
  std::mt19937 random(1);
  int exist = 0;
  for (int round = 0; round < 2000; ++round) {
    Numbers items(1 + random() % 3);
    Numbers room(1 + random() % 3);
    Table allowed(items.size(), std::vector<bool>(room.size()));
    for (auto& count : items) count = random() % 3;
    for (auto& count : room) count = random() % 4;
    for (auto& row : allowed) {
      for (std::size_t box = 0; box < row.size(); ++box) row[box] = random() % 2 == 0;
    }
    const bool found =
        Assignment(items, room, [&](std::size_t kind, std::size_t box) -> bool { return allowed[kind][box]; }).exists();
    ASSERT_EQ(found, brute_force(items, room, allowed)) << "round " << round;
    exist += found ? 1 : 0;
  }
  EXPECT_GT(exist, 500);
  EXPECT_LT(exist, 1500);
}

TEST(Assignment, MovesManyItemsAtOnce) {
  // Kind 0 fills box 0 first and must make room for kind 1, which fits nowhere else.
  const std::uint64_t many = std::uint64_t{1} << 40U;
  const auto allowed = [](std::size_t kind, std::size_t box) { return kind == 0 || box == 0; };
  EXPECT_TRUE(Assignment(Numbers{many, many}, Numbers{many, many}, allowed).exists());
  EXPECT_FALSE(Assignment(Numbers{many, many + 1}, Numbers{many, 2 * many}, allowed).exists());
}

}  // namespace
}  // namespace cohort
