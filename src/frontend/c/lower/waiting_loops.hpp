// Loops in which a thread waits: they change nothing, and only what others do leads out of them.
#pragma once

#include "frontend/c/lower/flat.hpp"

namespace cohort::frontend::c::lower {

// Marks the nodes of such loops.  That a thread stays in one for ever is a deadlock.  Before anything is folded: a flag
// that nobody sets is a constant.
void mark_waiting_loops(Flat& flat);

}  // namespace cohort::frontend::c::lower
