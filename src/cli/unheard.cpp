#include "cli/unheard.hpp"

#include <cstdio>
#include <cstdlib>
#include <utility>

#include <fmt/core.h>

#include "cli/error_document.hpp"
#include "cli/exit_code.hpp"

namespace cohort::cli {

void say_stopped(const Command& command, Console& console, const std::string& reason) {
  const std::string line = fmt::format("UNKNOWN: {}", reason);
  const bool json = command.prints_json();
  // Where even that cannot be written, the exit code has to do.
  try {
    console.out(json ? error_document({"stopped", reason, ExitCode::Unknown}) : line + "\n");
  } catch (const OutputError&) {
    console.error("cohort: cannot write to standard output");
  }
  if (json) console.error(line);
}

ExitCode say_undecided(const Command& command, Console& console, const char* kind, const std::string& reason,
                       const std::string& scope) {
  console.error(fmt::format("cohort: UNKNOWN{}{}: {}", scope.empty() ? "" : " ", scope, reason));
  if (command.prints_json()) console.out(error_document({kind, reason, ExitCode::Unknown}));
  return ExitCode::Unknown;
}

Watchdog::GiveUp end_unheard(Watchdog::GiveUp say) {
  return [say = std::move(say)](const std::string& reason) {
    try {
      say(reason);
    } catch (const OutputError&) {
      // The exit code has to do.
    }
    std::fflush(nullptr);
    std::_Exit(static_cast<int>(ExitCode::Unknown));
  };
}

Watchdog::GiveUp end_unheard(const Command& command, Console& console) {
  return end_unheard([&](const std::string& reason) { say_stopped(command, console, reason); });
}

}  // namespace cohort::cli
