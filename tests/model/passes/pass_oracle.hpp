// Judges passes by brute force: what must be the same before and after each, on all reachable states.  Each comparison
// returns what differs, or nothing.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "model/passes/liveness.hpp"
#include "model/passes/relevance.hpp"
#include "model/program.hpp"
#include "support/explore.hpp"
#include "support/random_program.hpp"

namespace cohort::test {

using Difference = std::optional<std::string>;

inline RandomProgramOptions options_for(std::uint64_t seed) {
  RandomProgramOptions options;
  options.max_shared = 2;
  options.max_locations = 5;
  options.broadcasts = seed % 2 == 1;
  options.foreign = seed % 4 == 1;
  options.ties = seed % 8 == 1;
  options.moves = seed % 3 == 1;
  options.takes = seed % 5 == 1;
  options.numbers = seed % 7 == 1;
  options.cover = seed % 11 == 1;
  options.any_number = seed % 13 == 1;
  return options;
}

// What two programs must agree on; everything by default.
struct Agreement {
  model::LiveLocals live;
  model::RelevantVariables relevant;

  explicit Agreement(const model::Program& program)
      : live(model::LiveLocals::everything(program)), relevant(model::RelevantVariables::everything(program)) {}
  Agreement(model::LiveLocals on_live, model::RelevantVariables on_relevant)
      : live(std::move(on_live)), relevant(std::move(on_relevant)) {}
};

// The state with 0 for all that need not agree.
inline model::State essence(const model::Program& program, const Agreement& on, model::State state) {
  const auto clear = [](const model::Variable& variable, model::Valuation& values) {
    std::fill_n(values.begin() + variable.slot, variable.type.slots(), 0);
  };
  for (std::size_t var = 0; var < program.shared.size(); ++var) {
    if (!on.relevant.shared(model::VarId(var))) clear(program.shared[var], state.shared);
  }
  for (auto& thread : state.threads) {
    if (!thread) continue;
    const model::Template& templ = program.templ(thread->templ);
    for (std::size_t var = 0; var < templ.locals.size(); ++var) {
      const bool matters = on.relevant.local(thread->templ, model::VarId(var)) &&
                           on.live.live(thread->templ, thread->location, model::VarId(var));
      if (!matters) clear(templ.locals[var], thread->locals);
    }
  }
  return model::canonical(std::move(state));
}

// Locations that had outgoing edges and have none any more.
class Eliminated {
 public:
  Eliminated(const model::Program& before, const model::Program& after) {
    for (std::size_t i = 0; i < before.templates.size(); ++i) {
      auto& gone = gone_.emplace_back(before.templates[i].locations.size(), false);
      for (const model::Edge& edge : before.templates[i].edges) gone[edge.source.value] = true;
      for (const model::Edge& edge : after.templates[i].edges) gone[edge.source.value] = false;
    }
  }

  bool contains(const model::ThreadState& thread) const { return gone_[thread.templ.value][thread.location.value]; }
  bool touches(const model::State& state) const {
    return std::any_of(state.threads.begin(), state.threads.end(),
                       [&](const auto& thread) { return thread && contains(*thread); });
  }
  std::size_t count() const {
    std::size_t result = 0;
    for (const auto& gone : gone_) result += static_cast<std::size_t>(std::count(gone.begin(), gone.end(), true));
    return result;
  }

 private:
  std::vector<std::vector<bool>> gone_;
};

inline std::set<model::State> project(const model::Program& program, const Agreement& on, const Eliminated& eliminated,
                                      const std::set<model::State>& states) {
  std::set<model::State> result;
  for (const model::State& state : states) {
    if (!eliminated.touches(state)) result.insert(essence(program, on, state));
  }
  return result;
}

using ThreadStates = std::set<std::pair<model::Valuation, model::ThreadState>>;

inline ThreadStates thread_states(const Eliminated& eliminated, const std::set<model::State>& states) {
  ThreadStates result;
  for (const model::State& state : states) {
    for (const auto& thread : state.threads) {
      if (thread && !eliminated.contains(*thread)) result.emplace(state.shared, *thread);
    }
  }
  return result;
}

struct Comparison {
  bool thread_states = false;  // also each thread state on its own, wherever the other threads stand
};

// Outside `on` the two programs need not agree.
inline Difference compare(const model::Program& before, const model::Program& after, const Agreement& on,
                          std::uint32_t bound, std::size_t max_states, std::size_t& compared,
                          const Comparison& wanted = {}) {
  const Exploration expected = explore(before, bound, max_states);
  if (!expected.complete) return std::nullopt;
  const Exploration actual = explore(after, bound, max_states);
  if (!actual.complete) return "more states than before";
  ++compared;
  const Eliminated eliminated(before, after);
  if (actual.violated != expected.violated) return "other properties are violated";
  if (actual.faults != expected.faults) return "other faults happen";
  if (project(before, on, eliminated, actual.states) != project(before, on, eliminated, expected.states))
    return "other states are reached";
  if (!wanted.thread_states) return std::nullopt;
  if (thread_states(eliminated, actual.states) != thread_states(eliminated, expected.states))
    return "other thread states are reached";
  return std::nullopt;
}

}  // namespace cohort::test
