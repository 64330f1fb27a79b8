// A path of an abstract program: who takes which command, with threads told apart.  It is a violation of the abstract
// program; whether the program itself has such a run is for simulate.hpp to say.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "model/program.hpp"

namespace cohort::engine::cegar {

struct PathStep {
  std::size_t thread = 0;
  std::uint32_t command = 0;
  // The threads that the command creates; none: one that never moves.
  std::vector<std::optional<std::size_t>> children;
};

struct Path {
  // By thread: the group of initial threads that it belongs to; none: it is created along the path.
  std::vector<std::optional<std::size_t>> groups;
  std::vector<PathStep> steps;
  // What is wrong at the end: the last step goes wrong itself, this condition holds, or (neither) the thread of the
  // last step is at an error location.
  bool ends_in_trouble = false;
  std::optional<model::ExprId> condition;
  std::optional<model::PropertyId> property;
};

}  // namespace cohort::engine::cegar
