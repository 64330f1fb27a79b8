// `cohort verify`: is the program safe, and for how many threads?
#pragma once

#include <optional>
#include <string>

#include "base/env.hpp"
#include "cli/command.hpp"
#include "cli/input_arguments.hpp"
#include "cli/run_arguments.hpp"
#include "result/answer.hpp"
#include "verify/verify.hpp"

namespace cohort::cli {

class VerifyCommand : public Command {
 public:
  std::string name() const override { return "verify"; }
  std::string summary() const override;
  std::string examples() const override;
  void declare(OptionTable& table) override;
  ExitCode run(Console& console) override;

 private:
  void declare_engine(OptionTable& table);
  void declare_bmc(OptionTable& table);
  verify::Options verify_options() const;
  void print(Console& console, const model::Program& program, const result::Answer& answer, Env& env) const;
  void write_certificate(const model::Program& program, const result::Answer& answer) const;

  InputArguments input_;
  RunArguments run_;
  std::optional<std::uint32_t> threads_;
  bool unbounded_ = false;
  std::string engine_ = "auto";
  engine::EngineOptions engine_options_;
  bool simplify_ = true;
  std::string search_;  // empty: the engine's own
  std::string karp_miller_;
  std::vector<std::string> switched_off_;
  std::string integers_ = "bits";
  std::optional<std::uint64_t> contexts_;
  std::string format_ = "text";
  std::string certificate_;
  bool statistics_ = false;
};

// The exit code that a verdict means.
ExitCode exit_code_of(result::Verdict verdict);

}  // namespace cohort::cli
