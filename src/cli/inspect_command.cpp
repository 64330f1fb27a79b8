#include "cli/inspect_command.hpp"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include "cli/state_words.hpp"
#include "cli/unheard.hpp"
#include "engine/inspect.hpp"

namespace cohort::cli {

namespace {

std::string active_text(const engine::Inspection& inspection) {
  std::string text = "active locals, by mode:\n";
  for (const auto& active : inspection.active) {
    text += fmt::format("  {}:", active.variable);
    if (active.modes.empty()) text += " nowhere";
    bool first = true;
    for (const auto& [mode, condition] : active.modes) {
      text += (first ? " " : ", ") + mode + (condition.empty() ? "" : fmt::format(" where {}", condition));
      first = false;
    }
    text += "\n";
  }
  return text;
}

std::string symmetry_text(const engine::Inspection& inspection) {
  std::string text = "admissible permutations of the processes:\n";
  for (const auto& members : inspection.classes) {
    if (members.size() > 1) text += fmt::format("  all of {}\n", fmt::join(members, " "));
  }
  for (const auto& images : inspection.permutations) text += fmt::format("  to {}\n", fmt::join(images, " "));
  const bool none = inspection.permutations.empty() && inspection.classes.size() == [&] {
    std::size_t processes = 0;
    for (const auto& members : inspection.classes) processes += members.size();
    return processes;
  }();
  return none ? text + "  none but that which moves no process\n" : text;
}

std::string state_text(const model::Program& program, const model::State& state) {
  std::string text = values_words(program.shared, state.shared);
  for (std::size_t i = 0; i < state.threads.size(); ++i) {
    text += fmt::format("{}{}: {}", text.empty() ? "" : " | ", i + 1, thread_words(program, *state.threads[i]));
  }
  return text;
}

}  // namespace

std::string InspectCommand::examples() const {
  return "  cohort inspect mcs.red --processes 4             representatives within two steps\n"
         "  cohort inspect mcs.red --processes 4 --steps 0   of the initial states only";
}

void InspectCommand::declare(OptionTable& table) {
  input_.declare(table);
  table.group("What is shown");
  table.add_all(arguments_);
  run_.declare(table);
}

ExitCode InspectCommand::run(Console& console) {
  Env env;
  run_.apply(console, env);
  const model::Program program = input_.load_flat(env, end_unheard(*this, console));
  if (const auto reason = engine::inspection_refuses(program))
    return say_undecided(*this, console, "unsupported", *reason);
  const engine::Inspection found = engine::inspect(env, program, arguments_.steps);
  console.out(active_text(found));
  console.out(symmetry_text(found));
  std::uint64_t states = 0;
  for (const auto& representative : found.representatives) states += representative.states;
  console.out(fmt::format("representatives of the states within {} steps: {} of {}\n", arguments_.steps,
                          found.representatives.size(), states));
  for (const auto& representative : found.representatives) {
    console.out(fmt::format("  {} | {}\n", representative.states, state_text(program, representative.state)));
  }
  if (found.stopped.empty()) return ExitCode::Safe;
  return say_undecided(*this, console, "stopped", found.stopped);
}

}  // namespace cohort::cli
