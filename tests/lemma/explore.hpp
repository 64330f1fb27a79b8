// Exhaustive search with few threads, as the measure of what is proved for any number.
#pragma once

#include <cstdint>
#include <deque>
#include <set>

#include "model/interpreter.hpp"

namespace cohort::lemma {

inline constexpr std::size_t most_alive = 4;
inline constexpr std::size_t most_states = 1500;

struct Reachable {
  std::set<model::State> states;
  bool violated = false;
  bool complete = true;
};

// Every number of threads at the start up to the most, and no creation beyond it.
inline Reachable explore(const model::Program& program) {
  using namespace model;
  Reachable result;
  const Interpreter interpreter(program, std::nullopt);
  std::deque<State> queue;
  const auto reach = [&](State state) {
    if (state.alive() > most_alive) return;
    state = canonical(std::move(state));
    if (!result.states.insert(state).second) return;
    result.violated = result.violated || interpreter.violated(state).has_value();
    queue.push_back(std::move(state));
  };
  for (std::uint32_t bound = 1; bound <= most_alive; ++bound) {
    try {
      for (State& state : Interpreter(program, bound).initial_states()) reach(std::move(state));
    } catch (const InputError&) {
      continue;  // the groups with a count alone are more
    }
  }
  while (!queue.empty() && result.complete) {
    const State state = std::move(queue.front());
    queue.pop_front();
    for (Transition& step : interpreter.successors(state)) {
      result.violated = result.violated || step.fault.has_value();
      if (!step.fault) reach(std::move(step.target));
    }
    result.complete = result.states.size() < most_states;
  }
  return result;
}

}  // namespace cohort::lemma
