// `cohort cutoff`: how many threads suffice to reach every thread state that any number of threads reaches?
#pragma once

#include <string>

#include "cli/command.hpp"
#include "cli/input_arguments.hpp"
#include "cli/report_options.hpp"
#include "cli/run_arguments.hpp"

namespace cohort::cli {

class CutoffCommand : public Command {
 public:
  std::string name() const override { return "cutoff"; }
  std::string summary() const override { return "Find how many threads suffice to reach every reachable thread state"; }
  std::string examples() const override;
  void declare(OptionTable& table) override;
  bool prints_json() const override { return report_.format == Format::Json; }
  ExitCode run(Console& console) override;

 private:
  std::string assumed_words() const;

  InputArguments input_;
  RunArguments run_;
  bool uniform_ = false;
  ReportOptions report_;
};

}  // namespace cohort::cli
