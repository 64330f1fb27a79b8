// The control flow as a picture.
#pragma once

#include <string>

#include "model/program.hpp"

namespace cohort::convert {

// One cluster for each template: locations as nodes (error locations in a double frame), edges with their statements.
// Takes every program, with or without calls.
std::string to_dot(const model::Program& program);

}  // namespace cohort::convert
