#include "support/explore.hpp"

#include <deque>
#include <utility>

namespace cohort::test {

using namespace model;

Exploration explore(const Program& program, std::uint32_t bound, std::size_t max_states) {
  const Interpreter interpreter(program, bound);
  Exploration result;
  std::deque<State> queue;
  const auto reach = [&](State state) {
    state = canonical(std::move(state));
    if (!result.states.insert(state).second) return;
    for (const auto& thread : state.threads) {
      const auto& error = program.templ(thread->templ).locations[thread->location.value].error;
      if (error) result.violated.insert(*error);
    }
    if (const auto property = interpreter.violated(state)) result.violated.insert(*property);
    queue.push_back(std::move(state));
  };
  for (State& state : interpreter.initial_states()) reach(std::move(state));
  while (!queue.empty()) {
    if (result.states.size() > max_states) {
      result.complete = false;
      return result;
    }
    const State state = std::move(queue.front());
    queue.pop_front();
    for (Transition& step : interpreter.successors(state)) {
      if (step.fault) {
        result.faults.insert(*step.fault);
      } else {
        reach(std::move(step.target));
      }
    }
  }
  return result;
}

}  // namespace cohort::test
