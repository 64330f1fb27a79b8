#include "cli/deepen.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <fmt/core.h>

#include "base/source.hpp"
#include "model/passes/cuts.hpp"
#include "strategy/verify.hpp"

namespace cohort::cli {

using result::Answer;
using result::Verdict;

namespace {

struct Growing {
  const char* option;
  std::uint64_t most;  // how far it is raised
};

constexpr Growing growing[] = {{.option = "--heap-pool", .most = 64},
                               {.option = "--heap-array", .most = 256},
                               {.option = "--told-apart", .most = 256},
                               {.option = "--recursion", .most = 64}};

// Simplifications that are left out where an execution does not keep to what they rely on.
constexpr const char* switches[] = {"--no-late-naming"};

std::vector<std::string> growing_options(const InputArguments& input) {
  std::vector<std::string> names;
  for (const option::Reference& option : option::options_of(input.options)) {
    const std::string name = option.descriptor().long_name();
    const bool grows =
        std::any_of(std::begin(growing), std::end(growing), [&](const Growing& one) { return one.option == name; });
    const bool is_switch = std::any_of(std::begin(switches), std::end(switches), [&](auto one) { return one == name; });
    if ((grows || is_switch) && !input.is_given(option.member())) names.push_back(name);
  }
  return names;
}

bool contains(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

struct Raise {
  option::Reference option;
  option::Value before;
  std::string words;
};

// None: it is thrown already.
std::optional<Raise> throw_switch(InputArguments& input, const model::Property& cut, const std::string& name) {
  for (const option::Reference& option : option::options_of(input.options.c)) {
    if (option.descriptor().long_name() != name || option.value() != option::Value{true}) continue;
    Raise raise{option, option.value(), fmt::format("{}, which is needed at {}", name, to_string(cut.span))};
    option.set(false);
    return raise;
  }
  return std::nullopt;
}

// What to raise for executions that the answer does not speak of; none: nothing would help, or it is enough.
std::optional<Raise> next_raise(InputArguments& input, const model::Program& program, const Answer& answer) {
  if (answer.result.verdict != Verdict::Unknown || !answer.result.property) return std::nullopt;
  const model::Property& cut = program.properties[answer.result.property->value];
  const auto bound = model::exceeded_bound(cut);
  if (!bound || !contains(growing_options(input), bound->option)) return std::nullopt;
  if (bound->is_switch) return throw_switch(input, cut, bound->option);
  for (const Growing& one : growing) {
    if (bound->option != one.option || bound->value >= one.most) continue;
    for (const option::Reference& option : option::options_of(input.options)) {
      if (option.descriptor().long_name() != one.option) continue;
      const std::uint64_t raised = std::min(2 * bound->value, one.most);
      Raise raise{option, option.value(), {}};
      raise.words =
          fmt::format("{} to {}, since {} was not enough at {}", one.option, raised, bound->value, to_string(cut.span));
      option.set(raised);
      return raise;
    }
  }
  return std::nullopt;
}

Answer answer_once(Env& env, model::Program read, const strategy::Options& options, model::Program& program) {
  expect_bound_fits(read, options.threads.bound);
  Answer answer = strategy::verify(env, read, options);
  program = std::move(read);
  return answer;
}

// What holds of more executions than there are holds.  What is violated may be none of the program's: then the program
// is asked in which executions end at a cut.
Answer answer_read(Env& env, InputArguments& input, const strategy::Options& options, model::Program& program,
                   const Watchdog::GiveUp& unheard) {
  Answer answer = answer_once(env, input.load_flat_with_ends(env, unheard), options, program);
  if (!input.summarises() || answer.result.verdict == Verdict::Safe) return answer;
  input.options.beyond_recursion = model::BeyondRecursion::Cut;
  return answer_once(env, input.load_flat_with_ends(env, unheard), options, program);
}

// With a bound raised; none: that was too much.
std::optional<Answer> answer_deeper(Env& env, InputArguments& input, const strategy::Options& options,
                                    model::Program& program, const Watchdog::GiveUp& unheard) {
  try {
    return answer_read(env, input, options, program, unheard);
  } catch (const Stopped&) {
    return std::nullopt;
  } catch (const InputError& error) {
    if (error.kind() != InputError::Kind::Unsupported) throw;
    return std::nullopt;
  }
}

// Safe with calls beyond the bound summarised, in at most as long as everything took until now or a little while; none:
// not found to be.  The only cuts of Boolean programs are those of recursion.
std::optional<Answer> prove_with_summary(Env& env, InputArguments& input, const strategy::Options& options,
                                         model::Program& program, const Watchdog::GiveUp& unheard,
                                         const Answer& answer) {
  constexpr double little_while = 10;
  const bool has_cut = answer.result.verdict == Verdict::Unknown && answer.result.property &&
                       program.properties[answer.result.property->value].kind == model::Property::Kind::Cut;
  if (!has_cut || load::is_c(input.file) || input.options.beyond_recursion) return std::nullopt;
  Env part = env;
  const double now = env.limits.elapsed_seconds();
  const double most = now + std::max(now, little_while);
  part.limits.set_time_limit(std::min(env.limits.time_limit().value_or(most), most));
  input.options.beyond_recursion = model::BeyondRecursion::Summary;
  try {
    model::Program summarised;
    Answer proved = answer_once(part, input.load_flat_with_ends(part, unheard), options, summarised);
    if (proved.result.verdict == Verdict::Safe) {
      const model::Property& cut = program.properties[answer.result.property->value];
      proved.raised.push_back(fmt::format("--beyond-recursion summary, since --recursion {} was not enough at {}",
                                          input.options.recursion, to_string(cut.span)));
      program = std::move(summarised);
      env.statistics = part.statistics;
      return proved;
    }
  } catch (const Stopped&) {
  } catch (const InputError& error) {
    if (error.kind() != InputError::Kind::Unsupported) throw;
  }
  input.options.beyond_recursion.reset();
  return std::nullopt;
}

}  // namespace

Answer verify_deepening(Env& env, InputArguments& input, strategy::Options options, model::Program& program,
                        const Watchdog::GiveUp& unheard) {
  constexpr double most_seconds = 60;
  options.growing = growing_options(input);
  Answer answer = answer_read(env, input, options, program, unheard);
  if (auto proved = prove_with_summary(env, input, options, program, unheard, answer)) return std::move(*proved);
  std::vector<std::string> raised;
  Env part = env;
  if (!env.limits.time_limit()) part.limits.set_time_limit(env.limits.elapsed_seconds() + most_seconds);
  while (auto raise = next_raise(input, program, answer)) {
    part.report_progress([&] { return "raising " + raise->words; });
    model::Program deeper_program;
    auto deeper = part.poll_now("deepen") ? std::nullopt : answer_deeper(part, input, options, deeper_program, unheard);
    // Of a limit that was reached on the way the earlier answer knows more.
    if (!deeper || (deeper->result.verdict == Verdict::Unknown && !deeper->result.property)) {
      raise->option.set(raise->before);
      answer.result.reason += fmt::format("; not decided after raising {}", raise->words);
      // The minute is nobody's limit.
      const bool is_own = part.stop_reason() == StopReason::TimeLimit && !env.limits.time_limit();
      if (part.stop_reason() != StopReason::None && !is_own)
        answer.result.reason = part.describe_stop() + "; " + answer.result.reason;
      break;
    }
    answer = std::move(*deeper);
    program = std::move(deeper_program);
    // Only the last value that was needed is worth mentioning.
    const std::string name = raise->option.descriptor().long_name() + " ";
    std::erase_if(raised, [&](const std::string& one) { return one.starts_with(name); });
    raised.push_back(raise->words);
  }
  env.statistics = part.statistics;
  answer.raised = std::move(raised);
  return answer;
}

}  // namespace cohort::cli
