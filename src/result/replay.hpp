// Executes a run on the interpreter.  No UNSAFE verdict is printed without it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/run.hpp"

namespace cohort::result {

struct Replay {
  bool succeeded = false;
  std::string message;                        // what went wrong, and at which step
  std::optional<model::PropertyId> violated;  // what the run's end violates
  bool faults = false;                        // it ends in a fault
};

// `bound` as for the interpreter.  The run must start in an initial state, take only steps the program has, and end in
// a violation.
// With `env`, throws Stopped at its limits.
Replay replay(const model::Program& program, std::optional<std::uint32_t> bound, const model::Run& run,
              Env* env = nullptr);

// Names threads along a run by the order of their creation: names[i][slot] is the name of the thread in `slot` after
// step i (names[0]: at the start).  A name is never used twice, even where a slot is.
std::vector<std::vector<std::uint32_t>> thread_names(const model::Run& run);

}  // namespace cohort::result
