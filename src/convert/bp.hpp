// Back to Boolean programs.
#pragma once

#include <string>

#include "model/program.hpp"

namespace cohort::convert {

// The program as the text of a `.bp` file.  Takes flat programs of Booleans; refuses everything else by name.  The text
// has the same verdict for every number of threads; all its violations are at the label SLIC_ERROR.
std::string to_bp(const model::Program& program);

}  // namespace cohort::convert
