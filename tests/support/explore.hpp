// Brute force over the interpreter: every reachable state, breadth first, up to a permutation of the threads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>

#include "model/interpreter.hpp"

namespace cohort::test {

struct Exploration {
  std::set<model::State> states;         // canonical
  std::set<model::PropertyId> violated;  // by states; faults are counted apart
  std::set<model::FaultKind> faults;
  std::optional<std::size_t> shortest_violation;  // the fewest steps to a violation or fault
  bool complete = true;                           // false: more than `max_states` states
};

// Goes on past violations, so that `states` is the whole reachable set.
Exploration explore(const model::Program& program, std::uint32_t bound, std::size_t max_states = 20'000);

}  // namespace cohort::test
