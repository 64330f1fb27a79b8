// All passes on a flat program in the order that serves the engines, and the way back for their runs.
#pragma once

#include <cstdint>
#include <optional>

#include "model/passes/liveness.hpp"
#include "model/passes/relevance.hpp"
#include "model/program.hpp"
#include "model/run.hpp"

namespace cohort::model {

struct SimplifyOptions {
  bool merge = true;
  // Merge inside atomic sections too; off where states in the middle of a section matter (see model/passes/merge.hpp).
  bool merge_atomic_sections = true;
  bool reset_dead = true;
  // Fix variables that influence nothing; off where their values are asked for.
  bool fix_irrelevant = true;
};

struct Simplified {
  // Locations and variables have their ids of the flat program; the origin of an action is its edge there.
  Program program;
  // Outside these, its runs and the flat program's need not agree.
  LiveLocals live;
  RelevantVariables relevant;
};

// With `env`, throws Stopped at its limits, as does lift().
Simplified simplify(const Program& flat, const SimplifyOptions& options = {}, Env* env = nullptr);

// A run of `flat` that takes the steps of `run`, a run of the simplified program, in the same order: each edge as the
// edges it was made of.  Both agree on relevant shared variables, locations and relevant live locals after each step of
// `run`. Throws InternalError if there is none.
Run lift(const Program& flat, std::optional<std::uint32_t> bound, const Simplified& simplified, const Run& run,
         Env* env = nullptr);

}  // namespace cohort::model
