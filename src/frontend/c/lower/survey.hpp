// What the emission of a program asks about all of it at once.
#pragma once

#include "frontend/c/lower/layout.hpp"
#include "frontend/c/lower/points_to.hpp"

namespace cohort::frontend::c::lower {

// Is the address of an object on a stack used as a value?
bool takes_stack_addresses(const Flat& flat);

// May something that is no pointer be stored where pointers are?
bool stores_into_pointers(const Flat& flat, const PointsTo& points_to, Layout& layout);

}  // namespace cohort::frontend::c::lower
