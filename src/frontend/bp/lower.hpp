// From the resolved syntax tree to the model.
//
// Each procedure becomes a template with one location for each statement that makes a step, and one for its end.  Every
// step is an edge of exactly one action, so interleaving is by statement:
//  - `goto`, `if` and `while` are one step for each decision; `elsif` decides in a step of its own;
//  - `decl` and `enforce` make no step: their labels belong to what follows;
//  - `assert E` leads on under E and to an error location of its own under !E, where each `*` is chosen anew;
//  - `enforce E` is conjoined to the guard of every statement of its procedure, with its `*` chosen anew at each;
//  - the end of a procedure is a return (with nondeterministic results where it has any), which is no statement and
//  hence not
//    subject to `enforce`.
// Edges whose guard is constantly false are left out.
//
// A thread_local variable is a local of every template, handed to each callee as an additional argument and taken back
// as an additional result, so that all procedures on a thread's stack see one variable and the model needs no third
// kind.
#pragma once

#include "frontend/bp/ast.hpp"
#include "frontend/bp/bp.hpp"
#include "model/program.hpp"

namespace cohort::frontend::bp {

// `program` is resolved.  Throws InputError when an error label of the options stands nowhere.
model::Program lower(const Program& program, const Options& options);

}  // namespace cohort::frontend::bp
