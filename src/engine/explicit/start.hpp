// What the start of a program says about how far a bounded search reaches.
#pragma once

#include <algorithm>

#include "model/program.hpp"

namespace cohort::engine::explicit_ {

// Is there a group of any number of threads at the start?  Then a search with a bound says nothing of more threads.
inline bool opens_with_any_number(const model::Program& program) {
  return std::any_of(program.initial.begin(), program.initial.end(),
                     [](const model::InitialThreads& group) { return !group.count.has_value(); });
}

}  // namespace cohort::engine::explicit_
