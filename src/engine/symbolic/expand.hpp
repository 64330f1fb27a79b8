// The concrete states that a finished search represents, one by one, up to the order of the threads.  For checks; there
// may be very many.
#pragma once

#include <vector>

#include "engine/symbolic/counter_search.hpp"
#include "model/state.hpp"

namespace cohort::engine::symbolic {

std::vector<model::State> expand(const model::Program& program, CounterSearch& search);

}  // namespace cohort::engine::symbolic
