// From the syntax tree to the model.
//
// Each process becomes a template with one location for each statement that makes a step, and one for its end, where
// it stays.  Every step is an edge of exactly one action: an assignment, each decision of `if` and `while`, `assume`,
// `assert`, `skip`.  `atomic` makes no step of its own: its first step enters the section and those that leave the
// block leave it, so a process waits outside for a first step that is blocked.  An atomic section inside another one
// means nothing.  Edges whose guard is constantly false are left out.
//
// A replicated process is one template with several threads where it does not use its index, so that they stay
// interchangeable.  Where it does, each copy is a template of its own with the index as a constant: accesses to
// arrays at places that depend on the index alone are then accesses at constant places, which is what dependencies
// between steps are decided by.
//
// A property over shared variables is a Cover property that names no thread; its condition is the negation of what was
// written.
#pragma once

#include "frontend/pbmc/ast.hpp"
#include "frontend/pbmc/pbmc.hpp"
#include "model/program.hpp"

namespace cohort::frontend::pbmc {

// Throws InputError.
model::Program lower(const Program& program, const Options& options);

}  // namespace cohort::frontend::pbmc
