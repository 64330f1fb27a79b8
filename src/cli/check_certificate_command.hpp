// `cohort check-certificate`: does a proof of SAFE hold?  Uses the interpreter, and no engine.  What is asked is said
// by the options, as for `verify`: a certificate that was made for something else is refused.
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
  ExitCode check(Console& console, Env& env) const;

  InputArguments input_;
  RunArguments run_;
  std::string certificate_;
  std::optional<std::uint32_t> threads_;
  bool unbounded_ = false;  // the same as no bound: it is there so that the options of `verify` can be given again
};

}  // namespace cohort::cli
