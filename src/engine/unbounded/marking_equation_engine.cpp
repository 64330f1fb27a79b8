#include "engine/unbounded/marking_equation_engine.hpp"

#include <limits>

#include <fmt/core.h>

#include "engine/self_check.hpp"
#include "engine/unbounded/certify.hpp"
#include "engine/unbounded/marking_equation.hpp"
#include "engine/unbounded/verdict.hpp"

namespace cohort::engine::unbounded {

std::optional<std::string> MarkingEquationEngine::refuses(const Task& task) const {
  if (task.bound) return "it decides for any number of threads, not for a bound";
  return CounterSystem::refuses(task.program);
}

result::Result MarkingEquationEngine::check(Env& env, const Task& task) const {
  CounterSystem system(task.program, &env);
  const Possible possible(env, system);
  if (!possible.complete()) return result::Result::unknown(env.describe_stop());
  const Net net(system, possible);
  MarkingEquation equation(env, net);
  const bool proved = equation.refute_targets(std::numeric_limits<double>::max());
  env.statistics.set("linear_programs", equation.programs_solved());
  env.statistics.set("weightings", std::uint64_t{equation.invariants().weightings().size()});
  env.statistics.set("traps", std::uint64_t{equation.invariants().traps().size()});
  if (!proved) {
    if (env.stop_reason() != StopReason::None) return result::Result::unknown(env.describe_stop());
    return result::Result::unknown("neither weights that no step increases nor traps exclude a violation");
  }
  self_check(env, "the weightings and traps are a proof to the checker", [&] {
    return passes_checker(env, task.program, std::nullopt, *certify(net, &equation.invariants(), nullptr));
  });
  result::Result result = safe();
  result.cutoff_open = !system.has_broadcasts();
  if (task.options.certificate) result.certificate = certify(net, &equation.invariants(), nullptr);
  return result;
}

}  // namespace cohort::engine::unbounded
