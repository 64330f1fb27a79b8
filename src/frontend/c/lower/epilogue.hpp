// The last part of main that nobody else can observe.
#pragma once

#include "frontend/c/lower/inline.hpp"

namespace cohort::frontend::c::lower {

// Lets main end the process where all that it would still do is look, wait and compute for itself, and forgets the
// parts of the table that nothing looks at any more.
void drop_epilogue(Flat& flat, ThreadTable& table);

}  // namespace cohort::frontend::c::lower
