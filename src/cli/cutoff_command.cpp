#include "cli/cutoff_command.hpp"

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "base/version.hpp"
#include "cli/state_words.hpp"
#include "cli/unheard.hpp"
#include "cli/usage_error.hpp"
#include "cli/whole_model.hpp"
#include "engine/cutoff.hpp"
#include "report/json.hpp"
#include "report/text.hpp"

namespace cohort::cli {

namespace {

constexpr const char* cutoff_schema = "cohort-cutoff-1";

// "at L with x=1, shared y=0".
std::string describe(const model::Program& program, const engine::Cutoff& cutoff) {
  std::string text = fmt::format("at {}", place_words(program, cutoff.witness));
  const std::string locals = values_words(program.templ(cutoff.witness.templ).locals, cutoff.witness.locals);
  const std::string shared = values_words(program.shared, cutoff.witness_shared);
  if (!locals.empty()) text += " with " + locals;
  if (!shared.empty()) text += ", shared " + shared;
  return text;
}

const char* thread_word(std::uint32_t count) {
  return count == 1 ? "thread" : "threads";
}

std::string words(const model::Program& program, const engine::Cutoff& cutoff, bool uniform) {
  std::string text = fmt::format("{} {} {} every thread state that any number of threads reaches{}\n", cutoff.threads,
                                 thread_word(cutoff.threads), cutoff.threads == 1 ? "reaches" : "reach",
                                 uniform ? ", in as few steps" : "");
  text += fmt::format("reachable thread states: {}\n", cutoff.thread_states);
  if (uniform) text += fmt::format("steps to the farthest: {}\n", cutoff.depth);
  if (cutoff.thread_states > 0) {
    text += fmt::format("needs {} {}: a thread {}\n", cutoff.threads, thread_word(cutoff.threads),
                        describe(program, cutoff));
  }
  return text;
}

}  // namespace

std::string CutoffCommand::examples() const {
  return "  cohort cutoff mutex.bp              the fewest threads that reach all that any number reaches\n"
         "  cohort cutoff mutex.bp --uniform    and reach it in as few steps";
}

void CutoffCommand::declare(OptionTable& table) {
  input_.declare(table);
  table.group("What is computed");
  table.flag("--uniform", uniform_, "The uniform cutoff: each thread state is reached in as few steps, too");
  table.group("Output");
  table.add_all(report_);
  run_.declare(table);
}

// Where nobody said what there is at the start, whose word was taken for it.
std::string CutoffCommand::assumed_words() const {
  const load::FrontEnd* front_end = load::front_end_for(input_.file);
  if (front_end == nullptr) return "";
  const option::Members known = front_end->knows(input_.options);
  for (const option::Reference& option : option::options_of(input_.options)) {
    const bool tells = option.member() == &input_.options.initial || option.member() == &input_.options.init;
    if (!tells || !known.contain(option) || input_.is_given(option.member())) continue;
    return fmt::format(" (assumed without {})", option.descriptor().long_name());
  }
  return "";
}

ExitCode CutoffCommand::run(Console& console) {
  Env env;
  run_.apply(console, env);
  const model::Program program = input_.load_flat(env, end_unheard(*this, console));
  if (const auto reason = engine::cutoff_refuses(program, uniform_)) {
    return say_undecided(*this, console, "unsupported", *reason);
  }
  if (const auto reason = leaves_model(env, program, {.any_number = true, .bound = {}}))
    return say_undecided(*this, console, "unsupported", *reason);
  const auto cutoff = uniform_ ? engine::uniform_cutoff(env, program) : engine::reachability_cutoff(env, program);
  record_resources(env);
  if (!cutoff.unknown.empty()) {
    return say_undecided(*this, console, "stopped", cutoff.unknown);
  }
  if (report_.format == Format::Json) {
    const nlohmann::ordered_json document = {{"schema", cutoff_schema},
                                             {"version", version()},
                                             {"tool", report::tool_to_json()},
                                             {"task", input_.to_json(std::nullopt)},
                                             {"uniform", uniform_},
                                             {"threads", cutoff.threads},
                                             {"thread_states", cutoff.thread_states},
                                             {"start", start_words(program)},
                                             {"witness", cutoff.thread_states > 0 ? describe(program, cutoff) : ""},
                                             {"statistics", report::statistics_to_json(env.statistics)}};
    console.out(report::document_text(document));
  } else {
    console.out(words(program, cutoff, uniform_));
    console.out(fmt::format("start: {}{}\n", start_words(program), assumed_words()));
    if (report_.statistics) console.out(report::statistics_text(env.statistics));
  }
  return ExitCode::Safe;
}

}  // namespace cohort::cli
