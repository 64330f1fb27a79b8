// The path of counter states of a run (BOOM paper, section 6.3): after each step the shared values, and how many
// threads are in which local state, whoever they are.
#pragma once

#include <string>

#include "model/program.hpp"
#include "model/run.hpp"

namespace cohort::report {

// A line for each state, numbered as the steps before them.
std::string counters_text(const model::Program& program, const model::Run& run);

}  // namespace cohort::report
