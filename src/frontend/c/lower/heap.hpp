// Allocations as bounded pools of objects.
#pragma once

#include "frontend/c/lower/flat.hpp"

namespace cohort::frontend::c::lower {

// Replaces Allocate nodes by ordinary nodes over pools of objects, typed by what their addresses are used as.
void resolve_allocations(Flat& flat);

}  // namespace cohort::frontend::c::lower
