// The calls that a step is in, in words.
#pragma once

#include <string>

#include "model/call_frames.hpp"

namespace cohort::report {

// "; in push, called at stack.c:20 in fill, called at stack.c:31", the innermost call first; empty in the routine of a
// thread.
std::string stack_words(const model::Program& program, model::EdgeRef edge);

}  // namespace cohort::report
