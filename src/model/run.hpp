// An execution of a program: an initial state and the transitions taken from it, each with the state it leads to.
#pragma once

#include <vector>

#include "model/interpreter.hpp"

namespace cohort::model {

struct Run {
  State initial;
  std::vector<Transition> steps;

  const State& last() const { return steps.empty() ? initial : steps.back().target; }
};

}  // namespace cohort::model
