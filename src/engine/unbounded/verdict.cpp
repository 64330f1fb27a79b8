#include "engine/unbounded/verdict.hpp"

#include "base/contract.hpp"

namespace cohort::engine::unbounded {

result::Result safe() {
  result::Result result;
  result.verdict = result::Verdict::Safe;
  result.cutoff_open = true;
  return result;
}

result::Result unsafe(Env& env, CounterSystem& system, const Execution& execution, const std::vector<Tokens>& goals) {
  auto result = try_unsafe(env, system, execution, goals);
  COHORT_EXPECT(result.has_value(), "the interpreter can take every step of an execution");
  return std::move(*result);
}

std::optional<result::Result> try_unsafe(Env& env, CounterSystem& system, const Execution& execution,
                                         const std::vector<Tokens>& goals) {
  result::Result result;
  result.verdict = result::Verdict::Unsafe;
  result.run = realize(system, execution, goals, &env);
  if (!result.run) return std::nullopt;
  if (result.run->steps.empty() || !result.run->steps.back().fault) {
    const model::Interpreter interpreter(system.program(), std::nullopt);
    result.property = interpreter.violated(result.run->last());
    COHORT_EXPECT(result.property.has_value(), "the execution ends in a violation");
  }
  result.sufficient_threads = static_cast<std::uint32_t>(peak_threads(*result.run));
  return result;
}

}  // namespace cohort::engine::unbounded
