// Cuts: locations where a front end gave up modelling the input.  A violation found without passing them is real;
// safety holds only if none of them is reachable.  So a program with cuts stands for two questions.
#pragma once

#include "model/program.hpp"

namespace cohort::model {

// Executions end at cuts, and no cut is an error.
Program without_cuts(Program program);

}  // namespace cohort::model
