// What Cohort answers about a program: an engine's result together with its scope.  The run, if there is one, is over
// the flat program that the input became, before any simplification, and has been replayed on it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "result/result.hpp"

namespace cohort::result {

struct Scope {
  std::optional<std::uint32_t> bound;  // threads alive at a time; none: any number
  bool by_default = false;             // nobody asked for this bound: no engine takes any number of threads here
};

struct Answer {
  Result result;
  Scope scope;
  std::string engine;       // empty: none took the task
  bool simplified = false;  // the engine saw a simpler program than the one that was given
};

// The most threads that are alive at one time along the run.
std::size_t threads_needed(const model::Run& run);

}  // namespace cohort::result
