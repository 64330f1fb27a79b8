#include "base/watchdog.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

#include "base/contract.hpp"

namespace cohort {

namespace {

constexpr std::chrono::milliseconds interval{50};
constexpr double least_grace = 0.5;  // seconds
constexpr double most_grace = 3;
constexpr double share = 0.1;  // of the time limit

}  // namespace

Watchdog::Watchdog(const Limits& limits, GiveUp give_up)
    : limits_(limits), give_up_(std::move(give_up)), thread_([this] { watch(); }) {
  COHORT_EXPECT(give_up_ != nullptr, "there is something to do where a limit is not heard");
}

// Where the process is being given up, this waits for its end.
Watchdog::~Watchdog() {
  {
    const std::lock_guard lock(mutex_);
    is_done_ = true;
  }
  done_.notify_all();
  thread_.join();
}

// Whoever waits for the end of a long limit can wait a little longer; a signal or a lack of memory cannot.
double Watchdog::grace(StopReason reason) const {
  if (reason != StopReason::TimeLimit) return least_grace;
  return std::clamp(share * limits_.time_limit().value_or(0), least_grace, most_grace);
}

void Watchdog::watch() {
  std::unique_lock lock(mutex_);
  const auto is_done = [this] { return is_done_; };
  StopReason reason = StopReason::None;
  while (reason == StopReason::None) {
    if (done_.wait_for(lock, interval, is_done)) return;
    reason = limits_.check();
  }
  if (done_.wait_for(lock, std::chrono::duration<double>(grace(reason)), is_done)) return;
  give_up_(limits_.describe(reason));
}

}  // namespace cohort
