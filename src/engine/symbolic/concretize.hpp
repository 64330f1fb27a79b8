// From decision diagrams to concrete states and back, and the last step of every counterexample: a run on the
// interpreter that passes through given states.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/symbolic/encoding.hpp"
#include "model/run.hpp"

namespace cohort::engine::symbolic {

// The copies Before with these values.
dd::Assignment shared_literals(const Encoding& encoding, const model::Valuation& values);
dd::Assignment local_literals(const Encoding& encoding, const model::Valuation& values);
dd::Assignment child_literals(const Encoding& encoding, std::size_t number, const model::Valuation& values);

// One element of a set over shared variables, or over `slots` locals.
model::Valuation pick_shared(const Encoding& encoding, const dd::Bdd& set);
model::Valuation pick_local(const Encoding& encoding, const dd::Bdd& set, std::uint32_t slots);

// The run that starts in states[0], takes edges[i] from states[i] to states[i + 1], and leaves open which of several
// threads in the same local state moves.  Such a run must exist.
model::Run run_through(const model::Program& program, std::uint32_t bound, const std::vector<model::State>& states,
                       const std::vector<model::EdgeRef>& edges);

}  // namespace cohort::engine::symbolic
