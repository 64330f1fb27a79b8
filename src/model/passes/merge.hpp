// Merging of steps that nobody else can tell apart: sequences of edges through an eliminated location become one edge.
#pragma once

#include <cstddef>

#include "base/env.hpp"
#include "model/program.hpp"

namespace cohort::model {

struct MergeOptions {
  // Merge through locations that are always inside an atomic section.  What is lost then, and only then, are states in
  // which a thread stands in the middle of a section: switch it off where such states are asked for.
  bool atomic_sections = true;
  // Merge steps that locks protect from interference, too.  This needs `atomic_sections`: what is lost is the same.
  bool locks = true;
  // Most actions that one edge may come to have.
  std::size_t max_actions = 64;
};

// May a thread wait inside of an atomic section, and keep all others from their steps?  Who gives up there does not
// matter: then there is no such execution.
bool may_wait_inside(const Program& program);

// The same program with fewer locations in use.  Ids of locations and variables do not change; an eliminated location
// has no edges left. Actions keep their origins.
// With `env`, throws Stopped at its limits.
Program merge_steps(Program program, const MergeOptions& options = {}, Env* env = nullptr);

}  // namespace cohort::model
