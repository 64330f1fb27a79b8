// What a Boolean program must satisfy beyond its grammar, and what its names stand for.  Every violation is an
// InputError at the place of the offending name.
//
// Names: a procedure's locals (parameters and every `decl` in it, whose scope runs from the declaration to the end of
// the procedure) hide shared variables.  A name that is declared is that variable even when it ends in `$`; otherwise
// `x$` is the passive instance of the local x.  Procedures, labels and variables do not share a name space; labels
// belong to their procedure.
//
// Calls must form no cycle, since they are inlined.  Passive instances are refused in procedures that are called,
// because there "the x of every other thread" would speak of threads that do not stand in this procedure.
#pragma once

#include "frontend/bp/ast.hpp"

namespace cohort::frontend::bp {

// Fills in every Reference, every index of a procedure, and the locals and enforced conditions of the procedures.
void resolve(Program& program);

}  // namespace cohort::frontend::bp
