// Thread transition systems, `.tts` (also `.ttd`), with their targets, `.prop`.  The syntax and what each transition
// means are in docs/formats.md.
#pragma once

#include <optional>
#include <string>

#include "base/env.hpp"
#include "base/source.hpp"
#include "model/program.hpp"

namespace cohort::frontend::tts {

struct Options {
  // `s|b1,b2/u1,u2`; none: shared state 0 and any number of threads in local state 0.
  std::optional<std::string> init;
  // `s|l1,l2`; none: the target line of the file itself, else `property`, else the `.prop` file beside it, else no
  // property.
  std::optional<std::string> target;
  SourceFilePtr property;
};

model::Program load(const SourceFilePtr& file, const Options& options, Env* env = nullptr);

}  // namespace cohort::frontend::tts
