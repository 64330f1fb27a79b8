#include "base/watchdog.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

#include "base/contract.hpp"

namespace cohort {

namespace {

constexpr std::chrono::milliseconds interval{50};
constexpr double least_grace = 0.5;  // seconds
constexpr double share = 0.1;        // of the time limit

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

double Watchdog::grace() const {
  return std::max(least_grace, share * limits_.time_limit().value_or(0));
}

void Watchdog::watch() {
  std::unique_lock lock(mutex_);
  const auto is_done = [this] { return is_done_; };
  StopReason reason = StopReason::None;
  while (reason == StopReason::None) {
    if (done_.wait_for(lock, interval, is_done)) return;
    reason = limits_.check();
  }
  if (done_.wait_for(lock, std::chrono::duration<double>(grace()), is_done)) return;
  give_up_(limits_.describe(reason));
}

}  // namespace cohort
