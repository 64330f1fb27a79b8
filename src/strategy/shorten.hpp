// Runs that are easier to read: without threads and rounds of loops that do not matter, with fewer changes from one
// thread to another, statements in one piece where that is possible, and the simplest values of choices, also where
// that spares the run threads and rounds.
//
// Every change is tried on the interpreter, and kept if the run still ends in the same violation: unlike untangling
// (strategy/untangle.hpp), it may lead through other states.  A run never gets longer.  The number of steps that are
// tried is bounded, however long the run is.
#pragma once

#include <cstdint>
#include <optional>

#include "base/env.hpp"
#include "model/run.hpp"

namespace cohort::strategy {

// `property` is what the end of the run violates; none: its last step faults.  What has been reached when a limit is
// there is given back.
model::Run shortened(Env& env, const model::Program& program, std::optional<std::uint32_t> bound, model::Run run,
                     std::optional<model::PropertyId> property);

}  // namespace cohort::strategy
