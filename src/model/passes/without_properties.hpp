// The program with nothing to violate, for questions about all that is reachable.
#pragma once

#include "model/program.hpp"

namespace cohort::model {

// Without properties, without marks of errors at locations; a step that faults is no step.
Program without_properties(Program program);

}  // namespace cohort::model
