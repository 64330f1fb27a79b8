#include "verify/verify.hpp"

#include <array>
#include <exception>
#include <new>

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "base/contract.hpp"
#include "base/source.hpp"
#include "model/passes/cuts.hpp"
#include "model/passes/simplify.hpp"
#include "model/run_choices.hpp"
#include "result/replay.hpp"
#include "verify/turns.hpp"
#include "verify/untangle.hpp"

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

// The first engine that can do it.  That a task is too much for an engine may show only while it is at work (a step
// with too many outcomes to enumerate): then `auto` goes on to the next one.
Answer ask_engines(Env& env, const model::Program& program, const Options& options) {
  if (options.engine == "auto" && has_numbers(program)) {
    return ask_in_turns(env, program, options.threads, options.engine_options);
  }
  std::vector<PassedOver> passed_over;
  std::exception_ptr first_refusal;
  for (;;) {
    const Choice choice = choose_engine(options.engine, program, options.threads, options.engine_options, passed_over);
    Answer answer{.scope = choice.scope};
    if (choice.engine == nullptr) {
      if (first_refusal) std::rethrow_exception(first_refusal);
      answer.result = Result::unknown(choice.refusal);
      return answer;
    }
    answer.engine = choice.engine->name();
    try {
      answer.result = check(env, *choice.engine, {program, choice.scope.bound, options.engine_options});
      return answer;
    } catch (const InputError& error) {
      if (error.kind() != InputError::Kind::Unsupported) throw;
      if (!first_refusal) first_refusal = std::current_exception();
      passed_over.push_back({choice.engine, choice.scope.bound.has_value()});
    }
  }
}

void replay_or_die(const model::Program& flat, Answer& answer) {
  const result::Replay replay = result::replay(flat, answer.scope.bound, *answer.result.run);
  if (!replay.succeeded) {
    throw InternalError(fmt::format("the run of the engine {} does not replay: {}", answer.engine, replay.message));
  }
  answer.result.property = replay.violated;
}

void check_certificate_or_die(Env& env, const model::Program& flat, const result::Certificate& certificate) {
  const auto check = result::check_certificate(env, flat, certificate.to_json(flat));
  if (check.complete && !check.valid) {
    throw InternalError(fmt::format("the certificate of SAFE does not hold: {}", check.message));
  }
}

// `--self-check`: what was found safe is proved again, on the flat program, and the proof goes to the checker.
void certify_or_die(Env& env, const model::Program& flat, const Answer& answer, const Options& options) {
  if (answer.result.certificate != nullptr) return check_certificate_or_die(env, flat, *answer.result.certificate);
  Options again = options;
  again.engine = answer.engine;
  again.threads = {!answer.scope.bound, answer.scope.bound};
  again.engine_options.certificate = true;
  Statistics statistics = env.statistics;
  const Answer certified = ask_engines(env, flat, again);
  env.statistics = std::move(statistics);  // those of the first search
  COHORT_EXPECT(certified.result.verdict != Verdict::Unsafe, "the flat program is as safe as the simplified one");
  // Without a certificate the engine writes none for such tasks, or a limit was reached.
  if (certified.result.certificate != nullptr) check_certificate_or_die(env, flat, *certified.result.certificate);
}

// Did the passes change what the thread states are or how they are reached?
bool differs(const model::Program& simplified, const model::Program& flat) {
  const auto measure = [](const model::Program& program) {
    std::array<std::size_t, 4> sizes{};
    const auto add_variables = [&](const std::vector<model::Variable>& variables) {
      for (const model::Variable& variable : variables) sizes[0] += variable.initial.size();
    };
    add_variables(program.shared);
    for (const model::Template& templ : program.templates) {
      add_variables(templ.locals);
      sizes[1] += templ.edges.size();
      for (const model::Edge& edge : templ.edges) {
        sizes[2] += edge.actions.size();
        for (const model::Action& action : edge.actions) sizes[3] += action.assigns.size();
      }
    }
    return sizes;
  };
  return measure(simplified) != measure(flat);
}

// Cuts count as errors here, so that SAFE means that none of them can be reached.
Answer verify_with_cuts(Env& env, const model::Program& flat, const Options& options) {
  std::optional<model::Simplified> simplified;
  if (options.simplify && !options.engine_options.certificate) simplified = model::simplify(flat);
  const model::Program& program = simplified ? simplified->program : flat;
  Answer answer = ask_engines(env, program, options);
  answer.simplified = simplified && differs(program, flat);
  if (answer.result.verdict == Verdict::Safe && env.self_check) certify_or_die(env, flat, answer, options);
  if (answer.result.verdict != Verdict::Unsafe) return answer;
  COHORT_EXPECT(answer.result.run, "UNSAFE comes with a run");
  model::allow_choices(flat, *answer.result.run);
  if (simplified) answer.result.run = model::lift(flat, answer.scope.bound, *simplified, *answer.result.run);
  answer.result.run = untangle(flat, answer.scope.bound, std::move(*answer.result.run));
  replay_or_die(flat, answer);
  if (answer.result.sufficient_threads) {
    answer.result.sufficient_threads = static_cast<std::uint32_t>(result::threads_needed(*answer.result.run));
  }
  return answer;
}

std::optional<model::PropertyId> reached_cut(const model::Program& flat, const Answer& answer) {
  const auto property = answer.result.property;
  const bool cut = answer.result.verdict == Verdict::Unsafe && property &&
                   flat.properties[property->value].kind == model::Property::Kind::Cut;
  return cut ? property : std::nullopt;
}

}  // namespace

Answer verify(Env& env, const model::Program& flat, const Options& options) {
  COHORT_EXPECT(is_flat(flat), "calls are inlined before verification");
  Answer answer = verify_with_cuts(env, flat, options);
  const auto cut = reached_cut(flat, answer);
  if (!cut) return answer;
  // Something is not modelled and can be reached.  A violation that is found without it is one all the same.
  answer = verify_with_cuts(env, model::without_cuts(flat), options);
  if (answer.result.verdict == Verdict::Unsafe) return answer;
  const model::Property& property = flat.properties[cut->value];
  const std::string place = to_string(property.span);
  const std::string rest = answer.result.verdict == Verdict::Safe ? "no violation before that" : answer.result.reason;
  answer.result =
      Result::unknown(fmt::format("{}{}not modelled: {}; {}", place, place.empty() ? "" : ": ", property.text, rest));
  return answer;
}

}  // namespace cohort::verify
