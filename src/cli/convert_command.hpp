// `cohort convert`: the program in another language, chosen by the ending of the output file.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "cli/command.hpp"
#include "cli/input_arguments.hpp"
#include "cli/run_arguments.hpp"

namespace cohort::cli {

class ConvertCommand : public Command {
 public:
  std::string name() const override { return "convert"; }
  std::string summary() const override { return "Write a program in another language"; }
  std::string examples() const override;
  void declare(OptionTable& table) override;
  ExitCode run(Console& console) override;

 private:
  InputArguments input_;
  std::string output_;
  std::optional<std::uint32_t> threads_;
  RunArguments run_;
};

}  // namespace cohort::cli
