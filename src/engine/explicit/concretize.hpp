// From a path of stored states to a run of the interpreter with concrete threads: the permutation that counting threw
// away is chosen once at the start and then kept, so that every thread has one identity along the whole run.
#pragma once

#include <vector>

#include "engine/explicit/counter_space.hpp"
#include "engine/explicit/plain_space.hpp"
#include "engine/explicit/search.hpp"
#include "engine/state_store.hpp"
#include "model/run.hpp"

namespace cohort::engine::explicit_ {

model::Run concretize(model::ThreadSystem& system, CounterSpace& space, const StateStore& store,
                      const SearchOutcome& outcome);
model::Run concretize(model::ThreadSystem& system, PlainSpace& space, const StateStore& store,
                      const SearchOutcome& outcome);

}  // namespace cohort::engine::explicit_
