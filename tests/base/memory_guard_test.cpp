#include "base/memory_guard.hpp"

#include <algorithm>
#include <memory>
#include <vector>

#include <gtest/gtest.h>

namespace cohort {
namespace {

constexpr std::size_t mebibyte = std::size_t{1} << 20U;

// The address sanitizer keeps a shadow byte for every eight, and what was freed for a while; both are resident.
#ifdef __SANITIZE_ADDRESS__
constexpr std::size_t slack = 16 * mebibyte;
#else
constexpr std::size_t slack = mebibyte;
#endif

Limits limits_above_now(std::size_t bytes) {
  Limits limits;
  limits.set_memory_limit(resident_memory() + bytes);
  return limits;
}

// A vector that grows as an engine's arena does; the most that was in use.
std::uint64_t grow_until_refused() {
  std::vector<char> arena;
  std::uint64_t most = 0;
  try {
    while (arena.size() < 4096 * mebibyte) {
      arena.push_back('x');
      if (arena.size() == arena.capacity()) most = std::max(most, resident_memory());
    }
  } catch (const MemoryLimitReached&) {
    return most;
  }
  return 0;
}

TEST(MemoryGuard, RefusesTheStepThatWouldPassTheLimit) {
  const Limits limits = limits_above_now(64 * mebibyte);
  const MemoryGuard guard(limits);
  const std::uint64_t most = grow_until_refused();
  EXPECT_NE(most, 0U) << "the growth was refused";
  EXPECT_LE(most, *limits.memory_limit() + slack);
}

TEST(MemoryGuard, LeavesWhatFitsAndWhatIsSmall) {
  const Limits limits = limits_above_now(64 * mebibyte);
  const MemoryGuard guard(limits);
  EXPECT_NO_THROW(std::make_unique<char[]>(32 * mebibyte));
  Limits passed;
  passed.set_memory_limit(mebibyte / 2);
  const MemoryGuard inner(passed);
  EXPECT_NO_THROW(std::make_unique<char[]>(mebibyte / 2)) << "those who ask every few milliseconds see to it";
  EXPECT_THROW(std::make_unique<char[]>(2 * mebibyte), MemoryLimitReached);
}

TEST(MemoryGuard, AnswersWithNothingWhereNothingMayBeThrown) {
  const auto gets = [](std::size_t size) {
    void* memory = ::operator new(size, std::nothrow);
    ::operator delete(memory);
    return memory != nullptr;
  };
  Limits limits;
  limits.set_memory_limit(1);
  const MemoryGuard guard(limits);
  EXPECT_TRUE(gets(mebibyte / 2));
  EXPECT_FALSE(gets(2 * mebibyte));
}

TEST(MemoryGuard, EndsWithItsScope) {
  Limits limits;
  limits.set_memory_limit(1);
  {
    const MemoryGuard guard(limits);
    EXPECT_THROW(std::make_unique<char[]>(2 * mebibyte), MemoryLimitReached);
    const MemoryGuard without(Limits{});
    EXPECT_NO_THROW(std::make_unique<char[]>(2 * mebibyte));
  }
  EXPECT_NO_THROW(std::make_unique<char[]>(2 * mebibyte));
}

TEST(MemoryGuard, TellsTheLimitFromTheMachine) {
  Limits limits;
  limits.set_memory_limit(100 * mebibyte);
  EXPECT_EQ(describe_lack_of_memory(MemoryLimitReached(), limits), "memory limit of 100 MiB reached");
  EXPECT_EQ(describe_lack_of_memory(std::bad_alloc(), limits), "out of memory");
}

}  // namespace
}  // namespace cohort
