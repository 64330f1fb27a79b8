// The options that say how to run: limits, what is shown on the way, and the environment made of them.  Signals set a
// flag that the environment polls, so that an interrupted run ends with its statistics like one that reached a limit.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/env.hpp"
#include "cli/console.hpp"
#include "cli/option_table.hpp"

namespace cohort::cli {

class RunArguments {
 public:
  void declare(OptionTable& table);
  void declare_quiet(OptionTable& table);

  // `console` outlives `env`.
  void apply(Console& console, Env& env) const;

 private:
  std::optional<double> time_limit_;
  std::optional<std::uint64_t> memory_limit_mib_;
  bool self_check_ = false;
  bool quiet_ = false;
  std::string color_ = "auto";
};

// Time and peak memory of the whole run, beside what the engine counted.
void record_resources(Env& env);

}  // namespace cohort::cli
