// `cohort reach`: which thread states are reachable with a given bound on threads?
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli/command.hpp"
#include "cli/input_arguments.hpp"
#include "cli/report_options.hpp"
#include "cli/run_arguments.hpp"
#include "report/reach.hpp"
#include "strategy/question.hpp"

namespace cohort::cli {

class ReachCommand : public Command {
 public:
  std::string name() const override { return "reach"; }
  std::string summary() const override { return "List the reachable thread states"; }
  std::string examples() const override;
  void declare(OptionTable& table) override;
  bool prints_json() const override { return report_.format == Format::Json; }
  ExitCode run(Console& console) override;

 private:
  InputArguments input_;
  RunArguments run_;
  std::optional<std::uint32_t> threads_;
  bool unbounded_ = false;
  report::ReachView view_;
  ReportOptions report_;
};

}  // namespace cohort::cli
