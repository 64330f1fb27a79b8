// What one run carries down through all layers instead of globals: its limits, its statistics and its progress line.
// Reaching a limit is a result, not an error: long loops call Env::stop_requested() and return.  Where a loop is too
// deep inside to return (a fixpoint of a pass, the outcomes of one step) it calls Env::poll(), which throws Stopped;
// whoever can make an answer of it catches that.
//
// A place that asks may have a name, a *stopping point*.  A run that is told to stop at a point ends there as if it
// had been interrupted, so that tests can stop everywhere without waiting.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace cohort {

// Named figures of a run, kept in the order in which they were first set.
class Statistics {
 public:
  using Value = std::variant<std::uint64_t, double, std::string>;

  void set(std::string_view name, Value value);
  void add(std::string_view name, std::uint64_t amount);
  const Value* find(std::string_view name) const;
  const std::vector<std::pair<std::string, Value>>& entries() const { return entries_; }

 private:
  std::vector<std::pair<std::string, Value>> entries_;
};

std::string to_string(const Statistics::Value& value);

enum class StopReason { None, TimeLimit, MemoryLimit, Interrupted };

// When a run must end.  describe() says why it did, for the reason of an UNKNOWN verdict.
class Limits {
 public:
  using Clock = std::chrono::steady_clock;

  void set_time_limit(double seconds);
  void set_memory_limit(std::uint64_t bytes);
  // The flag that a signal handler sets; owned by the caller and outliving this object.
  void set_interrupt_flag(const std::atomic<bool>* flag) { interrupt_ = flag; }

  std::optional<double> time_limit() const { return time_limit_; }
  std::optional<std::uint64_t> memory_limit() const { return memory_limit_; }
  double elapsed_seconds() const;
  // Looks at clock, memory and flag now.
  StopReason check() const;
  std::string describe(StopReason reason) const;

 private:
  Clock::time_point start_ = Clock::now();
  std::optional<double> time_limit_;
  std::optional<std::uint64_t> memory_limit_;
  const std::atomic<bool>* interrupt_ = nullptr;
};

// Resident memory of this process in bytes.
std::uint64_t resident_memory();

// A limit was reached; what() describes it.
class Stopped : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

class Env {
 public:
  using ProgressSink = std::function<void(std::string_view)>;

  Limits limits;
  Statistics statistics;
  // Expensive invariants are checked too (`--self-check`; the tests set it).
  bool self_check = false;

  void set_progress(ProgressSink sink) { progress_ = std::move(sink); }

  // Cheap enough for inner loops: looks at the limits now and then only, more often where the caller is slow, and
  // remembers the answer.
  bool stop_requested(std::string_view point = {}) {
    if (reason_ != StopReason::None) return true;
    if (!stop_at_.empty() && point == stop_at_) return stop_here();
    if (--countdown_ != 0) return false;
    return look();
  }
  // The same, looking at once.
  bool poll_now(std::string_view point = {});
  // The same as stop_requested(), but throws Stopped.
  void poll(std::string_view point = {}) {
    if (stop_requested(point)) throw Stopped(describe_stop());
  }
  // Is there room for so many more bytes below the memory limit?  If not, the run must stop.  Whoever is about to
  // allocate much at once asks before doing so.
  bool has_room(std::uint64_t bytes);
  // End at this stopping point.
  void stop_at(std::string point) { stop_at_ = std::move(point); }
  StopReason stop_reason() const { return reason_; }
  std::string describe_stop() const;

  // Hands the text made by `text()` to the progress line, at most about ten times a second.
  template <class MakeText>
  void report_progress(MakeText&& text) {
    if (progress_ && progress_due()) progress_(text());
  }

 private:
  static constexpr std::uint32_t longest_interval = 1024;

  bool look();
  bool stop_here();
  bool progress_due();

  ProgressSink progress_;
  Limits::Clock::time_point last_progress_{};
  std::string stop_at_;          // empty: nowhere
  std::uint32_t countdown_ = 1;  // calls until the next look
  std::uint32_t interval_ = 1;
  Limits::Clock::time_point last_look_{};
  Limits::Clock::time_point last_check_{};
  bool stopped_here_ = false;
  StopReason reason_ = StopReason::None;
};

}  // namespace cohort
