// The command line as a whole: parses the arguments, runs one command, and turns whatever happens into an exit code.
#pragma once

#include <string>
#include <vector>

namespace cohort::cli {

int run(int argc, const char* const* argv);

// The names of all commands.
std::vector<std::string> command_names();
// Every option of every command, as Markdown: docs/options.md.
std::string options_document();
// The manual page, and the completion for a shell.
std::string manual();
std::string completion(const std::string& shell);

}  // namespace cohort::cli
