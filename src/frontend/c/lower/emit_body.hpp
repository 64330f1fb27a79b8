// What each kind of node becomes: edges of the template of its body.
#pragma once

#include <vector>

#include "frontend/c/lower/access_steps.hpp"

namespace cohort::frontend::c::lower {

// `locations`: of the nodes of this body; `entries`: where threads that run each of the bodies start.
void emit_body(const Emission& emission, BodyId id, const std::vector<model::LocId>& locations,
               const std::vector<model::LocId>& entries);

}  // namespace cohort::frontend::c::lower
