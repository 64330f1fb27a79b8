// `cohort mcc`: answers an examination of the Model Checking Contest, in its notation.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "cli/command.hpp"
#include "cli/run_arguments.hpp"
#include "load/contest.hpp"
#include "result/answer.hpp"

namespace cohort::cli {

class MccCommand : public Command {
 public:
  std::string name() const override { return "mcc"; }
  std::string summary() const override { return "Answer an examination of the Model Checking Contest"; }
  std::string examples() const override;
  void declare(OptionTable& table) override;
  ExitCode run(Console& console) override;

 private:
  std::string answer(Env& env, const load::Contest& contest, const load::ContestQuestion& question);
  std::string bound(Env& env, const load::Contest& contest, const load::ContestQuestion& question);

  std::string model_;
  std::string examination_;
  RunArguments run_;
};

}  // namespace cohort::cli
