// Addresses come back: what malloc returns is a new object or, as allocators do it, one that was freed.
#pragma once

#include "frontend/c/lower/flat.hpp"

namespace cohort::frontend::c::lower {

// Lets allocations hand out freed objects of the same type again, as far as somebody can tell the difference.  After
// resolve_allocations.
void allow_reuse(Flat& flat);

}  // namespace cohort::frontend::c::lower
