// Of an access to freed memory, and of a second free: who freed the object, and where.
#pragma once

#include <string>
#include <vector>

#include "model/run.hpp"

namespace cohort::report {

// Lines for the end of a run whose last step finds an object freed; none for others.
std::vector<std::string> freed_words(const model::Program& program, const model::Run& run);

}  // namespace cohort::report
