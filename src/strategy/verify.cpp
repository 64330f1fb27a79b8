#include "strategy/verify.hpp"

#include <algorithm>
#include <array>
#include <exception>
#include <new>
#include <set>
#include <utility>

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "base/contract.hpp"
#include "base/memory_guard.hpp"
#include "base/source.hpp"
#include "model/analysis/control_flow.hpp"
#include "model/passes/cuts.hpp"
#include "model/passes/simplify.hpp"
#include "model/passes/undefined_ends.hpp"
#include "strategy/certificate.hpp"
#include "strategy/judge.hpp"
#include "strategy/portfolio.hpp"
#include "strategy/unknown.hpp"

namespace cohort::strategy {

using result::Answer;
using result::Result;
using result::Verdict;

namespace {

Result check(Env& env, const Job& job, const model::Program& program) {
  if (env.poll_now("engine")) return Result::unknown(env.describe_stop());
  const MemoryGuard guard(env.limits);
  try {
    return job.engine->check(env, {program, job.bound, job.options});
  } catch (const Stopped& stopped) {
    return Result::unknown(stopped.what());
  } catch (const std::bad_alloc& lack) {
    return Result::unknown(describe_lack_of_memory(lack, env.limits));
  }
}

// A named engine works in this process.
Answer ask_one(Env& env, const Programs& programs, const Options& options) {
  const engine::Engine* engine = engine::find_engine(options.engine);
  COHORT_EXPECT(engine != nullptr, "the engine exists");
  engine::EngineOptions own = options.engine_options;
  if (engine->divides_work()) own.workers = std::max(1U, options.jobs);
  const Plan plan = make_plan_of(*engine, programs.seen(), options.threads, own);
  if (plan.jobs.empty())
    return {.result = Result::unknown(plan.refusals),
            .scope = {.bound = bound_of_answer(programs.flat, options.threads)}};
  const Job& job = plan.jobs.front();
  try {
    Answer answer = judge(env, programs, options.threads, job, check(env, job, programs.seen()));
    if (answer.established) explain_default_bound(answer);
    return answer;
  } catch (const WrongResult& wrong) {
    throw InternalError(fmt::format("the engine {} is wrong: {}", engine->name(), wrong.what()));
  }
}

Answer ask(Env& env, const Programs& programs, const Options& options) {
  if (options.engine != "auto") return ask_one(env, programs, options);
  return ask_all(env, programs, options, make_plan(programs.seen(), options.threads, options.engine_options));
}

// `--self-check`: what was found safe is proved again, on the flat program, and the proof goes to the checker.
void certify_or_die(Env& env, const model::Program& flat, const Answer& answer, const Options& options) {
  if (answer.result.certificate != nullptr) {
    const auto check =
        result::check_certificate(env, flat, answer.scope.bound, answer.result.certificate->to_json(flat));
    if (check.complete && !check.valid)
      throw InternalError(fmt::format("the certificate of SAFE does not hold: {}", check.message));
    return;
  }
  if (engine::find_engine(answer.engine) == nullptr) return;  // several engines, each for a part of the question
  Options again = options;
  again.engine = answer.engine;
  again.engine_options.certificate = true;
  Statistics statistics = env.statistics;
  const Answer certified = ask_one(env, {flat}, again);
  env.statistics = std::move(statistics);  // those of the first search
  // Without a certificate the engine writes none for such tasks, or a limit was reached.
  COHORT_EXPECT(certified.result.verdict != Verdict::Unsafe, "the flat program is as safe as the simplified one");
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

// The slice that can influence the question: what of the program is left after the passes.
void record_slice(Env& env, const model::Program& flat, const model::Simplified& simplified) {
  std::uint64_t variables = flat.shared.size();
  std::uint64_t relevant = 0;
  std::uint64_t steps = 0;
  for (std::size_t i = 0; i < flat.shared.size(); ++i) relevant += simplified.relevant.shared(model::VarId(i)) ? 1 : 0;
  for (std::size_t t = 0; t < flat.templates.size(); ++t) {
    const model::TemplateId id(t);
    variables += flat.templ(id).locals.size();
    steps += flat.templ(id).edges.size();
    for (std::size_t i = 0; i < flat.templ(id).locals.size(); ++i)
      relevant += simplified.relevant.local(id, model::VarId(i)) ? 1 : 0;
  }
  std::set<model::EdgeRef> kept;
  for (const model::Template& templ : simplified.program.templates) {
    for (const model::Edge& edge : templ.edges) {
      for (const model::Action& action : edge.actions) {
        if (action.origin) kept.insert(*action.origin);
      }
    }
  }
  env.statistics.set("program_variables", variables);
  env.statistics.set("slice_variables", relevant);
  env.statistics.set("program_steps", steps);
  env.statistics.set("slice_steps", std::uint64_t{kept.size()});
}

// Cuts count as errors here, so that SAFE means that none of them can be reached.
Answer verify_with_cuts(Env& env, const model::Program& flat, const Options& options) {
  std::optional<model::Simplified> simplified;
  if (options.simplify && !options.engine_options.certificate) simplified = model::simplify(flat, {}, &env);
  Answer answer = ask(env, {flat, simplified ? &*simplified : nullptr}, options);
  if (simplified) record_slice(env, flat, *simplified);
  answer.simplified = simplified && differs(simplified->program, flat);
  if (answer.result.verdict == Verdict::Safe && env.self_check) certify_or_die(env, flat, answer, options);
  return answer;
}

std::optional<model::PropertyId> reached_cut(const model::Program& flat, const Answer& answer) {
  const auto property = answer.result.property;
  const bool cut = answer.result.verdict == Verdict::Unsafe && property &&
                   flat.properties[property->value].kind == model::Property::Kind::Cut;
  return cut ? property : std::nullopt;
}

// At most as long as everything took until now, or a little while.
Env for_as_long_again(const Env& env, double little_while) {
  Env part = env;
  const double now = env.limits.elapsed_seconds();
  const double most = now + std::max(now, little_while);
  part.limits.set_time_limit(env.limits.time_limit() ? std::min(*env.limits.time_limit(), most) : most);
  return part;
}

// Is the cut a bound that is going to be raised?
bool grows(const model::Property& cut, const Options& options) {
  const auto bound = model::exceeded_bound(cut);
  return bound && std::find(options.growing.begin(), options.growing.end(), bound->option) != options.growing.end();
}

// A violation before the cut; what is known without one is the reason of UNKNOWN.
Answer verify_before_cut(Env& env, const model::Program& flat, const Options& options, const model::Property& cut) {
  if (!grows(cut, options)) return verify_with_cuts(env, model::without_cuts(flat), options);
  constexpr double little_while = 1;
  Env part = for_as_long_again(env, little_while);
  Answer answer = verify_with_cuts(part, model::without_cuts(flat), options);
  env.statistics = part.statistics;
  return answer;
}

Answer verify_asked(Env& env, const model::Program& flat, const Options& options) {
  Answer answer = verify_with_cuts(env, flat, options);
  const auto cut = reached_cut(flat, answer);
  if (!cut) return answer;
  const model::Property& property = flat.properties[cut->value];
  // Something is not modelled and can be reached.  A violation that is found without it is one all the same.
  answer = verify_before_cut(env, flat, options, property);
  if (answer.result.verdict == Verdict::Unsafe) return answer;
  const std::string place = to_string(property.span);
  std::string rest = "no violation before that";
  if (answer.result.verdict != Verdict::Safe)
    rest = grows(property, options) ? "no violation found before that" : answer.result.reason;
  answer.result =
      Result::unknown(fmt::format("{}{}not modelled: {}; {}", place, place.empty() ? "" : ": ", property.text, rest));
  answer.result.property = cut;
  return answer;
}

bool is_marked(const model::Program& program) {
  return std::any_of(program.properties.begin(), program.properties.end(), model::is_undefined_end);
}

// Another question after the answer.  It takes at most as long as the answer took, or a little while; UNKNOWN where
// that does not suffice.
Answer ask_in_addition(const Env& env, const model::Program& program, const Options& options, bool certificate) {
  constexpr double little_while = 5;
  Env part = for_as_long_again(env, little_while);
  part.self_check = false;
  Options own = options;
  own.engine = "auto";
  own.engine_options = {};
  own.engine_options.certificate = certificate;
  try {
    return verify_with_cuts(part, program, own);
  } catch (const Stopped& stopped) {
    return {.result = Result::unknown(stopped.what())};
  } catch (const InputError& error) {
    if (error.kind() != InputError::Kind::Unsupported) throw;
    return {.result = Result::unknown(error.what())};
  }
}

// SAFE speaks of executions up to their first undefined step: does one have such a step?
void look_for_undefined_end(Env& env, const model::Program& flat, const Options& options, Answer& answer) {
  const model::Program asking = model::asking_for_undefined_ends(flat);
  const Answer found = ask_in_addition(env, asking, options, false);
  if (found.result.verdict == Verdict::Safe) return;
  if (found.result.verdict == Verdict::Unsafe && found.result.property) {
    const model::Property& end = asking.properties[found.result.property->value];
    answer.up_to = fmt::format("undefined behaviour at {}: {}", to_string(end.span),
                               end.text.substr(model::undefined_end_text("").size()));
    return;
  }
  const auto first = std::find_if(flat.properties.begin(), flat.properties.end(), model::is_undefined_end);
  answer.remarks.push_back(
      fmt::format("no execution comes to undefined behaviour, such as at {} (not decided)", to_string(first->span)));
}

Answer decide(Env& env, const model::Program& flat, const Options& options) {
  const bool marked = is_marked(flat);
  const model::Program unmarked = marked ? model::without_undefined_ends(flat) : model::Program{};
  const model::Program& asked = marked ? unmarked : flat;
  Answer answer = verify_asked(env, asked, options);
  if (answer.result.verdict != Verdict::Safe) return answer;
  answer.checks_nothing = asked.properties.empty() && !model::violation_in_control_flow(asked);
  if (marked) look_for_undefined_end(env, flat, options, answer);
  return answer;
}

}  // namespace

void add_certificate(const Env& env, const model::Program& flat, const Options& options, Answer& answer) {
  if (answer.result.verdict != Verdict::Safe || answer.result.certificate != nullptr) return;
  const bool marked = is_marked(flat);
  Answer proved = ask_in_addition(env, marked ? model::without_undefined_ends(flat) : flat, options, true);
  if (proved.result.verdict == Verdict::Safe) answer.result.certificate = std::move(proved.result.certificate);
}

Answer verify(Env& env, const model::Program& flat, const Options& options) {
  COHORT_EXPECT(is_flat(flat), "calls are inlined before verification");
  try {
    return decide(env, flat, options);
  } catch (const Stopped& stopped) {
    return {.result = Result::unknown(stopped.what()), .scope = {.bound = options.threads.bound}};
  }
}

}  // namespace cohort::strategy
