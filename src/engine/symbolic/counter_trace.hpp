// From a violating symbolic state back to an initial one, over concrete states (BOOM section 6.3).
//
// A concrete state of the last symbolic state is chosen; then, node by node, one of the node's origins has a
// predecessor of it: the thread that moved gets values from the preimage of the edge, and the other threads are dealt
// out to the cells of the node before.  Merging may have joined several origins; at least one fits, since every
// represented state was made by one of them.
#pragma once

#include "engine/symbolic/counter_search.hpp"
#include "model/run.hpp"

namespace cohort::engine::symbolic {

model::Run counter_trace(const model::Program& program, CounterSearch& search, const CounterSearch::Found& found);

}  // namespace cohort::engine::symbolic
