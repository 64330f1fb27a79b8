// The front end for concurrent algorithms with pointers between processes (.red): text in, model out.  docs/pointer.md
// describes the language.
#pragma once

#include <cstdint>
#include <optional>

#include "base/env.hpp"
#include "base/source.hpp"
#include "model/program.hpp"

namespace cohort::frontend::red {

struct Options {
  std::optional<std::uint32_t> processes;  // instead of `process count`
  bool ignore_faults = false;              // steps that fault are not taken, instead of being violations
};

// Throws InputError when the text is malformed.
model::Program load(const SourceFilePtr& file, const Options& options = {}, Env* env = nullptr);

}  // namespace cohort::frontend::red
