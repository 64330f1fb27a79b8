// A part of a condition, as steps of the model evaluate it, in the words of its author.
#pragma once

#include <string>

#include "base/source.hpp"

namespace cohort::report {

// Of a part of the condition of `if`, `while` or `switch`, the whole of it: `while (head == 0 && !stop)`.  Anything
// else as it is.
std::string with_keyword(const SourceSpan& span, const std::string& part);

}  // namespace cohort::report
