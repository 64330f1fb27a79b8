#include "strategy/unknown.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include <fmt/core.h>

#include "base/contract.hpp"

namespace cohort::strategy {

using result::Answer;
using result::Attempt;
using result::Result;

namespace {

// The limit ended all of them, so it is said once.
std::string without_limit(std::string said) {
  for (const char* limit : {"time limit of ", "memory limit of ", "interrupted"}) {
    if (!said.starts_with(limit)) continue;
    const std::size_t end = said.find("; ");
    return end == std::string::npos ? "" : said.substr(end + 2);
  }
  return said;
}

}  // namespace

std::vector<Attempt> attempts_of(const std::vector<JobReport>& reports) {
  std::vector<Attempt> attempts;
  for (const JobReport& report : reports) {
    attempts.push_back({report.engine, report.title, report.seconds, without_limit(report.said)});
  }
  return attempts;
}

void Unknown::add(const Answer& answer, const Statistics& statistics) {
  if (answer.established) safe_bound_ = std::max(safe_bound_.value_or(0), *answer.established);
  env_.statistics = statistics;
  engine_ = answer.engine;
}

std::string Unknown::advice(StopReason stopped_by, bool short_of_memory) const {
  if (safe_bound_ && !scope_.bound) return fmt::format("--threads {} asks for that many threads only", *safe_bound_);
  if (short_of_memory) {
    constexpr std::uint64_t mebibyte = 1024 * 1024;
    const std::uint64_t limit = env_.limits.memory_limit().value_or(2048 * mebibyte) / mebibyte;
    return fmt::format("--memory-limit {} leaves more room", 2 * std::max<std::uint64_t>(limit, 1));
  }
  if (stopped_by == StopReason::TimeLimit) {
    const double limit = env_.limits.time_limit().value_or(1);
    return fmt::format("--time-limit {} gives more time", std::ceil(4 * limit));
  }
  if (scope_.bound && *scope_.bound > 1) return fmt::format("--threads {} is decided sooner", *scope_.bound - 1);
  return "";
}

Answer Unknown::answer(const std::vector<JobReport>& reports, StopReason stopped_by) {
  Answer answer{.scope = scope_, .engine = engine_};
  answer.attempts = attempts_of(reports);
  const bool short_of_memory = std::any_of(reports.begin(), reports.end(), [](const JobReport& report) {
    return report.said.starts_with("memory limit") || report.said.find("out of memory") != std::string::npos;
  });
  std::string reason;
  if (stopped_by != StopReason::None)
    reason = stopped_by == env_.stop_reason() ? env_.describe_stop() : env_.limits.describe(stopped_by);
  if (safe_bound_)
    reason += fmt::format("{}no violation with at most {} threads", reason.empty() ? "" : "; ", *safe_bound_);
  if (reason.empty() && !reports.empty()) reason = reports.front().said;
  if (reason.empty()) reason = "no engine could decide";
  answer.result = Result::unknown(std::move(reason));
  answer.established = safe_bound_;
  answer.advice = advice(stopped_by, short_of_memory);
  return answer;
}

void explain_default_bound(Answer& answer) {
  COHORT_EXPECT(answer.established, "something was established");
  answer.result.reason += ", and nobody asked for this bound: the program may have more";
  answer.advice = fmt::format("--threads {} asks for that many threads only", *answer.established);
}

}  // namespace cohort::strategy
