// A solution of the marking equation says how often transitions fire, and not in which order.  Often any order does, as
// long as nobody takes what others still wait for: see plan.cpp.
#pragma once

#include <cstdint>
#include <vector>

#include "base/env.hpp"
#include "engine/unbounded/net.hpp"
#include "engine/unbounded/relaxed_distance.hpp"

namespace cohort::engine::unbounded {

// Fires what the solution fires, from `here` on, until nothing of it is left or can fire, or so many have fired.
// Changes `here` to where that leads, and returns what has fired.  Not for nets with broadcasts.
std::vector<TransitionId> follow_plan(Env& env, const Net& net, const std::vector<RelaxedDistance::Share>& shares,
                                      Configuration& here, std::uint64_t most_steps);

}  // namespace cohort::engine::unbounded
