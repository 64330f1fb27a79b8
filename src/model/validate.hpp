// The rules that every Program obeys, whoever made it.  A breach is a bug of the front end or pass that made the
// program, never of the user's input: validate throws InternalError with a sentence that names the rule and the place
// in the program.
#pragma once

#include "model/program.hpp"

namespace cohort::model {

void validate(const Program& program);

}  // namespace cohort::model
