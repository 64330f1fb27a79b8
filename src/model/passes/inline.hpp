// Inlining of non-recursive calls: from procedures to flat thread templates.
#pragma once

#include <cstddef>

#include "base/env.hpp"
#include "model/program.hpp"

namespace cohort::model {

struct InlineLimits {
  // Most edges (and most locations, and most locals) that the flat program may have.
  std::size_t max_size = 2'000'000;
};

// The same program with every thread root (a template that threads start in, or that something outside names) as one
// flat template: its own locations and locals come first and keep their ids, then those of each copy of a callee, named
// `f.x`, `f#2.x`, ... Templates that are only called disappear.  Each action's origin is its edge in `program`. Throws
// InputError (unsupported) for recursion, for passive variables of a called procedure, and beyond the limits.
// With `env`, throws Stopped at its limits.
Program inline_calls(const Program& program, const InlineLimits& limits = {}, Env* env = nullptr);

}  // namespace cohort::model
