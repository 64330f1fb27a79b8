// What the emission of a program asks about all of it at once.
#pragma once

#include "frontend/c/lower/layout.hpp"
#include "frontend/c/lower/points_to.hpp"

namespace cohort::frontend::c::lower {

// May something that is no pointer be stored where pointers are?
bool stores_into_pointers(const Flat& flat, const PointsTo& points_to, Layout& layout);

}  // namespace cohort::frontend::c::lower
