// `cohort check-certificate`: does a proof of SAFE hold?  Uses the interpreter, and no engine.
#pragma once

#include <string>

#include "cli/command.hpp"
#include "cli/input_arguments.hpp"
#include "cli/run_arguments.hpp"

namespace cohort::cli {

class CheckCertificateCommand : public Command {
 public:
  std::string name() const override { return "check-certificate"; }
  std::string summary() const override;
  std::string examples() const override;
  void declare(OptionTable& table) override;
  ExitCode run(Console& console) override;

 private:
  InputArguments input_;
  RunArguments run_;
  std::string certificate_;
};

}  // namespace cohort::cli
