// `cohort calls`: what becomes of each library function that a C program may call.
#pragma once

#include "cli/command.hpp"

namespace cohort::cli {

class CallsCommand : public Command {
 public:
  std::string name() const override { return "calls"; }
  std::string summary() const override { return "List the library functions of C: modelled, assumed or refused"; }
  std::string examples() const override { return "  cohort calls > docs/c-library.md"; }
  void declare(OptionTable& table) override;
  ExitCode run(Console& console) override;
};

}  // namespace cohort::cli
