// The projections of a program's executions on variables (PBMC paper, figure 1): what of an execution influences the
// values that these end with.  Implemented by engine/bmc.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/env.hpp"
#include "engine/engine.hpp"
#include "model/run.hpp"

namespace cohort::engine {

struct ProjectionQuery {
  std::vector<model::VarId> variables;  // shared
  std::uint32_t depth = 0;              // of executions with at most so many steps
  std::size_t most = 0;                 // stop after so many
};

struct Projections {
  // Why there may be others; empty: these are all.
  std::string others;
  std::vector<model::Run> runs;  // each an execution by itself
};

// One of each set of projections that differ only in the order of independent steps, and in which of several
// interchangeable threads did what; not the empty one.
// Why they cannot be listed; none: they can.
std::optional<std::string> projections_refuse(const Task& task);

Projections list_projections(Env& env, const Task& task, const ProjectionQuery& query);

}  // namespace cohort::engine
