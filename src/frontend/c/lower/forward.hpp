// Temporaries that are used once disappear into their use.
#pragma once

#include "frontend/c/lower/flat.hpp"

namespace cohort::frontend::c::lower {

// `t := a; ...; b(t)` becomes `...; b(a)` where nothing in between can tell the difference.
void forward_temporaries(Flat& flat);

}  // namespace cohort::frontend::c::lower
