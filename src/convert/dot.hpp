// The control flow as a picture.
#pragma once

#include <string>
#include <string_view>

#include "model/program.hpp"

namespace cohort::convert {

// One cluster for each template: locations as nodes (error locations in a double frame), edges with their statements.
// Takes every program, with or without calls.
std::string to_dot(const model::Program& program);

// Text between quotation marks, as DOT has it.
std::string dot_text(std::string_view text);
// The statements of an edge, one below the other.
std::string statement_text(const model::Edge& edge);

}  // namespace cohort::convert
