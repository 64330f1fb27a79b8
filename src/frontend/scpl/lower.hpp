// From the syntax tree to the model.
//
// Each thread becomes a template with one location for each statement that makes a step, and one for its end, where it
// stays.  Every step is an edge of exactly one action: an assignment, each decision of `if` and `while`, `assume`,
// `assert`, `goto`, `start`, `skip`.  `atomic` makes no step of its own: its first step enters the section and those
// that leave the block leave it, so a thread waits outside for a first step that is blocked.  An atomic section inside
// another one means nothing.  Control enters a section at its first step only.
#pragma once

#include "frontend/scpl/ast.hpp"
#include "model/program.hpp"

namespace cohort::frontend::scpl {

// Throws InputError.
model::Program lower(const Program& program);

}  // namespace cohort::frontend::scpl
