// Which engine answers, and for how many threads: the one place where Cohort decides for people who do not know the
// methods.
//
// A named engine is taken as it is.  `auto` takes the first engine of the registry that does not refuse the task,
// except that a program with much nondeterministic data goes to the symbolic engine rather than to the explicit one.
// When the user asked neither for a bound nor for any number of threads, a program that has a fixed number of threads
// is decided for these if an engine takes it so.  Else any number is tried first, as the stronger claim; where no
// engine takes it, the bound is default_bound, and the scope of the answer says so.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/engine.hpp"
#include "result/answer.hpp"

namespace cohort::verify {

inline constexpr std::uint32_t default_bound = 3;

// For commands that need a bound and were given none: the number of threads where the program has a fixed one, else
// default_bound.
std::uint32_t bound_by_default(const model::Program& program);

// How many threads the user asked for.
struct Threads {
  bool any_number = false;
  std::optional<std::uint32_t> bound;  // neither: as many as can be decided
};

struct Choice {
  const engine::Engine* engine = nullptr;  // none: every candidate refuses
  result::Scope scope;
  std::string refusal;  // without an engine: what each candidate says
};

// A candidate that took a task and found only while at work that it cannot do it.
struct PassedOver {
  const engine::Engine* engine = nullptr;
  bool bounded = false;
};

// `name`: an engine of the registry, or "auto".
Choice choose_engine(const std::string& name, const model::Program& program, const Threads& threads,
                     const engine::EngineOptions& options, const std::vector<PassedOver>& passed_over = {});

}  // namespace cohort::verify
