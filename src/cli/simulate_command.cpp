#include "cli/simulate_command.hpp"

#include <charconv>
#include <iostream>

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "base/version.hpp"
#include "cli/unheard.hpp"
#include "report/json.hpp"
#include "report/text.hpp"
#include "report/trace_json.hpp"
#include "report/words.hpp"
#include "strategy/question.hpp"

namespace cohort::cli {

namespace {

constexpr const char* walk_schema = "cohort-walk-1";

std::string step_text(const model::Program& program, const report::StepView& step) {
  const std::string effect = report::effect_text(program, step);
  return fmt::format("{}  {}  {}{}", step.thread, report::place_text(step.span), step.statement,
                     effect.empty() ? "" : "   " + effect);
}

// A number from 1 to `count`, as an index from 0.
std::optional<std::size_t> parse_choice(const std::string& line, std::size_t count) {
  std::size_t number = 0;
  const auto [end, error] = std::from_chars(line.data(), line.data() + line.size(), number);
  if (error != std::errc() || end != line.data() + line.size() || number == 0 || number > count) return std::nullopt;
  return number - 1;
}

}  // namespace

std::string SimulateCommand::examples() const {
  return "  cohort simulate mutex.bp --threads 2 --seed 7 --steps 50\n"
         "  cohort simulate mutex.bp --threads 2 --interactive";
}

void SimulateCommand::declare(OptionTable& table) {
  input_.declare(table);
  table.group("Threads");
  table.threads({"-n,--threads", "N", "At most this many threads alive at a time"}, threads_);
  table.group("Walk");
  table.number({"--seed", "SEED", "Another seed, another walk"}, seed_);
  table.number({"--steps", "N", "Stop after this many steps"}, steps_);
  table.flag("--interactive", interactive_, "Choose every step by hand (the default on a terminal)");
  table.flag("--random", at_random_, "Choose at random even on a terminal");
  table.exclude("--interactive", "--random");
  table.group("Output");
  table.choice({"--format", "FORMAT", "text or json"}, format_, {"text", "json"});
  run_.declare(table);
}

ExitCode SimulateCommand::run(Console& console) {
  Env env;
  run_.apply(console, env);
  const model::Program program = input_.load_flat(env, end_unheard(*this, console));
  if (!threads_) threads_ = strategy::bound_by_default(program);
  expect_bound_fits(program, *threads_);
  std::mt19937_64 random(seed_);
  Walk walk(program, *threads_, random, &env);
  const bool by_hand = interactive_ || (!at_random_ && format_ == "text" && console.reads_terminal());
  if (by_hand) {
    walk_by_hand(console, walk, random);
  } else {
    walk_at_random(walk, random);
  }
  return print_end(console, program, walk);
}

void SimulateCommand::walk_at_random(Walk& walk, std::mt19937_64& random) const {
  while (!walk.ended() && walk.run().steps.size() < steps_) walk.take(random() % walk.choices().size());
}

void SimulateCommand::offer_choices(Console& console, const Walk& walk) const {
  const model::Program& program = walk.program();
  std::string text = fmt::format("after {} steps, possible now:\n", walk.run().steps.size());
  for (std::size_t i = 0; i < walk.choices().size(); ++i) {
    text += fmt::format("  {:>3}  {}\n", i + 1, step_text(program, walk.tell(walk.choices()[i])));
  }
  console.out(text);
}

void SimulateCommand::walk_by_hand(Console& console, Walk& walk, std::mt19937_64& random) const {
  console.out("a number takes a step, r a random one, u takes one back, q ends the walk\n");
  std::string line;
  while (walk.run().steps.size() < steps_) {
    if (walk.ended()) {
      console.out("the walk ends here; u takes a step back, q ends it\n");
    } else {
      offer_choices(console, walk);
    }
    console.out("> ");
    if (!std::getline(std::cin, line) || line == "q") return;
    if (line == "u") {
      walk.undo();
    } else if (walk.ended()) {
      continue;
    } else if (line == "r") {
      walk.take(random() % walk.choices().size());
    } else if (const auto choice = parse_choice(line, walk.choices().size())) {
      walk.take(*choice);
    } else {
      console.out(fmt::format("'{}' is none of these\n", line));
    }
  }
}

ExitCode SimulateCommand::print_end(Console& console, const model::Program& program, const Walk& walk) const {
  result::Answer answer{.scope = {.bound = threads_}};
  answer.result.run = walk.run();
  answer.result.property = walk.violated();
  const bool unsafe = answer.result.property || walk.faulted();
  if (unsafe) answer.result.verdict = result::Verdict::Unsafe;
  if (format_ == "json") {
    const auto trace = report::trace_to_json(program, walk.run());
    nlohmann::ordered_json document = {{"schema", walk_schema},
                                       {"version", version()},
                                       {"tool", report::tool_to_json()},
                                       {"task", input_.to_json(threads_)},
                                       {"violates", unsafe},
                                       {"trace", trace}};
    console.out(report::document_text(document));
  } else {
    console.out(report::trace_text(program, walk.run(), report::TraceDetail::Full));
    if (unsafe) {
      console.out(report::headline(program, answer) + "\n");
    } else {
      console.out(walk.ended() ? "no step is possible\n"
                               : fmt::format("stopped after {} steps\n", walk.run().steps.size()));
    }
  }
  return unsafe ? ExitCode::Unsafe : ExitCode::Safe;
}

}  // namespace cohort::cli
