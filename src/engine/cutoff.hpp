// Reachability cutoffs (STAR paper, chapter 4): how many threads suffice to reach every thread state that any number of
// threads reaches?
// Implemented by engine/unbounded.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/env.hpp"
#include "model/program.hpp"
#include "model/state.hpp"

namespace cohort::engine {

struct Cutoff {
  // What keeps it from being computed; empty: the rest is valid.
  std::string unknown;
  std::uint32_t threads = 0;
  std::uint64_t thread_states = 0;  // reachable with any number of threads
  // A thread state that fewer threads do not reach (or not as soon, for the uniform cutoff).
  model::Valuation witness_shared;
  model::ThreadState witness;
  std::uint32_t depth = 0;  // uniform: the number of steps to the thread state farthest away
};

// The fewest threads alive at a time that reach every reachable thread state.
Cutoff reachability_cutoff(Env& env, const model::Program& program);
// The fewest threads alive at a time that reach every reachable thread state in as few steps as any number of threads
// does (section 4.1).
Cutoff uniform_cutoff(Env& env, const model::Program& program);

// Why the program has no (uniform) cutoff that can be computed; none: it can be tried.
std::optional<std::string> cutoff_refuses(const model::Program& program, bool uniform = false);

}  // namespace cohort::engine
