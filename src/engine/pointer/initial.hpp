// The initial states, enumerated by backtracking.  The initial condition is split into conjuncts, with quantifiers over
// all processes spelled out, and each is checked as soon as all cells that it reads are set.  A variable that the
// condition does not mention and that is inactive at the start takes its default value alone: states that differ in it
// only are bisimilar (engine/pointer/activity.hpp), so the lock whose queue nodes start with any contents has one
// initial state and not millions.
#pragma once

#include <functional>

#include "base/env.hpp"
#include "engine/pointer/activity.hpp"
#include "engine/pointer/compiled.hpp"

namespace cohort::engine::pointer {

// Calls visit(cells) for each until it returns false or the environment asks to stop; the states given are initial
// states of the program, none twice.  Throws InputError (unsupported) when there are too many to enumerate.
void for_each_initial(Env& env, Compiled& compiled, const Activity& activity,
                      const std::function<bool(const Cells&)>& visit);

}  // namespace cohort::engine::pointer
