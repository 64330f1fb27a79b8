// Removal of edges that no thread can ever take because of the control flow alone.
#pragma once

#include "model/program.hpp"

namespace cohort::model {

// The same program without edges whose source no thread reaches, whose takes name a place no thread reaches, or whose
// first guard is the constant false.  Locations and variables keep their ids; edges move up.
Program remove_unreachable(Program program);

}  // namespace cohort::model
