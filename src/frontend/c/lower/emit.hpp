// From flat bodies to templates of the model.
#pragma once

#include <set>
#include <string>

#include "frontend/c/lower/sharing.hpp"
#include "model/program.hpp"

namespace cohort::frontend::c::lower {

model::Program emit(Flat& flat, const PointsTo& points_to, const Sharing& sharing, Layout& layout,
                    std::set<GroupId> flagged, const std::string& name);

}  // namespace cohort::frontend::c::lower
