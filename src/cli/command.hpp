// One subcommand of the program.  Adding one is a class in a file of its own and a line in commands.cpp.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "cli/console.hpp"
#include "cli/exit_code.hpp"
#include "cli/option_table.hpp"

namespace cohort::cli {

class Command {
 public:
  Command() = default;
  Command(const Command&) = delete;
  Command& operator=(const Command&) = delete;
  virtual ~Command() = default;

  virtual std::string name() const = 0;
  // One sentence for the list of commands.
  virtual std::string summary() const = 0;
  // Shown below the options: command lines, each with what it does.
  virtual std::string examples() const = 0;
  // Declares the options, with this object as the place for their values.
  virtual void declare(OptionTable& table) = 0;
  // Was a document asked for on standard output?  Then what goes wrong is told there, too.
  virtual bool prints_json() const { return false; }
  // What was given on the command line behind the command's name.
  virtual void set_arguments(const std::vector<std::string>& /*arguments*/) {}
  // Throws InputError and UsageError.
  virtual ExitCode run(Console& console) = 0;
};

// In the order in which help lists them.
std::vector<std::unique_ptr<Command>> all_commands();

}  // namespace cohort::cli
