#include "engine/symbolic/engine.hpp"

#include <fmt/core.h>

#include "base/contract.hpp"
#include "engine/symbolic/certify.hpp"
#include "engine/symbolic/counter_search.hpp"
#include "engine/symbolic/counter_trace.hpp"
#include "engine/symbolic/plain_search.hpp"

namespace cohort::engine::symbolic {

namespace {

// Why a search ended before its end.
std::string stop_message(Env& env, const std::string& otherwise) {
  return env.poll_now() ? env.describe_stop() : otherwise;
}

model::Run trace_of(const Task& task, CounterSearch& search, const CounterSearch::Found& found) {
  return counter_trace(task.program, search, found);
}

model::Run trace_of(const Task& /*task*/, PlainSearch& search, const PlainSearch::Found& found) {
  return search.trace(found);
}

model::PropertyId property_of(const CounterSearch::Found& found) {
  return found.violation.property;
}
model::PropertyId property_of(const PlainSearch::Found& found) {
  return found.property;
}

// A certificate holds all reachable states, so what the reduction left out is explored after all.
template <class Search>
void prove(Env& env, const Task& task, Search& search, result::Result& result) {
  if (task.options.certificate && task.options.partial_order) {
    COHORT_EXPECT(!search.close(), "the partial-order reduction keeps a violation if there is one");
    if (!search.finished()) {
      result.reason =
          env.describe_stop() + "; the reduced search found no violation, but its certificate is not complete";
      return;
    }
  }
  if (task.options.certificate) {
    result.certificate = certify(task.program, search);
    if (!result.certificate) {
      result.reason = fmt::format("no violation found, but its certificate would list more than {} symbolic states",
                                  result::SymbolicCertificate::most_states);
      return;
    }
  }
  result.verdict = result::Verdict::Safe;
}

template <class Search>
result::Result explore(Env& env, const Task& task) {
  Search search(env, task);
  result::Result result;
  try {
    if (const auto found = search.run()) {
      result.run = trace_of(task, search, *found);
      result.property = property_of(*found);
      result.verdict = result::Verdict::Unsafe;
    } else if (search.finished()) {
      prove(env, task, search, result);
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

bool SymbolicEngine::judges(model::PropertyKind kind) const {
  using Kind = model::PropertyKind;
  switch (kind) {
    case Kind::Assertion:
    case Kind::ErrorLabel:
    case Kind::Cut:
    case Kind::Cover:
    case Kind::Condition:
    case Kind::Fault: return true;
    case Kind::Deadlock: return false;
  }
  COHORT_UNREACHABLE("every kind of property is judged or not");
}

std::optional<std::string> SymbolicEngine::refuses(const Task& task) const {
  const auto judged = [this](model::PropertyKind kind) { return judges(kind); };
  if (auto reason = model::unjudged(task.program, judged)) return reason;
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
    return task.options.symmetry ? explore<CounterSearch>(env, task) : explore<PlainSearch>(env, task);
  } catch (const dd::OutOfMemory& problem) {
    return result::Result::unknown(stop_message(env, problem.what()));
  }
}

}  // namespace cohort::engine::symbolic
