// What a command says that ends at a limit without an answer, and the end of one that meets a limit in code that does
// not ask for limits (base/watchdog.hpp).
#pragma once

#include <string>

#include "base/watchdog.hpp"
#include "cli/command.hpp"
#include "cli/console.hpp"
#include "cli/exit_code.hpp"

namespace cohort::cli {

// UNKNOWN and the reason, or the document that was asked for.
void say_stopped(const Command& command, Console& console, const std::string& reason);

// The same of a command that cannot answer for another reason, on standard error, with the document where one was asked
// for.  `kind` is that of the document, "unsupported" or "stopped"; `scope`, if any: "for up to 3 threads".
ExitCode say_undecided(const Command& command, Console& console, const char* kind, const std::string& reason,
                       const std::string& scope = "");

// Ends the process after it was said; whoever is named outlives the watchdog.
Watchdog::GiveUp end_unheard(const Command& command, Console& console);

// Ends the process after `say`.
Watchdog::GiveUp end_unheard(Watchdog::GiveUp say);

}  // namespace cohort::cli
