// `cohort simulate`: walk through a program at random, or by hand.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "cli/command.hpp"
#include "cli/input_arguments.hpp"
#include "cli/run_arguments.hpp"
#include "cli/walk.hpp"
#include "strategy/question.hpp"

namespace cohort::cli {

class SimulateCommand : public Command {
 public:
  std::string name() const override { return "simulate"; }
  std::string summary() const override { return "Walk through a program, at random or by hand"; }
  std::string examples() const override;
  void declare(OptionTable& table) override;
  bool prints_json() const override { return format_ == "json"; }
  ExitCode run(Console& console) override;

 private:
  void walk_at_random(Walk& walk, std::mt19937_64& random) const;
  void walk_by_hand(Console& console, Walk& walk, std::mt19937_64& random) const;
  void offer_choices(Console& console, const Walk& walk) const;
  ExitCode print_end(Console& console, const model::Program& program, const Walk& walk) const;

  InputArguments input_;
  std::optional<std::uint32_t> threads_;
  std::uint64_t seed_ = 1;
  std::uint64_t steps_ = 100;
  bool interactive_ = false;
  bool at_random_ = false;
  std::string format_ = "text";
  RunArguments run_;
};

}  // namespace cohort::cli
