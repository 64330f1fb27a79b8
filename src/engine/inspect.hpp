// What the engines for algorithms with pointers find out about a program before they search it: where local variables
// can still matter, which permutations of the processes are admissible, and which states are one state to them (RED
// paper, sections 5 to 7).  Implemented by engine/pointer.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/env.hpp"
#include "model/program.hpp"
#include "model/state.hpp"

namespace cohort::engine {

struct Inspection {
  // By local variable: the modes where it is active, each with the condition in words (empty: always).
  struct Active {
    std::string variable;
    std::vector<std::pair<std::string, std::string>> modes;
  };
  std::vector<Active> active;

  // Processes from 1, in classes within which every permutation is admissible.
  std::vector<std::vector<std::uint32_t>> classes;
  // Where there are more than those: all of them, as what processes 1, 2, ... become.
  std::vector<std::vector<std::uint32_t>> permutations;

  // The representatives of the states within so many steps, and how many of those states each stands for.
  struct Representative {
    model::State state;
    std::uint64_t states = 0;
  };
  std::vector<Representative> representatives;
  std::string stopped;  // why they are not all; empty: they are
};

// Why the program has no such things; none: it has.
std::optional<std::string> inspection_refuses(const model::Program& program);

Inspection inspect(Env& env, const model::Program& program, std::uint32_t steps);

}  // namespace cohort::engine
