// Signs of operators, as texts of the front end's forms show them.
#pragma once

#include "frontend/c/ir/unit.hpp"

namespace cohort::frontend::c::ir {

// Of an operator with one or two operands.
const char* symbol(Op op);

}  // namespace cohort::frontend::c::ir
