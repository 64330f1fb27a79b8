// How the program ends; docs/cli.md promises these numbers.
#pragma once

namespace cohort::cli {

enum class ExitCode : int {
  Safe = 0,  // and success of commands that give no verdict
  Usage = 1,
  Malformed = 2,
  Unknown = 5,
  Internal = 6,
  Unsafe = 10,
};

}  // namespace cohort::cli
