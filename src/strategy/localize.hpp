// An engine over engines: proofs on a program with fewer variables, which are chosen by refinement.
#pragma once

#include <memory>

#include "engine/engine.hpp"

namespace cohort::strategy {

// Proves with `prover` on ever fewer hidden variables.  Where a task has no bound, violations are looked for with
// `searcher` and few threads first.  Both outlive the result, which has the name of `prover`.
std::unique_ptr<engine::Engine> localized(const engine::Engine& prover, const engine::Engine& searcher);

}  // namespace cohort::strategy
