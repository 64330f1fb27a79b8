// `cohort abstract`: the Boolean program that predicate abstraction ends with, and the predicates behind its variables.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli/command.hpp"
#include "cli/input_arguments.hpp"
#include "cli/run_arguments.hpp"
#include "engine/options.hpp"

namespace cohort::cli {

class AbstractCommand : public Command {
 public:
  std::string name() const override { return "abstract"; }
  std::string summary() const override { return "Print the Boolean program that predicate abstraction ends with"; }
  std::string examples() const override;
  void declare(OptionTable& table) override;
  ExitCode run(Console& console) override;

 private:
  InputArguments input_;
  RunArguments run_;
  std::string cubes_ = "1";
  std::optional<std::uint32_t> threads_;
  engine::EngineOptions engine_options_;
  std::vector<option::Reference> given_;
};

}  // namespace cohort::cli
