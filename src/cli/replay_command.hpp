// `cohort replay`: execute the trace of a JSON answer again, step by step, on the interpreter; or look for a run that
// follows a witness of SV-COMP.
#pragma once

#include <string>

#include "cli/command.hpp"
#include "cli/input_arguments.hpp"
#include "cli/run_arguments.hpp"
#include "result/answer.hpp"

namespace cohort::cli {

class ReplayCommand : public Command {
 public:
  std::string name() const override { return "replay"; }
  std::string summary() const override { return "Execute a trace again and show it"; }
  std::string examples() const override;
  void declare(OptionTable& table) override;
  ExitCode run(Console& console) override;

 private:
  result::Answer replay_trace(Env& env, Console& console, model::Program& program);
  result::Answer follow_witness(Env& env, Console& console, model::Program& program);

  InputArguments input_;
  RunArguments run_;
  std::string trace_;
};

}  // namespace cohort::cli
