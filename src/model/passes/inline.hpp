// Inlining of calls: from procedures to flat thread templates.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/env.hpp"
#include "model/program.hpp"

namespace cohort::model {

// What a call stands for that is one too many calls of a procedure from itself.
enum class BeyondRecursion : std::uint8_t {
  Cut,      // the end of the model: a location with a property of kind Cut
  Summary,  // at least all that the call can do: see inline.cpp.  For proofs: not every violation is one of the program
};

struct InlineLimits {
  // Most edges (and most locations, and most locals) that the flat program may have.
  std::size_t max_size = 2'000'000;
  // So many calls of a procedure from itself, along one stack, have copies of their own.
  std::uint32_t recursion = 8;
  // And none where a template has more locations than that.
  std::size_t max_recursive_size = 20'000;
  BeyondRecursion beyond = BeyondRecursion::Cut;
};

// The same program with every thread root (a template that threads start in, or that something outside names) as one
// flat template: its own locations and locals come first and keep their ids, then those of each copy of a callee, named
// `f.x`, `f#2.x`, ... Templates that are only called disappear.  Each action's origin is its edge in `program`. Throws
// InputError (unsupported) for passive variables of a called procedure, and where the program is larger than the limits
// say.
// With `env`, throws Stopped at its limits.
Program inline_calls(const Program& program, const InlineLimits& limits = {}, Env* env = nullptr);

}  // namespace cohort::model
