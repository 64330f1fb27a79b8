// From a pointer algorithm as written to the model: one template for all processes, one location for each mode, one
// edge for each transition, whose actions are the guard and the assignments one after the other.
#pragma once

#include "frontend/red/ast.hpp"
#include "frontend/red/red.hpp"

namespace cohort::frontend::red {

model::Program lower(const Algorithm& algorithm, const Options& options);

}  // namespace cohort::frontend::red
