// Removal of edges that no thread can ever take because of the control flow alone.
#pragma once

#include "base/env.hpp"
#include "model/program.hpp"

namespace cohort::model {

// The same program without edges whose source no thread reaches, whose takes name a place no thread reaches, or whose
// first guard is the constant false.  Locations and variables keep their ids; edges move up.
// With `env`, throws Stopped at its limits.
Program remove_unreachable(Program program, Env* env = nullptr);

}  // namespace cohort::model
