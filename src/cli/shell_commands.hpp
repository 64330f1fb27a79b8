// `cohort man` and `cohort completion`: what an installation puts beside the program.
#pragma once

#include <string>

#include "cli/command.hpp"

namespace cohort::cli {

class ManCommand : public Command {
 public:
  std::string name() const override { return "man"; }
  std::string summary() const override { return "Print the manual page"; }
  std::string examples() const override { return "  cohort man | man -l -"; }
  void declare(OptionTable& table) override;
  ExitCode run(Console& console) override;
};

class CompletionCommand : public Command {
 public:
  std::string name() const override { return "completion"; }
  std::string summary() const override { return "Print the completion of command lines for a shell"; }
  std::string examples() const override;
  void declare(OptionTable& table) override;
  ExitCode run(Console& console) override;

 private:
  std::string shell_;
};

}  // namespace cohort::cli
