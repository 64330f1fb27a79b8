// Who waits for what at the end of a run to a deadlock.
#pragma once

#include <string>
#include <vector>

#include "model/run.hpp"

namespace cohort::report {

// One sentence for each thread that waits in the last state: where, and who left what it waits for as it is.
std::vector<std::string> waiting_words(const model::Program& program, const model::Run& run);

}  // namespace cohort::report
