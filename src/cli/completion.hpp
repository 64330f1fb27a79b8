// Completion of command lines in shells, made from the options of all commands.
#pragma once

#include <string>
#include <vector>

namespace CLI {  // NOLINT(readability-identifier-naming): the library's name
class App;
}  // namespace CLI

namespace cohort::cli {

const std::vector<std::string>& completed_shells();

// The script that the shell (one of completed_shells()) reads.
std::string completion_script(const std::string& shell, const std::vector<CLI::App*>& commands);

}  // namespace cohort::cli
