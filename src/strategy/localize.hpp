// An engine over engines: proofs on a program with fewer variables, which are chosen by refinement.
#pragma once

#include <cstdint>
#include <memory>

#include "engine/engine.hpp"

namespace cohort::strategy {

// What is hidden at first.  Everything: as the control flow alone is often enough.  Unknown: only what is computed from
// choices that nobody can enumerate (the time, random numbers, input), on which locks and counters seldom depend.
enum class Start : std::uint8_t { Everything, Unknown };

// Proves with `prover` on ever fewer hidden variables.  Where a task has no bound, violations are looked for with
// `searcher` and few threads first.  Both outlive the result, which has the name of `prover`.
std::unique_ptr<engine::Engine> localized(const engine::Engine& prover, const engine::Engine& searcher,
                                          Start start = Start::Everything);

}  // namespace cohort::strategy
