#include "base/watchdog.hpp"

#include <atomic>
#include <future>
#include <string>

#include <gtest/gtest.h>

namespace cohort {
namespace {

TEST(Watchdog, GivesUpWhereALimitIsNotHeard) {
  Limits limits;
  limits.set_time_limit(0);
  std::promise<std::string> reason;
  const Watchdog watchdog(limits, [&](const std::string& why) { reason.set_value(why); });
  // Nobody asks for the limit: the watchdog does.
  EXPECT_EQ(reason.get_future().get(), "time limit of 0 s reached");
}

TEST(Watchdog, HearsSignals) {
  Limits limits;
  std::atomic<bool> interrupted{false};
  limits.set_interrupt_flag(&interrupted);
  std::promise<std::string> reason;
  const Watchdog watchdog(limits, [&](const std::string& why) { reason.set_value(why); });
  interrupted = true;
  EXPECT_EQ(reason.get_future().get(), "interrupted");
}

TEST(Watchdog, IsSilentWhereTheRunComesBack) {
  Limits limits;
  bool called = false;
  for (int i = 0; i < 20; ++i) {
    const Watchdog watchdog(limits, [&](const std::string&) { called = true; });
  }
  limits.set_time_limit(0);
  // Within the grace.
  {
    const Watchdog watchdog(limits, [&](const std::string&) { called = true; });
  }
  EXPECT_FALSE(called);
}

}  // namespace
}  // namespace cohort
