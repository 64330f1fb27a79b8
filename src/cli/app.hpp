// The command line as a whole: parses the arguments, runs one command, and turns whatever happens into an exit code.
#pragma once

#include <string>
#include <vector>

namespace cohort::cli {

int run(int argc, const char* const* argv);

// Every option of every command, for the test that compares them with the documentation.
struct DocumentedOption {
  std::string command;
  std::string name;  // the long form, or the name of a positional argument
};
std::vector<DocumentedOption> all_options();

}  // namespace cohort::cli
