// `cohort projections`: what of a program's executions influences the values that variables end with.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli/command.hpp"
#include "cli/input_arguments.hpp"
#include "cli/run_arguments.hpp"
#include "model/program.hpp"

namespace cohort::cli {

// One line for each option (see base/option.hpp).
struct ProjectionArguments {
  std::string variables =
      option::text(variables, {"--on", "VAR,...", "The shared variables whose values are looked at"});
  std::uint32_t steps =
      option::number(steps, {"--steps", "K", "Of executions with at most so many steps"}, 10U, {1, 10'000});
  std::optional<std::uint32_t> threads = option::number(
      threads, {"--threads", "N", "With at most so many threads alive, where the program does not say it"}, {},
      {1, 10'000});
  std::uint32_t most = option::number(most, {"--most", "N", "Stop after so many"}, 100U, {1, 1'000'000});
};

class ProjectionsCommand : public Command {
 public:
  std::string name() const override { return "projections"; }
  std::string summary() const override { return "List what of executions influences the values of variables"; }
  std::string examples() const override;
  void declare(OptionTable& table) override;
  ExitCode run(Console& console) override;

 private:
  std::vector<model::VarId> variables(const model::Program& program) const;

  InputArguments input_;
  RunArguments run_;
  ProjectionArguments arguments_;
};

}  // namespace cohort::cli
