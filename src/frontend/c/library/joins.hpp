// Which programs need to know of each thread whether it can still be joined.
#pragma once

#include "frontend/c/ir/unit.hpp"

namespace cohort::frontend::c::library {

// May the unit join a thread that has been detached, or, which only who looks for faults is told, one a second time?
bool may_join_in_vain(const ir::Unit& unit, bool looks_for_faults);

}  // namespace cohort::frontend::c::library
