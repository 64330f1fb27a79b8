// A readable and stable text of programs, for tests, debugging and `cohort` itself.  Names are those of the program;
// locations are written `number` or `number:label`, choices `*`, the value after the step `'x`, a passive thread's
// variable `x$`.
#pragma once

#include <string>

#include "model/program.hpp"

namespace cohort::model {

std::string to_string(const Program& program);
// `templ` is the template whose thread evaluates the expression: its locals have their names there.  None: outside all
// threads.
std::string to_string(const Program& program, const Template* templ, ExprId id);
std::string to_string(const Program& program, const Template& templ, const LValue& target);
std::string to_string(const Program& program, const Template& templ, const Action& action);
std::string to_string(const Program& program, const Template& templ, const Edge& edge);

}  // namespace cohort::model
