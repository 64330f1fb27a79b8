// Nondeterministic numbers that need not be enumerated in full.
#pragma once

#include <set>

#include "frontend/c/lower/flat.hpp"

namespace cohort::frontend::c::lower {

// Gives Nondet terms of wide types the values that make a difference, where that is known (Term::choices).  So it does
// with the initial values of the automatic objects in `unwritten`, which may be read before they are written.
void narrow_choices(Flat& flat, const std::set<InstId>& unwritten);

}  // namespace cohort::frontend::c::lower
