// The front end for concurrent algorithms with pointers between processes (.red): text in, model out.  docs/pointer.md
// describes the language.
#pragma once

#include <cstdint>
#include <optional>

#include "base/env.hpp"
#include "base/source.hpp"
#include "model/program.hpp"

namespace cohort::frontend::red {

// Which faults are violations; a step with another fault is not taken.
enum class Faults : std::uint8_t {
  Report,   // all
  Guards,   // those in guards and in invariants of modes
  Actions,  // those in assignments: the paper's reading, where a guard without a value is not true
  Ignore,   // none
};

struct Options {
  std::optional<std::uint32_t> processes;  // instead of `process count`
  bool any_number = false;                 // of processes; then none of them can be named
  Faults faults = Faults::Report;
};

// Throws InputError when the text is malformed.
model::Program load(const SourceFilePtr& file, const Options& options = {}, Env* env = nullptr);

}  // namespace cohort::frontend::red
