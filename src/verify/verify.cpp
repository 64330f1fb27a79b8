#include "verify/verify.hpp"

#include <new>

#include <fmt/core.h>

#include "base/contract.hpp"
#include "model/passes/simplify.hpp"
#include "result/replay.hpp"

namespace cohort::verify {

using result::Answer;
using result::Result;
using result::Verdict;

namespace {

Result check(Env& env, const engine::Engine& engine, const engine::Task& task) {
  if (env.poll_now()) return Result::unknown(env.describe_stop());
  try {
    return engine.check(env, task);
  } catch (const std::bad_alloc&) {
    return Result::unknown("out of memory");
  }
}

void replay_or_die(const model::Program& flat, const engine::Engine& engine, std::optional<std::uint32_t> bound,
                   Result& result) {
  const result::Replay replay = result::replay(flat, bound, *result.run);
  if (!replay.succeeded) {
    throw InternalError(fmt::format("the run of the engine {} does not replay: {}", engine.name(), replay.message));
  }
  result.property = replay.violated;
}

}  // namespace

Answer verify(Env& env, const model::Program& flat, const Options& options) {
  COHORT_EXPECT(is_flat(flat), "calls are inlined before verification");
  std::optional<model::Simplified> simplified;
  if (options.simplify && !options.engine_options.certificate) simplified = model::simplify(flat);
  const model::Program& program = simplified ? simplified->program : flat;
  const Choice choice = choose_engine(options.engine, program, options.threads, options.engine_options);
  Answer answer{.scope = choice.scope};
  if (choice.engine == nullptr) {
    answer.result = Result::unknown(choice.refusal);
    return answer;
  }
  answer.engine = choice.engine->name();
  answer.result = check(env, *choice.engine, {program, choice.scope.bound, options.engine_options});
  if (answer.result.verdict == Verdict::Unsafe) {
    COHORT_EXPECT(answer.result.run, "UNSAFE comes with a run");
    if (simplified) answer.result.run = model::lift(flat, choice.scope.bound, *simplified, *answer.result.run);
    replay_or_die(flat, *choice.engine, choice.scope.bound, answer.result);
  }
  return answer;
}

}  // namespace cohort::verify
