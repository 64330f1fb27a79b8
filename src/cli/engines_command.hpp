// `cohort engines`: what there is to choose from.
#pragma once

#include "cli/command.hpp"

namespace cohort::cli {

class EnginesCommand : public Command {
 public:
  std::string name() const override { return "engines"; }
  std::string summary() const override { return "List the engines, what each is for and which programs it takes"; }
  std::string examples() const override { return "  cohort engines"; }
  void declare(OptionTable& table) override;
  ExitCode run(Console& console) override;
};

}  // namespace cohort::cli
