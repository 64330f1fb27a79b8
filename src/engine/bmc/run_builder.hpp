// From a model of the formula to a run over the program.
#pragma once

#include <optional>

#include "engine/bmc/unrolling.hpp"
#include "model/run.hpp"

namespace cohort::engine::bmc {

// The solver's last check was satisfiable, for an execution that ends at the unrolling's depth.  The run is made by the
// interpreter; the model decides who moves and how choices fall.
model::Run build_run(const Task& task, const Unrolling& unrolling, const smt::Numbers& numbers,
                     const smt::Solver& solver, const std::vector<bool>& kept);

}  // namespace cohort::engine::bmc
