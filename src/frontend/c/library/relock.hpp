// A thread that locks a mutex it holds.
#pragma once

#include "frontend/c/ir/unit.hpp"

namespace cohort::frontend::c::library {

// POSIX and C11 leave open what happens when a thread locks a plain mutex again that it holds.  Here it waits for ever,
// as on most machines, but to call what lies behind safe would be to rely on that.  So calls that cannot be anything
// else are marked as not modelled.  For programs whose mutexes are all plain, where nobody asks for deadlocks or for
// misuse of locks, which have a name for it.
void cut_relocks(ir::Unit& unit);

}  // namespace cohort::frontend::c::library
