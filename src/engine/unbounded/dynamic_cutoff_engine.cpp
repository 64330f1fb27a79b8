#include "engine/unbounded/dynamic_cutoff_engine.hpp"

#include <fmt/core.h>

#include "engine/unbounded/certify.hpp"
#include "engine/unbounded/dynamic_cutoff.hpp"
#include "engine/unbounded/verdict.hpp"

namespace cohort::engine::unbounded {

std::optional<std::string> DynamicCutoffEngine::refuses(const Task& task) const {
  if (task.bound) return "it decides for any number of threads, not for a bound";
  return CounterSystem::refuses(task.program);
}

result::Result DynamicCutoffEngine::check(Env& env, const Task& task) const {
  CounterSystem system(task.program, &env);
  const Possible possible(env, system);
  if (!possible.complete()) return result::Result::unknown(env.describe_stop());
  const Net net(system, possible);
  DynamicCutoff search(env, net);
  const auto outcome = search.run();
  env.statistics.set("thread_states", std::uint64_t{search.reached().size()});
  env.statistics.set("threads_searched", std::uint64_t{search.threads_searched()});
  if (outcome == DynamicCutoff::Outcome::Violation) return unsafe(env, system, search.execution(), search.goals());
  if (outcome != DynamicCutoff::Outcome::Found) {
    return result::Result::unknown(
        fmt::format("{}; no violation with {} threads", env.describe_stop(), search.threads_searched()));
  }
  result::Result result = safe();
  result.cutoff_open = false;
  result.sufficient_threads = search.cutoff();
  if (task.options.certificate) result.certificate = certify(net, nullptr, &search.proof());
  return result;
}

}  // namespace cohort::engine::unbounded
