// `cohort verify`: is the program safe, and for how many threads?
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "base/env.hpp"
#include "cli/answer_files.hpp"
#include "cli/command.hpp"
#include "cli/input_arguments.hpp"
#include "cli/report_options.hpp"
#include "cli/run_arguments.hpp"
#include "exchange/exchange.hpp"
#include "result/answer.hpp"
#include "strategy/verify.hpp"

namespace cohort::cli {

// How the engines are put to work: one line for each option (see base/option.hpp).
struct PlanOptions {
  std::uint32_t jobs = option::number(
      jobs,
      {"-j,--jobs", "N",
       "Engines at work at a time, with `auto` (0: as many as there are processors), or threads that divide the search "
       "of the engine `explicit`"},
      0U, {0, 1024});
};

class VerifyCommand : public Command {
 public:
  std::string name() const override { return "verify"; }
  std::string summary() const override;
  std::string examples() const override;
  void declare(OptionTable& table) override;
  bool prints_json() const override { return report_.format == Format::Json; }
  void set_arguments(const std::vector<std::string>& arguments) override { arguments_ = arguments; }
  ExitCode run(Console& console) override;

 private:
  void join_ranks(Console& console);
  ExitCode answer(Console& console);
  ExitCode run_each(Console& console, Env& env) const;
  ExitCode run_questions(Console& console, Env& env);
  void expect_no_single_file() const;
  void declare_engine(OptionTable& table);
  void expect_known_options() const;
  nlohmann::ordered_json task_to_json(const result::Answer& answer) const;
  strategy::Options verify_options() const;
  result::Answer find_answer(Env& env, Console& console, model::Program& program, const AnswerFiles& files);
  bool claims_all(const result::Answer& answer) const;
  void print(Console& console, const model::Program& program, const result::Answer& answer, Env& env) const;
  void write_certificate(const model::Program& program, const result::Answer& answer) const;

  InputArguments input_;
  RunArguments run_;
  std::optional<std::uint32_t> threads_;
  bool unbounded_ = false;
  std::string engine_ = "auto";
  engine::EngineOptions engine_options_;
  std::vector<option::Reference> given_;  // of the engine's options, on the command line
  ReportOptions report_;
  AnswerFileOptions files_;
  SeveralOptions several_;
  std::vector<std::string> arguments_;
  ProofOptions proof_;
  StoryOptions story_;
  PlanOptions plan_;
  std::unique_ptr<exchange::Exchange> ranks_;  // the other processes of this run, if there are any
};

// The exit code that a verdict means.
ExitCode exit_code_of(result::Verdict verdict);

}  // namespace cohort::cli
