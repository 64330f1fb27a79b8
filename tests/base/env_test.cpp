#include "base/env.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/contract.hpp"

namespace cohort {
namespace {

using ::testing::ElementsAre;

std::vector<std::string> names_of(const Statistics& statistics) {
  std::vector<std::string> names;
  for (const auto& entry : statistics.entries()) names.push_back(entry.first);
  return names;
}

TEST(Statistics, KeepsTheOrderInWhichNamesCame) {
  Statistics statistics;
  statistics.set("states", std::uint64_t{3});
  statistics.set("engine", std::string("explicit"));
  statistics.set("seconds", 0.5);
  statistics.set("states", std::uint64_t{4});
  EXPECT_THAT(names_of(statistics), ElementsAre("states", "engine", "seconds"));
  EXPECT_EQ(to_string(*statistics.find("states")), "4");
  EXPECT_EQ(to_string(*statistics.find("engine")), "explicit");
  EXPECT_EQ(to_string(*statistics.find("seconds")), "0.500");
}

TEST(Statistics, DoesNotFindWhatWasNeverSet) {
  const Statistics statistics;
  EXPECT_EQ(statistics.find("states"), nullptr);
}

TEST(Statistics, AddsToWhatIsThere) {
  Statistics statistics;
  statistics.add("transitions", 2);
  statistics.add("transitions", 5);
  EXPECT_EQ(*statistics.find("transitions"), Statistics::Value(std::uint64_t{7}));
}

TEST(Statistics, AddsOnlyToCounts) {
  Statistics statistics;
  statistics.set("engine", std::string("explicit"));
  EXPECT_THROW(statistics.add("engine", 1), InternalError);
}

TEST(Limits, WithoutLimitsNothingStops) {
  const Limits limits;
  EXPECT_EQ(limits.check(), StopReason::None);
  EXPECT_FALSE(limits.time_limit().has_value());
  EXPECT_FALSE(limits.memory_limit().has_value());
}

TEST(Limits, TimeThatIsUpStops) {
  Limits limits;
  limits.set_time_limit(3600);
  EXPECT_EQ(limits.check(), StopReason::None);
  limits.set_time_limit(0);
  EXPECT_EQ(limits.check(), StopReason::TimeLimit);
  limits.set_time_limit(2.5);
  EXPECT_EQ(limits.describe(StopReason::TimeLimit), "time limit of 2.5 s reached");
}

TEST(Limits, ANegativeTimeIsRefused) {
  Limits limits;
  EXPECT_THROW(limits.set_time_limit(-1), InternalError);
}

TEST(Limits, TheClockRunsForward) {
  const Limits limits;
  const double first = limits.elapsed_seconds();
  const double second = limits.elapsed_seconds();
  EXPECT_GE(first, 0);
  EXPECT_GE(second, first);
}

TEST(Limits, MemoryInUseStops) {
  Limits limits;
  limits.set_memory_limit(std::uint64_t{1} << 60U);
  EXPECT_EQ(limits.check(), StopReason::None);
  limits.set_memory_limit(1);
  EXPECT_EQ(limits.check(), StopReason::MemoryLimit);
  limits.set_memory_limit(std::uint64_t{512} << 20U);
  EXPECT_EQ(limits.describe(StopReason::MemoryLimit), "memory limit of 512 MiB reached");
}

TEST(Limits, TheInterruptFlagComesFirst) {
  std::atomic<bool> flag{false};
  Limits limits;
  limits.set_interrupt_flag(&flag);
  EXPECT_EQ(limits.check(), StopReason::None);
  limits.set_time_limit(0);
  flag = true;
  EXPECT_EQ(limits.check(), StopReason::Interrupted);
  EXPECT_EQ(limits.describe(StopReason::Interrupted), "interrupted");
}

TEST(ResidentMemory, GrowsWithWhatIsTouched) {
  const std::uint64_t before = resident_memory();
  ASSERT_GT(before, 0U);
  const std::size_t size = std::size_t{64} << 20U;
  const std::vector<char> block(size, 'x');
  EXPECT_GE(resident_memory() + (std::uint64_t{8} << 20U), before + size) << block.back();
}

TEST(Env, LooksAtTheLimitsSoonerOrLater) {
  Env env;
  env.limits.set_time_limit(3600);
  for (int i = 0; i < 100000; ++i) ASSERT_FALSE(env.stop_requested());
  env.limits.set_time_limit(0);
  const auto start = Limits::Clock::now();
  while (!env.stop_requested()) {
    ASSERT_LT(Limits::Clock::now() - start, std::chrono::seconds(20)) << "nobody looks";
  }
  EXPECT_EQ(env.stop_reason(), StopReason::TimeLimit);
  EXPECT_EQ(env.describe_stop(), "time limit of 0 s reached");
}

TEST(Env, LooksAtEveryCallThatComesLate) {
  Env env;
  env.limits.set_time_limit(3600);
  for (int i = 0; i < 100000; ++i) ASSERT_FALSE(env.stop_requested());
  int calls = 0;
  const auto wait = [] {
    const auto until = Limits::Clock::now() + std::chrono::milliseconds(6);
    while (Limits::Clock::now() < until) {
    }
  };
  // From 1024 calls on, each look divides the interval by four.
  for (int i = 0; i < 6; ++i) {
    wait();
    for (int call = 0; call < 1024; ++call) ASSERT_FALSE(env.stop_requested());
  }
  wait();
  env.limits.set_time_limit(0);
  while (!env.stop_requested()) ++calls;
  EXPECT_LE(calls, 1024);
}

TEST(Env, PollThrowsWhatStopsIt) {
  Env env;
  env.poll();
  env.limits.set_memory_limit(1);
  EXPECT_TRUE(env.poll_now());
  try {
    env.poll("anywhere");
    FAIL() << "nothing thrown";
  } catch (const Stopped& stopped) {
    EXPECT_STREQ(stopped.what(), "memory limit of 0 MiB reached");
  }
}

TEST(Env, StopsAtTheNamedPointOnly) {
  for (int way = 0; way < 3; ++way) {
    Env env;
    env.stop_at("here");
    EXPECT_FALSE(env.stop_requested("there"));
    EXPECT_FALSE(env.poll_now("there"));
    EXPECT_FALSE(env.stop_requested());
    if (way == 0) {
      EXPECT_TRUE(env.stop_requested("here"));
    } else if (way == 1) {
      EXPECT_TRUE(env.poll_now("here"));
    } else {
      EXPECT_THROW(env.poll("here"), Stopped);
    }
    EXPECT_TRUE(env.stop_requested("there")) << "a run that has stopped stays so";
    EXPECT_EQ(env.stop_reason(), StopReason::Interrupted);
    EXPECT_EQ(env.describe_stop(), "stopped at the point 'here'");
  }
}

TEST(Env, KnowsBeforehandWhatDoesNotFit) {
  Env env;
  EXPECT_TRUE(env.has_room(std::uint64_t{1} << 50U)) << "without a limit";
  env.limits.set_memory_limit(resident_memory() + (std::uint64_t{1} << 30U));
  EXPECT_TRUE(env.has_room(1024));
  EXPECT_FALSE(env.has_room(std::uint64_t{2} << 30U));
  EXPECT_EQ(env.stop_reason(), StopReason::MemoryLimit);
  EXPECT_TRUE(env.stop_requested());
}

TEST(Env, LooksAtOnceWhenAsked) {
  Env env;
  EXPECT_FALSE(env.poll_now());
  EXPECT_EQ(env.stop_reason(), StopReason::None);
  env.limits.set_memory_limit(1);
  EXPECT_TRUE(env.poll_now());
  EXPECT_EQ(env.stop_reason(), StopReason::MemoryLimit);
}

TEST(Env, RemembersTheFirstReason) {
  std::atomic<bool> flag{true};
  Env env;
  env.limits.set_interrupt_flag(&flag);
  EXPECT_TRUE(env.poll_now());
  flag = false;
  env.limits.set_time_limit(0);
  EXPECT_TRUE(env.stop_requested());
  EXPECT_TRUE(env.poll_now());
  EXPECT_EQ(env.stop_reason(), StopReason::Interrupted);
}

TEST(Env, ReportsProgressAtMostTenTimesASecond) {
  Env env;
  std::vector<std::string> lines;
  int made = 0;
  env.set_progress([&](std::string_view line) { lines.emplace_back(line); });
  const auto start = Limits::Clock::now();
  for (int i = 0; i < 1000; ++i) env.report_progress([&] { return "line " + std::to_string(++made); });
  const double seconds = std::chrono::duration<double>(Limits::Clock::now() - start).count();
  ASSERT_FALSE(lines.empty());
  EXPECT_EQ(lines.front(), "line 1");
  EXPECT_EQ(lines.size(), static_cast<std::size_t>(made)) << "a text is made only when it is shown";
  EXPECT_LE(static_cast<double>(lines.size()), 1 + seconds * 10);
}

TEST(Env, MakesNoTextThatNobodySees) {
  Env env;
  bool made = false;
  env.report_progress([&] {
    made = true;
    return std::string("line");
  });
  EXPECT_FALSE(made);
}

}  // namespace
}  // namespace cohort
