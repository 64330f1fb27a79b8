#include "support/explore.hpp"

#include <deque>
#include <utility>
#include <vector>

namespace cohort::test {

using namespace model;

namespace {

// The interpreter names the first property that a state violates.  To see every Cover, Condition and Deadlock property,
// each gets an interpreter of a program in which nothing else is violated.
std::vector<std::pair<PropertyId, Program>> state_properties(const Program& program) {
  std::vector<std::pair<PropertyId, Program>> results;
  for (std::size_t i = 0; i < program.properties.size(); ++i) {
    const Property::Kind kind = program.properties[i].kind;
    if (kind != Property::Kind::Cover && kind != Property::Kind::Condition && kind != Property::Kind::Deadlock) {
      continue;
    }
    Program alone = program;
    alone.properties = {program.properties[i]};
    for (Template& templ : alone.templates) {
      for (Location& location : templ.locations) location.error.reset();
    }
    results.emplace_back(PropertyId(i), std::move(alone));
  }
  return results;
}

}  // namespace

Exploration explore(const Program& program, std::uint32_t bound, std::size_t max_states) {
  const Interpreter interpreter(program, bound);
  const auto alone = state_properties(program);
  std::vector<std::pair<PropertyId, Interpreter>> judges;
  for (const auto& [property, judged] : alone) judges.emplace_back(property, Interpreter(judged, bound));
  Exploration result;
  std::deque<std::pair<State, std::size_t>> queue;  // each with its distance from the start
  const auto violate = [&](std::size_t distance) {
    if (!result.shortest_violation) result.shortest_violation = distance;
  };
  const auto reach = [&](State state, std::size_t distance) {
    state = canonical(std::move(state));
    if (!result.states.insert(state).second) return;
    for (const auto& thread : state.threads) {
      const auto& error = program.templ(thread->templ).locations[thread->location.value].error;
      if (error) result.violated.insert(*error);
    }
    for (const auto& [property, judge] : judges) {
      if (judge.violated(state)) result.violated.insert(property);
    }
    if (!result.violated.empty()) violate(distance);
    queue.emplace_back(std::move(state), distance);
  };
  for (State& state : interpreter.initial_states()) reach(std::move(state), 0);
  while (!queue.empty()) {
    if (result.states.size() > max_states) {
      result.complete = false;
      return result;
    }
    const auto [state, distance] = std::move(queue.front());
    queue.pop_front();
    for (Transition& step : interpreter.successors(state)) {
      if (step.fault) {
        result.faults.insert(*step.fault);
        violate(distance + 1);
      } else {
        reach(std::move(step.target), distance + 1);
      }
    }
  }
  return result;
}

}  // namespace cohort::test
