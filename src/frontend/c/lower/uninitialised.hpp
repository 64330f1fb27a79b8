// Which variables may be read before they were written.
#pragma once

#include <set>

#include "frontend/c/lower/sharing.hpp"

namespace cohort::frontend::c::lower {

// Groups that begin with any value and may be read so.  Each gets a flag that says whether it has been written; a read
// that finds it unset chooses the value then, and not before: memory that is never read costs nothing, and nothing is
// enumerated in advance.
std::set<GroupId> read_uninitialised(const Flat& flat, const PointsTo& points_to, const Sharing& sharing,
                                     Layout& layout);

}  // namespace cohort::frontend::c::lower
