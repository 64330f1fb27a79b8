#include "engine/unbounded/directed_engine.hpp"

#include <fmt/core.h>

#include "engine/self_check.hpp"
#include "engine/unbounded/directed.hpp"
#include "engine/unbounded/karp_miller_engine.hpp"
#include "engine/unbounded/reduce.hpp"
#include "engine/unbounded/verdict.hpp"
#include "result/replay.hpp"

namespace cohort::engine::unbounded {

std::optional<std::string> DirectedEngine::refuses(const Task& task) const {
  if (task.options.order == SearchOrder::DepthFirst) return "it searches in the order of distances";
  Task plain{task.program, task.bound, {}};
  return KarpMillerEngine().refuses(plain);
}

result::Result DirectedEngine::check(Env& env, const Task& task) const {
  CounterSystem system(task.program, &env);
  const Possible possible(env, system);
  if (!possible.complete()) return result::Result::unknown(env.describe_stop());
  const bool shortest = task.options.order == SearchOrder::BreadthFirst;
  Net net(system, possible);
  if (!shortest) {
    // Joined transitions hide how long an execution is; without that question they save work.
    Reduction reduction;
    auto reduced = reduce(env, net, reduction);
    if (!reduced) return result::Result::unknown(env.describe_stop());
    net = std::move(*reduced);
  }
  Directed search(env, net, shortest ? Directed::Order::Shortest : Directed::Order::Greedy);
  const auto outcome = search.run();
  env.statistics.set("configurations", std::uint64_t{search.state_count()});
  if (outcome == Directed::Outcome::Violation) {
    result::Result result = unsafe(env, system, search.execution(), {});
    self_check(env, "the execution replays",
               [&] { return result.run && result::replay(task.program, task.bound, *result.run, &env).succeeded; });
    return result;
  }
  if (outcome == Directed::Outcome::Exhausted) {
    return result::Result::unknown(
        fmt::format("no violation among {} configurations, and there are no more to try", search.state_count()));
  }
  return result::Result::unknown(
      fmt::format("{}; no violation among {} configurations", env.describe_stop(), search.state_count()));
}

}  // namespace cohort::engine::unbounded
