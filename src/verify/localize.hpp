// Proofs on a program with fewer variables, which are chosen by refinement.
#pragma once

#include <cstdint>
#include <optional>

#include "base/env.hpp"
#include "engine/engine.hpp"
#include "model/program.hpp"
#include "result/answer.hpp"

namespace cohort::verify {

// With `engine` on ever fewer hidden variables; `bound` as in engine::Task.  The scope of the answer is what its run
// needs: without a bound, violations are looked for with few threads first.
result::Answer localize(Env& env, const model::Program& program, const engine::Engine& engine,
                        std::optional<std::uint32_t> bound, const engine::EngineOptions& options);

}  // namespace cohort::verify
