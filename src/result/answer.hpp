// What Cohort answers about a program: an engine's result together with its scope.  The run, if there is one, is over
// the flat program that the input became, before any simplification, and has been replayed on it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "result/result.hpp"

namespace cohort::result {

struct Scope {
  std::optional<std::uint32_t> bound;  // threads alive at a time, as asked for; none: any number
};

// An engine that was at work, and what it said in the end or how far it came.
struct Attempt {
  std::string engine;
  std::string title;  // with the number of threads and the order of search
  double seconds = 0;
  std::string said;
};

struct Answer {
  Result result;
  Scope scope;
  std::string engine;                          // empty: none took the task
  bool simplified = false;                     // the engine saw a simpler program than the one that was given
  std::optional<std::uint32_t> established{};  // Unknown: no violation with so many threads, which nobody asked for
  std::vector<Attempt> attempts{};             // where several engines were at work
  std::string advice{};                        // Unknown: an option that would help
  std::string up_to;            // SAFE: of executions up to this undefined behaviour, which is reached; empty: of all
  bool checks_nothing = false;  // SAFE: there is nothing in the input that could be violated
  std::vector<std::string> remarks{};  // what else is to be said with the assumptions
  std::vector<std::string> raised{};   // bounds of the front end that had to be raised, with the places where
};

// The most threads that are alive at one time along the run.
std::size_t threads_needed(const model::Run& run);

}  // namespace cohort::result
