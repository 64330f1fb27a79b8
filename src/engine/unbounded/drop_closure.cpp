#include "engine/unbounded/drop_closure.hpp"

#include <fmt/core.h>

#include "base/contract.hpp"
#include "engine/self_check.hpp"
#include "engine/unbounded/backward.hpp"
#include "engine/unbounded/certify.hpp"
#include "engine/unbounded/net.hpp"
#include "engine/unbounded/verdict.hpp"

namespace cohort::engine::unbounded {

result::Result check_drop_closure(Env& env, const Task& task, CounterSystem& system, const Possible& possible) {
  COHORT_EXPECT(possible.complete(), "all that is possible is known");
  env.statistics.set("decided_by", "drop closure");
  const Net net(system, possible);
  Backward search(env, net);
  const Backward::Outcome outcome = search.run();
  if (outcome == Backward::Outcome::Violation) {
    if (auto found = try_unsafe(env, system, search.execution(), search.goals())) return std::move(*found);
    return result::Result::unknown(
        fmt::format("{} may be blocked by another thread; the violation that was found needs such threads to disappear",
                    possible.blocked()));
  }
  if (outcome != Backward::Outcome::Unreachable) {
    return result::Result::unknown(fmt::format("{}; no violation among the {} configurations searched backwards",
                                               env.describe_stop(), search.elements().size()));
  }
  COHORT_EXPECT(possible.is_closed(), "what is impossible stays so");
  result::Result result = safe();
  result.cutoff_open = false;
  auto certificate = certify(net, nullptr, &search);
  self_check(env, "what was found is a proof to the checker",
             [&] { return passes_checker(env, task.program, std::nullopt, *certificate); });
  if (task.options.certificate) result.certificate = std::move(certificate);
  return result;
}

}  // namespace cohort::engine::unbounded
