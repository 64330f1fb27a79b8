// The plan that `auto` follows: one table, in plan.cpp.  A row says which engine looks at the program, with how many
// threads, for which share of the time, under which condition, and why.  A row takes part when its engine does not
// refuse the program; engines that no row names take part with a row of their own, so that nobody is forgotten.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/engine.hpp"
#include "strategy/localize.hpp"
#include "strategy/question.hpp"

namespace cohort::strategy {

// How many threads a row looks at.  Question: those that are asked for, or all that the program can have.  The others
// look for violations where that is any number: what they find safe is no answer, but worth saying.
enum class Scope : std::uint8_t { Question, Few, Several, Many };

// What conditions look at: the program, and the question.
struct Features {
  bool numbers = false;       // integers of 8 bits or more
  bool open_data = false;     // so many choices that sets of states are better than single ones
  bool any_number = false;    // of threads are asked about
  bool wide_choices = false;  // choices of more values than anybody enumerates
};

struct Row {
  std::string_view engine;
  Scope scope = Scope::Question;
  double share = 1;  // of the time, relative to the other rows that take part
  std::optional<engine::SearchOrder> order{};
  std::optional<Start> localized{};              // with variables hidden: strategy/localize.hpp
  bool (*condition)(const Features&) = nullptr;  // none: always
  std::string_view why;
};

std::span<const Row> rows();

// A row that takes part.
struct Job {
  const engine::Engine* engine = nullptr;
  std::shared_ptr<const engine::Engine> owned;  // `engine`, where it is not one of the registry
  std::optional<std::uint32_t> bound;
  bool complete = false;  // no execution has more threads than the bound
  double share = 1;
  bool endless = false;  // it never ends by itself
  engine::EngineOptions options;
  std::optional<std::size_t> part{};        // of the question (strategy/parts.hpp); none: the whole
  const model::Program* program = nullptr;  // of that part
  std::string about{};                      // the name of that part

  // "explicit, 3 threads, deviations".
  std::string title() const;
};

struct Plan {
  std::vector<Job> jobs;
  std::string refusals;  // what the engines say that do not take part
};

Plan make_plan(const model::Program& program, const Threads& threads, const engine::EngineOptions& options);

// The job of a named engine: for the threads that are asked for, or as many as the program can have, or any number,
// or default_bound, whichever it takes first.  No engine: it takes none of these, and `refusals` says why.
Plan make_plan_of(const engine::Engine& engine, const model::Program& program, const Threads& threads,
                  const engine::EngineOptions& options);

}  // namespace cohort::strategy
