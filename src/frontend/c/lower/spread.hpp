// Automatic objects whose address goes to other threads, in routines that many threads run.
#pragma once

#include <cstdint>
#include <set>

#include "frontend/c/lower/flat.hpp"

namespace cohort::frontend::c::lower {

// Makes each of the objects a static array with an element for each of `threads` numbers of threads.  Every body has
// its thread's number.
void spread_objects(Flat& flat, const std::set<InstId>& objects, std::uint64_t threads);

}  // namespace cohort::frontend::c::lower
