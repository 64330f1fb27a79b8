#include "engine/unbounded/backward_engine.hpp"

#include <fmt/core.h>

#include "base/contract.hpp"
#include "engine/unbounded/certify.hpp"
#include "engine/unbounded/drop_closure.hpp"
#include "engine/unbounded/verdict.hpp"

namespace cohort::engine::unbounded {

std::optional<std::string> BackwardEngine::refuses(const Task& task) const {
  if (task.bound) return "it decides for any number of threads, not for a bound";
  return CounterSystem::refuses(task.program);
}

result::Result BackwardEngine::check(Env& env, const Task& task) const {
  CounterSystem system(task.program, &env);
  const Possible possible(env, system, Blocking::Dropped);
  if (!possible.complete()) return result::Result::unknown(env.describe_stop());
  if (possible.may_block()) return check_drop_closure(env, task, system, possible);
  const Net net(system, possible);
  MarkingEquation equation(env, net);
  Backward search(env, net, &equation);
  switch (search.run()) {
    case Backward::Outcome::Paused:
    case Backward::Outcome::Stopped:
      return result::Result::unknown(fmt::format("{}; no violation among the {} configurations searched backwards",
                                                 env.describe_stop(), search.elements().size()));
    case Backward::Outcome::Violation: return unsafe(env, system, search.execution(), search.goals());
    case Backward::Outcome::Unreachable: break;
  }
  result::Result result = safe();
  result.cutoff_open = !system.has_broadcasts();
  if (task.options.certificate) result.certificate = certify(net, &equation.invariants(), &search);
  return result;
}

}  // namespace cohort::engine::unbounded
