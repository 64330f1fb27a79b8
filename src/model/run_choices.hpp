// Runs of programs with choices that nobody can enumerate.
#pragma once

#include "model/run.hpp"

namespace cohort::model {

// Makes the run one of `program`, which may have choices of wide types where the program it was found in has none: such
// choices influence nothing, and any value will do.  Values that variables hold along the run can be chosen, too.
void allow_choices(const Program& program, Run& run);

}  // namespace cohort::model
