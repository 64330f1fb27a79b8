// Nondeterministic numbers that need not be enumerated in full.
#pragma once

#include "frontend/c/lower/flat.hpp"

namespace cohort::frontend::c::lower {

// Gives Nondet terms of wide types the values that make a difference, where that is known (Term::choices).
void narrow_choices(Flat& flat);

}  // namespace cohort::frontend::c::lower
