// A fixed number of threads over the image oracle: breadth-first search for a shortest abstract violation.
//
// A configuration is a shared state and the states of all threads.  A step of one thread takes every other thread along
// as the oracle says of the pair; a thread for which the oracle knows nothing blocks the step.  Configurations that
// differ only in the order of threads are visited once; the one that was met first stands for all, so that the threads
// of a path keep their numbers.
//
// Two readings of the number n.  As a bound (`exact`): no more than n threads exist, and creating one more does
// nothing, which is what the model says of a bound.  Else n threads are watched, and threads created beyond are taken
// to exist and never move.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "abstraction/oracle.hpp"
#include "base/env.hpp"
#include "engine/cegar/path.hpp"

namespace cohort::engine::cegar {

struct Configuration {
  abstraction::SharedState shared;
  std::vector<abstraction::ThreadState> threads;

  auto operator<=>(const Configuration&) const = default;
};

struct CountingOptions {
  std::uint32_t threads = 1;
  bool exact = false;
  std::size_t most_states = 20'000;
};

struct Counted {
  enum class Outcome : std::uint8_t {
    Safe,      // no violation with these threads
    Violated,  // `path` shows one
    TooMany,   // the limit on states was reached
    Stopped,
  };

  Outcome outcome = Outcome::Safe;
  Path path;
  std::vector<Configuration>
      configurations;  // along the path, from the start on; a step that goes wrong has none after
  std::size_t states = 0;
  bool created_beyond = false;  // some thread was created beyond the n
};

Counted count_threads(Env& env, abstraction::Oracle& oracle, const CountingOptions& options);

}  // namespace cohort::engine::cegar
