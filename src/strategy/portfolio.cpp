#include "strategy/portfolio.hpp"

#include <utility>

#include <fmt/core.h>

#include "strategy/child_process.hpp"
#include "strategy/executor.hpp"
#include "strategy/unknown.hpp"

namespace cohort::strategy {

using result::Answer;
using result::Result;
using result::Verdict;

Answer ask_all(Env& env, const Programs& programs, const Options& options, const Plan& plan) {
  const result::Scope scope{.bound = bound_of_answer(programs.flat, options.threads)};
  if (plan.jobs.empty()) return {.result = Result::unknown(plan.refusals), .scope = scope};
  if (env.poll_now("portfolio")) return {.result = Result::unknown(env.describe_stop()), .scope = scope};
  const std::uint32_t parallel = options.jobs > 0 ? options.jobs : usable_processors();
  Answer decided;
  Unknown unknown(env, scope);
  Executor executor(env, programs.seen(), plan.jobs, parallel);
  const auto judge_message = [&](const Job& job, Message& message, std::string& said) {
    try {
      Answer answer = judge(env, programs, options.threads, job, std::move(message.result));
      if (answer.result.verdict == Verdict::Safe && job.options.certificate) check_proof(env, programs, answer);
      if (answer.result.verdict != Verdict::Unknown) {
        decided = std::move(answer);
        env.statistics = message.statistics;
        return true;
      }
      said = answer.result.reason;
      unknown.add(answer, message.statistics);
    } catch (const WrongResult& wrong) {
      said = fmt::format("it failed: {}", wrong.what());
    }
    return false;
  };
  if (executor.run(judge_message)) {
    decided.attempts = attempts_of(executor.reports());
    return decided;
  }
  return unknown.answer(executor.reports(), executor.stopped_by());
}

}  // namespace cohort::strategy
