// When a state is a deadlock: some thread is alive, every one is where it waits, and none can move.
#pragma once

#include "engine/bmc/unrolling.hpp"
#include "smt/context.hpp"

namespace cohort::engine::bmc {

// The condition for the last state of the unrolling.  Throws InputError (unsupported) where a step that waits may fall
// in too many ways to look at each.
smt::Term is_deadlock(Unrolling& unrolling, smt::Translator& translator, smt::Solver& solver);

}  // namespace cohort::engine::bmc
