// `cohort invariants`: what holds at each location, for any number of threads.
#pragma once

#include <string>

#include "cli/command.hpp"
#include "cli/input_arguments.hpp"
#include "cli/run_arguments.hpp"

namespace cohort::cli {

class InvariantsCommand : public Command {
 public:
  std::string name() const override { return "invariants"; }
  std::string summary() const override { return "Print what holds at each location, for any number of threads"; }
  std::string examples() const override;
  void declare(OptionTable& table) override;
  ExitCode run(Console& console) override;

 private:
  InputArguments input_;
  RunArguments run_;
  std::string in_view_ = "1";
  bool implications_ = false;
};

}  // namespace cohort::cli
