// What a target that several threads cover together says to people: which of them stand where, and what they are about
// to do there.  Data races are such targets.
#pragma once

#include <string>
#include <vector>

#include "model/run.hpp"

namespace cohort::report {

// Lines for the end of a run that covers the target; none for other properties.
std::vector<std::string> meeting_words(const model::Program& program, const model::Run& run,
                                       model::PropertyId property);

}  // namespace cohort::report
