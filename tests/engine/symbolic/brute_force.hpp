// Every state that a program can reach, by the interpreter alone and up to the order of the threads: what all engines
// are compared with.
#pragma once

#include <deque>
#include <optional>
#include <unordered_set>

#include "model/interpreter.hpp"

namespace cohort::testing {

using StateSet = std::unordered_set<model::State, model::StateHash>;

struct BruteForce {
  StateSet reached;
  bool violated = false;
  bool complete = true;  // false: more states than the limit
};

inline BruteForce explore(const model::Program& program, std::uint32_t bound, std::size_t limit = 20000) {
  const model::Interpreter interpreter(program, bound);
  BruteForce result;
  std::deque<model::State> open;
  const auto visit = [&](const model::State& state) {
    model::State key = model::canonical(state);
    if (!result.reached.insert(key).second) return;
    result.violated = result.violated || interpreter.violated(key).has_value();
    open.push_back(std::move(key));
  };
  for (const model::State& state : interpreter.initial_states()) visit(state);
  while (!open.empty()) {
    if (result.reached.size() > limit) {
      result.complete = false;
      return result;
    }
    const model::State state = std::move(open.front());
    open.pop_front();
    for (const model::Transition& transition : interpreter.successors(state)) visit(transition.target);
  }
  return result;
}

}  // namespace cohort::testing
