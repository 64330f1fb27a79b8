// From a model of the formula to a run over the program.
#pragma once

#include <optional>
#include <vector>

#include "engine/bmc/unrolling.hpp"
#include "model/run.hpp"

namespace cohort::engine::bmc {

// By step, what the execution does that the solver's last check has found; null for idle steps.
using Executed = std::vector<const Instruction*>;
Executed executed_in_model(const Unrolling& unrolling, const smt::Solver& solver);

// The run of these steps, which is an execution that ends at the unrolling's depth.  The run is made by the
// interpreter; the model decides how choices fall.
model::Run build_run(const Task& task, const Unrolling& unrolling, const smt::Numbers& numbers,
                     const smt::Solver& solver, const Executed& executed);

}  // namespace cohort::engine::bmc
