// The threads that exist at the start, one by one, for a given bound.
#pragma once

#include <cstdint>
#include <vector>

#include "model/program.hpp"

namespace cohort::convert {

struct StartedThread {
  model::TemplateId templ;
  model::LocId location;
};

struct Start {
  std::vector<StartedThread> threads;
  std::size_t groups = 0;  // how many groups have at least one thread
};

// Refuses by name what has no single answer: two groups of any number, no thread at all, or more threads than the
// bound.
Start plan_start(const model::Program& program, std::uint32_t threads);

}  // namespace cohort::convert
