// An independent, deliberately simple meaning of programs with procedures: each thread keeps a stack of frames.  The
// oracle for inlining. It takes Boolean programs without passive variables, moves, takes and thread references.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "model/program.hpp"
#include "model/state.hpp"

namespace cohort::test {

// What can be seen of a thread both here and in the flat program.
struct ThreadView {
  std::string procedure;
  std::string label;
  bool atomic = false;
  model::Valuation frame;  // locals of the running procedure
  model::Valuation root;   // locals of the thread's first procedure

  auto operator<=>(const ThreadView&) const = default;
};

struct StateView {
  model::Valuation shared;
  std::multiset<ThreadView> threads;

  auto operator<=>(const StateView&) const = default;
};

struct StackExploration {
  std::set<StateView> states;
  bool complete = true;
};

// A procedure that waits `recursion` times and once more for calls of itself is not called again.
StackExploration explore_with_stacks(const model::Program& program, std::uint32_t bound, std::size_t max_states,
                                     std::size_t recursion = SIZE_MAX);

// The same view of a state of the inlined program.
StateView view_of(const model::Program& flat, const model::State& state);

}  // namespace cohort::test
