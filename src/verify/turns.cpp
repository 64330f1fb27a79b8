// A program in C can be anything from a lock with twenty states to a computation.  Counting states is tried first,
// since it decides small programs at once and its traces are shortest; then executions with few untimely switches,
// which show most bugs of large programs; then whatever bounded model checking can find.  Each gets a short turn before
// any gets a long one, so that what one engine is good at never waits for the others to give up. Where threads are
// created in loops, the Karp-Miller construction comes in between: few threads are enough for most bugs, and only it
// can prove that no number of them has one.
//
// A bound that no execution reaches is no restriction: then SAFE holds for the program as it is.  SAFE under a bound
// that nobody asked for is not a verdict on the program, and ends as UNKNOWN with what was established.
#include "verify/turns.hpp"

#include <algorithm>
#include <new>
#include <string>
#include <utility>
#include <vector>

#include <fmt/core.h>

#include "base/source.hpp"
#include "model/thread_bound.hpp"
#include "verify/localize.hpp"

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
  std::optional<engine::SearchOrder> order{};
  bool hides = false;  // variables, see verify/localize.hpp

  // If this turn has ended by itself, is there nothing for the other one to find?
  bool settles(const Turn& other) const {
    return engine == other.engine && bound == other.bound && hides == other.hides && (!order || order == other.order);
  }
};

// Without a limit by the user, an engine that comes to nothing must still give way to the next.
constexpr double patience = 300;

constexpr auto deviations = engine::SearchOrder::FewestDeviations;
constexpr auto random_runs = engine::SearchOrder::Random;

std::vector<Turn> plan(const model::Program& program, const Threads& threads) {
  const auto most = model::most_threads(program);
  if (threads.bound || most) {
    const std::uint32_t bound = threads.bound ? *threads.bound : *most;
    const bool complete = most && *most <= bound;
    return {{"explicit", bound, 0.1, complete},
            {"explicit", bound, 0.1, complete, deviations},
            {"explicit", bound, 0.1, complete, random_runs},
            {"modular", bound, 0.2, complete},
            {"cegar", bound, 0.2, complete},
            {"explicit", bound, 0.1, complete, {}, true},
            {"bmc", bound, 0.3, complete},
            {"explicit", bound, 0.5, complete},
            {"explicit", bound, 0.3, complete, deviations},
            {"explicit", bound, 0.3, complete, random_runs},
            {"bmc", bound, 1, complete}};
  }
  return {{"explicit", 3, 0.05},
          {"explicit", 3, 0.15, false, deviations},
          {"modular", std::nullopt, 0.3},
          {"cegar", std::nullopt, 0.3},
          {"karp-miller", std::nullopt, 0.1, false, {}, true},
          {"karp-miller", std::nullopt, 0.3},
          {"explicit", 6, 0.1, false, random_runs},
          {"explicit", 6, 0.2, false, deviations},
          {"explicit", 6, 0.2},
          {"explicit", 24, 0.3, false, deviations},
          {"bmc", 4, 0.5},
          {"karp-miller", std::nullopt, 1}};
}

Answer no_answer(std::string reason) {
  return {.result = Result::unknown(std::move(reason))};
}

Answer take_turn(Env& env, const model::Program& program, const Turn& turn, const engine::EngineOptions& options) {
  const engine::Engine* const engine = engine::find_engine(turn.engine);
  if (engine == nullptr) return no_answer("there is no such engine");
  try {
    // What the engine cannot take may be among what is hidden.
    if (turn.hides) return localize(env, program, *engine, turn.bound, options);
    const Threads threads{.any_number = !turn.bound.has_value(), .bound = turn.bound};
    Choice choice = choose_engine(turn.engine, program, threads, options);
    if (choice.engine == nullptr) return no_answer(std::move(choice.refusal));
    Answer answer{.result = choice.engine->check(env, {program, turn.bound, options})};
    answer.scope.bound = turn.bound;
    return answer;
  } catch (const std::bad_alloc&) {
    return no_answer("out of memory");
  } catch (const InputError& error) {
    if (error.kind() != InputError::Kind::Unsupported) throw;
    return no_answer(error.what());
  }
}

// What engines said when they came to nothing: the last word of each.
class Reasons {
 public:
  void add(const Turn& turn, const std::string& reason) {
    const bool named = reason.starts_with(turn.engine + ":");
    std::string said = named ? reason : fmt::format("{}: {}", turn.engine, reason);
    for (auto& [earlier, text] : said_) {
      if (earlier.settles(turn) && turn.settles(earlier)) {
        text = std::move(said);
        return;
      }
    }
    said_.emplace_back(turn, std::move(said));
  }

  std::string text() const {
    std::string result;
    for (const auto& [turn, said] : said_) result += (result.empty() ? "" : "; ") + said;
    return result;
  }

 private:
  std::vector<std::pair<Turn, std::string>> said_;
};

Answer answer_of(Env& env, const model::Program& program, const Turn& turn, const engine::EngineOptions& options,
                 std::vector<Turn>& ended) {
  Env part = env;
  const double now = env.limits.elapsed_seconds();
  const double left = env.limits.time_limit() ? *env.limits.time_limit() - now : patience;
  part.limits.set_time_limit(now + left * turn.share);
  engine::EngineOptions own = options;
  own.sample_choices = true;
  if (!own.order) own.order = turn.order;
  Answer answer = take_turn(part, program, turn, own);
  env.statistics = part.statistics;
  if (part.stop_reason() == StopReason::None) ended.push_back(turn);
  answer.engine = turn.engine;
  return answer;
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
  std::vector<Turn> ended;  // though there was time left
  Reasons reasons;
  std::optional<std::uint32_t> safe_bound;
  Answer last;
  for (const Turn& turn : plan(program, threads)) {
    if (env.poll_now()) break;
    if (std::any_of(ended.begin(), ended.end(), [&](const Turn& other) { return other.settles(turn); })) continue;
    Answer answer = answer_of(env, program, turn, options, ended);
    const bool holds = turn.complete || answer.result.holds_without_bound;
    if (answer.result.verdict == Verdict::Safe && holds && !threads.bound) answer.scope.bound.reset();
    if (answer.result.verdict == Verdict::Unsafe) return answer;
    if (answer.result.verdict == Verdict::Safe) {
      if (!answer.scope.bound || threads.bound) return answer;
      safe_bound = std::max(safe_bound.value_or(0), *answer.scope.bound);
      continue;
    }
    reasons.add(turn, answer.result.reason);
    last = std::move(answer);
  }
  std::string said = reasons.text();
  if (safe_bound) said = fmt::format("no violation with at most {} threads; {}", *safe_bound, said);
  last.result = Result::unknown(said.empty() ? env.describe_stop() : said);
  last.scope = {.bound = threads.bound};
  return last;
}

}  // namespace cohort::verify
