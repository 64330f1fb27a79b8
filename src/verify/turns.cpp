// A program in C can be anything from a lock with twenty states to a computation.  Counting states is tried first,
// since it decides small programs at once and its traces are shortest; then whatever bounded model checking can find.
// Where threads are created in loops, the Karp-Miller construction comes in between: few threads are enough for most
// bugs, and only it can prove that no number of them has one.
//
// A bound that no execution reaches is no restriction: then SAFE holds for the program as it is.  SAFE under a bound
// that nobody asked for is not a verdict on the program, and ends as UNKNOWN with what was established.
#include "verify/turns.hpp"

#include <algorithm>
#include <new>
#include <string>
#include <vector>

#include <fmt/core.h>

#include "base/source.hpp"
#include "model/thread_bound.hpp"

namespace cohort::verify {

using result::Answer;
using result::Result;
using result::Verdict;

namespace {

struct Turn {
  std::string engine;
  std::optional<std::uint32_t> bound;
  double share = 1;       // of the time that is left
  bool complete = false;  // the bound is at least as large as the number of threads the program can have
};

// Without a limit by the user, an engine that comes to nothing must still give way to the next.
constexpr double patience = 300;

std::vector<Turn> plan(const model::Program& program, const Threads& threads) {
  const auto most = model::most_threads(program);
  if (threads.bound) {
    const bool complete = most && *most <= *threads.bound;
    return {{"explicit", threads.bound, 0.6, complete}, {"bmc", threads.bound, 1, complete}};
  }
  if (most) return {{"explicit", most, 0.6, true}, {"bmc", most, 1, true}};
  return {{"explicit", 3, 0.15},
          {"karp-miller", std::nullopt, 0.4},
          {"explicit", 6, 0.3},
          {"explicit", 24, 0.5},
          {"bmc", 4, 1}};
}

Result take_turn(Env& env, const model::Program& program, const Turn& turn, const engine::EngineOptions& options) {
  if (engine::find_engine(turn.engine) == nullptr) return Result::unknown("there is no such engine");
  const Threads threads{.any_number = !turn.bound.has_value(), .bound = turn.bound};
  Choice choice = choose_engine(turn.engine, program, threads, options);
  if (choice.engine == nullptr) return Result::unknown(std::move(choice.refusal));
  try {
    return choice.engine->check(env, {program, turn.bound, options});
  } catch (const std::bad_alloc&) {
    return Result::unknown("out of memory");
  } catch (const InputError& error) {
    if (error.kind() != InputError::Kind::Unsupported) throw;
    return Result::unknown(error.what());
  }
}

}  // namespace

bool has_numbers(const model::Program& program) {
  const auto is_number = [](const model::Variable& variable) {
    return variable.type.kind() == model::Type::Kind::Int && variable.type.width() >= 8;
  };
  if (std::any_of(program.shared.begin(), program.shared.end(), is_number)) return true;
  return std::any_of(program.templates.begin(), program.templates.end(), [&](const model::Template& templ) {
    return std::any_of(templ.locals.begin(), templ.locals.end(), is_number);
  });
}

Answer ask_in_turns(Env& env, const model::Program& program, const Threads& threads,
                    const engine::EngineOptions& options) {
  std::string said;
  std::optional<std::uint32_t> safe_bound;
  Answer last;
  for (const Turn& turn : plan(program, threads)) {
    if (env.poll_now()) break;
    Env part = env;
    const double now = env.limits.elapsed_seconds();
    const double left = env.limits.time_limit() ? *env.limits.time_limit() - now : patience;
    part.limits.set_time_limit(now + left * turn.share);
    engine::EngineOptions own = options;
    own.sample_choices = true;
    Answer answer{.result = take_turn(part, program, turn, own)};
    env.statistics = part.statistics;
    answer.engine = turn.engine;
    answer.scope.bound = turn.bound;
    const bool holds = turn.complete || answer.result.holds_without_bound;
    if (answer.result.verdict == Verdict::Safe && holds && !threads.bound) answer.scope.bound.reset();
    if (answer.result.verdict == Verdict::Unsafe) return answer;
    if (answer.result.verdict == Verdict::Safe) {
      if (!answer.scope.bound || threads.bound) return answer;
      safe_bound = std::max(safe_bound.value_or(0), *answer.scope.bound);
      continue;
    }
    const bool named = answer.result.reason.starts_with(turn.engine + ":");
    said += fmt::format("{}{}{}", said.empty() ? "" : "; ", named ? "" : turn.engine + ": ", answer.result.reason);
    last = std::move(answer);
  }
  if (safe_bound) said = fmt::format("no violation with at most {} threads; {}", *safe_bound, said);
  last.result = Result::unknown(said.empty() ? env.describe_stop() : said);
  last.scope = {.bound = threads.bound};
  return last;
}

}  // namespace cohort::verify
