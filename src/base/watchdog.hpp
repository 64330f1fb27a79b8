// Ends a run that has reached a limit inside of code that does not ask: Clang's parser above all, which looks at
// neither clock nor signals.  Whoever asks ends by itself and says what was established; this is for the rest.
#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <string>
#include <thread>

#include "base/env.hpp"

namespace cohort {

class Watchdog {
 public:
  // Ends the process, from a thread of its own; the rest of the program stands still meanwhile, or is about to.
  using GiveUp = std::function<void(const std::string& reason)>;

  // As long as the object lives, the limits are looked at.  Where one has been reached and the grace has passed,
  // `give_up` is called.  `limits` outlives the object.
  Watchdog(const Limits& limits, GiveUp give_up);
  Watchdog(const Watchdog&) = delete;
  Watchdog& operator=(const Watchdog&) = delete;
  ~Watchdog();

 private:
  void watch();
  double grace(StopReason reason) const;

  const Limits& limits_;
  const GiveUp give_up_;
  std::mutex mutex_;
  std::condition_variable done_;
  bool is_done_ = false;
  std::thread thread_;
};

}  // namespace cohort
