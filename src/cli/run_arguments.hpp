// The options that say how to run: limits, what is shown on the way, and the environment made of them.  Signals set a
// flag that the environment polls, so that an interrupted run ends with its statistics like one that reached a limit.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/env.hpp"
#include "base/option.hpp"
#include "cli/console.hpp"
#include "cli/option_table.hpp"

namespace cohort::cli {

// One line for each option: see base/option.hpp.
struct LimitOptions {
  std::optional<double> time_limit =
      option::seconds(time_limit, {"--time-limit", "S", "Give up after this many seconds"});
  std::optional<std::uint64_t> memory_limit_mib = option::number(
      memory_limit_mib, {"--memory-limit", "MIB", "Give up at this much resident memory, in MiB"}, {}, {0, UINT64_MAX});
  // A stopping point, see base/env.hpp; empty: none.
  std::string stop_at = option::text(
      stop_at,
      {"--stop-at", "POINT", "End at this point of the program as if interrupted there (for tests of Cohort)"});
  bool self_check = option::flag(
      self_check,
      {"--self-check", "", "Check expensive invariants, and SAFE by a certificate where the engine writes one"});
};

struct ConsoleOptions {
  bool quiet = option::flag(quiet, {"-q,--quiet", "", "No warnings, no progress, and of the answer only the verdict"});
  ColorMode color = option::choice(
      color, {"--color", "WHEN", "Colours: auto (on terminals, unless NO_COLOR is set), always or never"},
      {{"auto", ColorMode::Auto}, {"always", ColorMode::Always}, {"never", ColorMode::Never}});
};

class RunArguments {
 public:
  void declare(OptionTable& table);
  void declare_quiet(OptionTable& table);

  // `console` outlives `env`.
  void apply(Console& console, Env& env) const;
  // The same without time and memory, whose limits are those of processes that this one starts.
  void apply_without_limits(Console& console, Env& env) const;

 private:
  LimitOptions limits_;
  ConsoleOptions console_;
};

// Time and peak memory of the whole run, beside what the engine counted.
void record_resources(Env& env);

}  // namespace cohort::cli
