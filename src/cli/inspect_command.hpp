// `cohort inspect`: what the reductions of the pointer engines make of a program.
#pragma once

#include <cstdint>
#include <string>

#include "cli/command.hpp"
#include "cli/input_arguments.hpp"
#include "cli/run_arguments.hpp"

namespace cohort::cli {

// One line for each option (see base/option.hpp).
struct InspectArguments {
  std::uint32_t steps =
      option::number(steps, {"--steps", "K", "Representatives of the states within so many steps"}, 2U, {0, 1'000'000});
};

class InspectCommand : public Command {
 public:
  std::string name() const override { return "inspect"; }
  std::string summary() const override {
    return "Show where pointers and locals matter, and which states symmetry identifies";
  }
  std::string examples() const override;
  void declare(OptionTable& table) override;
  ExitCode run(Console& console) override;

 private:
  InputArguments input_;
  RunArguments run_;
  InspectArguments arguments_;
};

}  // namespace cohort::cli
