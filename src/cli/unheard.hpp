// What a command says that ends at a limit without an answer, and the end of one that meets a limit in code that does
// not ask for limits (base/watchdog.hpp).
#pragma once

#include <string>

#include "base/watchdog.hpp"
#include "cli/command.hpp"
#include "cli/console.hpp"

namespace cohort::cli {

// UNKNOWN and the reason, or the document that was asked for.
void say_stopped(const Command& command, Console& console, const std::string& reason);

// Ends the process after it was said; whoever is named outlives the watchdog.
Watchdog::GiveUp end_unheard(const Command& command, Console& console);

// Ends the process after `say`.
Watchdog::GiveUp end_unheard(Watchdog::GiveUp say);

}  // namespace cohort::cli
