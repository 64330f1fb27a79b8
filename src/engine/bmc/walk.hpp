// Long executions found by walking at random: whoever wants to know that executions of some length exist need not ask
// the solver.
#pragma once

#include <cstdint>

#include "base/env.hpp"
#include "engine/engine.hpp"

namespace cohort::engine::bmc {

// True: there is an execution of this many steps.  False: none was found.
bool walks(Env& env, const Task& task, std::uint32_t steps);

}  // namespace cohort::engine::bmc
