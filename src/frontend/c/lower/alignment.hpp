// What programs may learn from the numbers of addresses.
#pragma once

#include <string>
#include <vector>

#include "frontend/c/lower/points_to.hpp"

namespace cohort::frontend::c::lower {

// Makes nodes that look at more of an address than C promises ends that are not modelled.  Returns what is assumed
// where one computes with addresses in other ways, if one does.
std::vector<std::string> cut_looks_at_addresses(Flat& flat, const PointsTo& points_to);

}  // namespace cohort::frontend::c::lower
