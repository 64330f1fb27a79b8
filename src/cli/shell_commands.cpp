#include "cli/shell_commands.hpp"

#include <algorithm>

#include <fmt/core.h>

#include "cli/app.hpp"
#include "cli/completion.hpp"
#include "cli/usage_error.hpp"

namespace cohort::cli {

void ManCommand::declare(OptionTable&) {}

ExitCode ManCommand::run(Console& console) {
  console.out(manual());
  return ExitCode::Safe;
}

std::string CompletionCommand::examples() const {
  return "  source <(cohort completion bash)\n"
         "  cohort completion fish > ~/.config/fish/completions/cohort.fish";
}

void CompletionCommand::declare(OptionTable& table) {
  table.argument("SHELL", shell_, "bash, zsh or fish");
}

ExitCode CompletionCommand::run(Console& console) {
  const auto& known = completed_shells();
  if (std::find(known.begin(), known.end(), shell_) == known.end())
    throw UsageError(fmt::format("{} is none of bash, zsh and fish", shell_));
  console.out(completion(shell_));
  return ExitCode::Safe;
}

}  // namespace cohort::cli
