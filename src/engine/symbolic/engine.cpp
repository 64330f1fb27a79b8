#include "engine/symbolic/engine.hpp"

#include <fmt/core.h>

#include "engine/symbolic/counter_search.hpp"
#include "engine/symbolic/counter_trace.hpp"

namespace cohort::engine::symbolic {

namespace {

// Why a search ended before its end.
std::string stop_message(Env& env, const std::string& otherwise) {
  return env.poll_now() ? env.describe_stop() : otherwise;
}

result::Result check_counters(Env& env, const Task& task) {
  CounterSearch search(env, task);
  result::Result result;
  try {
    const auto found = search.run();
    if (found) {
      result.run = counter_trace(task.program, search, *found);
      result.property = found->violation.property;
      result.verdict = result::Verdict::Unsafe;
    } else if (search.finished()) {
      result.verdict = result::Verdict::Safe;
    } else {
      result.reason = fmt::format("{}; {}", env.describe_stop(), search.established());
    }
  } catch (const dd::OutOfMemory& problem) {
    result.reason = fmt::format("{}; {}", stop_message(env, problem.what()), search.established());
  }
  search.record(env.statistics);
  return result;
}

}  // namespace

std::optional<std::string> SymbolicEngine::refuses(const Task& task) const {
  if (!task.bound) return "a bound on the number of threads is needed";
  std::uint32_t fixed = 0;
  for (const model::InitialThreads& group : task.program.initial) fixed += group.count.value_or(0);
  if (fixed > *task.bound)
    return fmt::format("the program starts with {} threads, more than the bound of {}", fixed, *task.bound);
  return unencodable(task.program);
}

result::Result SymbolicEngine::check(Env& env, const Task& task) const {
  COHORT_EXPECT(!refuses(task), "the engine takes the task");
  try {
    return check_counters(env, task);
  } catch (const dd::OutOfMemory& problem) {
    return result::Result::unknown(stop_message(env, problem.what()));
  }
}

}  // namespace cohort::engine::symbolic
