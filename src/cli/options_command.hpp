// `cohort options`: every option of every command, made from the tables of their owners.
#pragma once

#include "cli/command.hpp"

namespace cohort::cli {

class OptionsCommand : public Command {
 public:
  std::string name() const override { return "options"; }
  std::string summary() const override { return "List every option of every command, and to which it means something"; }
  std::string examples() const override { return "  cohort options > docs/options.md"; }
  void declare(OptionTable& table) override;
  ExitCode run(Console& console) override;
};

}  // namespace cohort::cli
