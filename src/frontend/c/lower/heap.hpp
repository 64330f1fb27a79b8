// Allocations as bounded pools of objects.
#pragma once

#include "frontend/c/lower/flat.hpp"

namespace cohort::frontend::c::lower {

// Replaces Allocate nodes by ordinary nodes over pools of objects, typed by what their addresses are used as.
void resolve_allocations(Flat& flat);

// The type with a gap behind it, for elements that are objects of their own: one past one is none of the next.
ir::TypeId padded(Flat& flat, ir::TypeId type);

}  // namespace cohort::frontend::c::lower
