// Executions that end in undefined behaviour which no property asks for.  A front end marks such ends like cuts, with a
// text that says what they are.  Whether one is reached is a question of its own: a program that is safe only because
// everything ends before it could go wrong should not pass for safe.
#pragma once

#include <string>

#include "model/program.hpp"

namespace cohort::model {

// The text of the property, of kind Cut, that marks an end of this sort.
std::string undefined_end_text(const std::string& what);
bool is_undefined_end(const Property& property);

// Executions end without a mark; edges and locations keep their numbers.
Program without_undefined_ends(Program program);
// The only violations are undefined ends.
Program asking_for_undefined_ends(Program program);

}  // namespace cohort::model
