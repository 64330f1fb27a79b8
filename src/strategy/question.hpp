// What is asked of a program: how many threads, which engine, with which options.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/engine.hpp"

namespace cohort::strategy {

// How many threads the user asked for.
struct Threads {
  bool any_number = false;
  std::optional<std::uint32_t> bound;  // neither: as many as the program can have
};

struct Options {
  std::string engine = "auto";
  Threads threads;
  engine::EngineOptions engine_options;
  // Engines get the simplified program.  A certificate speaks of the flat one, so that its checker needs to trust no
  // pass.
  bool simplify = true;
  // Engines at work at a time, 0: as many as there are processors; of a named engine, threads that divide its search.
  std::uint32_t jobs = 0;
  // Options of bounds that somebody raises where an execution exceeds them.  Until then, violations below them are
  // looked for only as long as it took to find that out.
  std::vector<std::string> growing{};
};

// Where a search needs a bound and nothing says which, it begins with this.
inline constexpr std::uint32_t default_bound = 3;

// The bound that an answer speaks of: the one asked for, or the number of threads of a program that has a fixed one;
// none: any number.
std::optional<std::uint32_t> bound_of_answer(const model::Program& program, const Threads& threads);

// The engine whose certificates list all that can be reached with as many threads: `explicit`, or `pointer` where it
// does not take the program and pointer does.
std::string_view closed_set_engine(const model::Program& program, std::optional<std::uint32_t> bound);

// For commands that need a bound and were given none: the number of threads where the program has a fixed one, else
// default_bound.
std::uint32_t bound_by_default(const model::Program& program);

}  // namespace cohort::strategy
