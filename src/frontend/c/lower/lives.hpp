// Which objects on stacks may be used when their block or function has ended.
#pragma once

#include "frontend/c/lower/flat.hpp"

namespace cohort::frontend::c::lower {

// Takes away the flags of those objects that nobody can use when they live no more, and what sets them.
void drop_idle_flags(Flat& flat);

}  // namespace cohort::frontend::c::lower
