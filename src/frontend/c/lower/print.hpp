// The flat form as text, for tests and for people who work on the stages.
#pragma once

#include <string>

#include "frontend/c/lower/flat.hpp"

namespace cohort::frontend::c::lower {

// One line a node, body after body: what can be reached, in the order of the nodes' numbers.
std::string to_string(const Flat& flat);

}  // namespace cohort::frontend::c::lower
