#include "strategy/judge.hpp"

#include <algorithm>
#include <utility>

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "base/contract.hpp"
#include "model/run_choices.hpp"
#include "result/replay.hpp"
#include "strategy/shorten.hpp"
#include "strategy/untangle.hpp"

namespace cohort::strategy {

using result::Answer;
using result::Result;
using result::Verdict;

namespace {

// What the user sees of it is a run of the flat program.
model::Run lifted(Env& last, const Programs& programs, std::optional<std::uint32_t> bound, model::Run run) {
  try {
    model::allow_choices(programs.flat, run);
    if (programs.simplified != nullptr) run = model::lift(programs.flat, bound, *programs.simplified, run, &last);
    return untangle(programs.flat, bound, std::move(run), &last);
  } catch (const InternalError& error) {
    throw WrongResult(fmt::format("its run is none of the program: {}", error.what()));
  }
}

// A violation that was found is worth being confirmed, even if that takes a little longer than the limits allow.
Env last_words(const Env& env) {
  Env last;
  const double now = env.limits.elapsed_seconds();
  if (const auto limit = env.limits.time_limit()) {
    last.limits.set_time_limit(std::max(*limit - now, 0.0) + 1 + *limit / 20);
  }
  if (const auto limit = env.limits.memory_limit()) last.limits.set_memory_limit(*limit + *limit / 10);
  return last;
}

void judge_run(Env& env, const Programs& programs, const Job& job, Answer& answer) {
  if (!answer.result.run) throw WrongResult("it says UNSAFE without a run");
  model::Run run = std::move(*answer.result.run);
  answer.result.run.reset();
  Env last = last_words(env);
  const result::Replay own = result::replay(programs.seen(), job.bound, run, &last);
  if (!own.succeeded) throw WrongResult(fmt::format("its run does not replay: {}", own.message));
  const auto bound = answer.scope.bound;
  if (job.bound != bound && !result::replay(programs.seen(), bound, run, &last).succeeded) {
    answer.result = Result::unknown(
        fmt::format("a violation was found only where no more than {} threads can be created: --threads {} shows it",
                    *job.bound, *job.bound));
    return;
  }
  run = lifted(last, programs, bound, std::move(run));
  const result::Replay replay = result::replay(programs.flat, bound, run, &last);
  if (!replay.succeeded) throw WrongResult(fmt::format("its run does not replay: {}", replay.message));
  answer.result.property = replay.violated;
  run = shortened(last, programs.flat, bound, std::move(run), replay.violated);
  if (answer.result.sufficient_threads)
    answer.result.sufficient_threads = static_cast<std::uint32_t>(result::threads_needed(run));
  answer.result.run = std::move(run);
}

}  // namespace

void check_proof(Env& env, const Programs& programs, Answer& answer) {
  COHORT_EXPECT(programs.simplified == nullptr, "certificates speak of the flat program");
  if (answer.result.certificate == nullptr)
    throw WrongResult("it says SAFE without the certificate that was asked for");
  const auto check = result::check_certificate(env, programs.flat, answer.scope.bound,
                                               answer.result.certificate->to_json(programs.flat));
  if (check.complete && !check.valid)
    throw WrongResult(fmt::format("its certificate does not hold: {}", check.message));
  if (!check.complete)
    answer.result = Result::unknown(fmt::format("its certificate is not checked: {}", check.message));
}

Answer judge(Env& env, const Programs& programs, const Threads& threads, const Job& job, Result result) {
  Answer answer{.result = std::move(result), .engine = std::string(job.engine->name())};
  answer.scope.bound = bound_of_answer(programs.flat, threads);
  if (answer.result.verdict == Verdict::Unsafe) {
    try {
      judge_run(env, programs, job, answer);
    } catch (const Stopped& stopped) {
      answer.result = Result::unknown(fmt::format("a violation was found and not confirmed: {}", stopped.what()));
    }
    return answer;
  }
  if (answer.result.verdict != Verdict::Safe) return answer;
  const bool holds = job.complete || answer.result.holds_without_bound || job.bound == answer.scope.bound;
  if (!holds) {
    answer.established = *job.bound;
    answer.result = Result::unknown(fmt::format("no violation with at most {} threads", *job.bound));
    return answer;
  }
  answer.remarks = answer.result.assumptions;
  // A certificate proves what it says, for so many threads.
  if (job.options.certificate) answer.scope.bound = job.bound;
  return answer;
}

}  // namespace cohort::strategy
