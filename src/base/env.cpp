#include "base/env.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdio>

#include <fmt/core.h>

#include "base/contract.hpp"

namespace cohort {

void Statistics::set(std::string_view name, Value value) {
  for (auto& [key, old] : entries_) {
    if (key == name) {
      old = std::move(value);
      return;
    }
  }
  entries_.emplace_back(name, std::move(value));
}

void Statistics::add(std::string_view name, std::uint64_t amount) {
  const Value* old = find(name);
  COHORT_EXPECT(old == nullptr || std::holds_alternative<std::uint64_t>(*old), "only counts are added to");
  const std::uint64_t before = old != nullptr ? std::get<std::uint64_t>(*old) : 0;
  set(name, before + amount);
}

const Statistics::Value* Statistics::find(std::string_view name) const {
  const auto it =
      std::find_if(entries_.begin(), entries_.end(), [&](const auto& entry) { return entry.first == name; });
  return it != entries_.end() ? &it->second : nullptr;
}

std::string to_string(const Statistics::Value& value) {
  if (const auto* number = std::get_if<std::uint64_t>(&value)) return std::to_string(*number);
  if (const auto* real = std::get_if<double>(&value)) return fmt::format("{:.3f}", *real);
  return std::get<std::string>(value);
}

void Limits::set_time_limit(double seconds) {
  COHORT_EXPECT(seconds >= 0, "a time limit is not negative");
  time_limit_ = seconds;
}

void Limits::set_memory_limit(std::uint64_t bytes) {
  memory_limit_ = bytes;
}

double Limits::elapsed_seconds() const {
  return std::chrono::duration<double>(Clock::now() - start_).count();
}

StopReason Limits::check() const {
  if (interrupt_ != nullptr && interrupt_->load(std::memory_order_relaxed)) return StopReason::Interrupted;
  if (time_limit_ && elapsed_seconds() >= *time_limit_) return StopReason::TimeLimit;
  if (memory_limit_ && resident_memory() >= *memory_limit_) return StopReason::MemoryLimit;
  return StopReason::None;
}

std::string Limits::describe(StopReason reason) const {
  switch (reason) {
    case StopReason::None: return "not stopped";
    case StopReason::TimeLimit: return fmt::format("time limit of {} s reached", time_limit_.value_or(0));
    case StopReason::MemoryLimit:
      return fmt::format("memory limit of {} MiB reached", memory_limit_.value_or(0) >> 20U);
    case StopReason::Interrupted: return "interrupted";
  }
  COHORT_UNREACHABLE("every stop reason is described");
}

std::uint64_t resident_memory() {
  std::FILE* file = std::fopen("/proc/self/statm", "r");
  if (file == nullptr) return 0;
  unsigned long long total = 0;
  unsigned long long resident = 0;
  const int read = std::fscanf(file, "%llu %llu", &total, &resident);
  std::fclose(file);
  return read == 2 ? resident * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE)) : 0;
}

bool Env::poll_now(std::string_view point) {
  if (reason_ != StopReason::None) return true;
  if (!stop_at_.empty() && point == stop_at_) return stop_here();
  reason_ = limits.check();
  return reason_ != StopReason::None;
}

// Between two looks lie one to four milliseconds, or one call where a call takes longer.  The memory is measured with a
// system call, so not at every look.
bool Env::look() {
  const auto now = Limits::Clock::now();
  const auto passed = now - last_look_;
  last_look_ = now;
  if (passed < std::chrono::milliseconds(1)) interval_ = std::min(interval_ * 2, longest_interval);
  if (passed > std::chrono::milliseconds(4)) interval_ = std::max<std::uint32_t>(interval_ / 4, 1);
  countdown_ = interval_;
  if (now - last_check_ < std::chrono::milliseconds(1)) return false;
  last_check_ = now;
  // Where nothing is told for a while, the clock goes on.
  if (progress_ && now - last_progress_ > std::chrono::milliseconds(500)) {
    last_progress_ = now;
    progress_({});
  }
  return poll_now();
}

bool Env::stop_here() {
  stopped_here_ = true;
  reason_ = StopReason::Interrupted;
  return true;
}

bool Env::has_room(std::uint64_t bytes) {
  if (reason_ != StopReason::None) return false;
  const auto limit = limits.memory_limit();
  if (!limit || resident_memory() + bytes < *limit) return true;
  reason_ = StopReason::MemoryLimit;
  return false;
}

std::string Env::describe_stop() const {
  return stopped_here_ ? fmt::format("stopped at the point '{}'", stop_at_) : limits.describe(reason_);
}

bool Env::progress_due() {
  const auto now = Limits::Clock::now();
  if (now - last_progress_ < std::chrono::milliseconds(100)) return false;
  last_progress_ = now;
  return true;
}

}  // namespace cohort
