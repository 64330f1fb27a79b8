// Brute force over the interpreter with processes told apart, and the comparison of an engine with it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <fmt/core.h>

#include "engine/engine.hpp"
#include "engine/pointer/symmetry.hpp"
#include "model/interpreter.hpp"
#include "result/replay.hpp"

namespace cohort::engine::pointer {

struct Oracle {
  std::set<model::State> states;
  std::optional<std::size_t> depth;  // steps to the nearest violation or fault
  bool complete = true;
};

// How many ways there are to set what is free at the start, before the initial condition is looked at.
inline double free_choices(const model::Program& program) {
  const double processes = model::fixed_thread_count(program).value();
  double product = 1;
  const auto multiply = [&](const std::vector<model::Variable>& variables, double times) {
    for (const model::Variable& variable : variables) {
      if (!variable.initial.empty()) continue;
      const bool pointer = variable.type.kind() == model::Type::Kind::ThreadRef;
      const double values = pointer ? processes + 1 : static_cast<double>(variable.type.cardinality());
      for (double i = 0; i < times; ++i) product *= values;
    }
  };
  multiply(program.shared, 1);
  multiply(program.templates[0].locals, processes);
  return product;
}

inline Oracle brute_force(const model::Program& program, std::size_t most = 20'000) {
  const model::Interpreter interpreter(program, std::nullopt);
  Oracle result;
  if (free_choices(program) > 100'000) {
    result.complete = false;
    return result;
  }
  std::deque<std::pair<model::State, std::size_t>> queue;
  const auto reach = [&](model::State state, std::size_t depth) {
    if (!result.states.insert(state).second) return;
    if (interpreter.violated(state)) result.depth = std::min(result.depth.value_or(depth), depth);
    queue.emplace_back(std::move(state), depth);
  };
  for (model::State& state : interpreter.initial_states()) reach(std::move(state), 0);
  while (!queue.empty()) {
    if (result.states.size() > most) {
      result.complete = false;
      return result;
    }
    const auto [state, depth] = std::move(queue.front());
    queue.pop_front();
    for (model::Transition& step : interpreter.successors(state)) {
      if (step.fault) {
        result.depth = std::min(result.depth.value_or(depth + 1), depth + 1);
      } else {
        reach(std::move(step.target), depth + 1);
      }
    }
  }
  return result;
}

inline model::Program without_properties(model::Program program) {
  program.properties.clear();
  program.faults = model::FaultPolicy::Drop;
  return program;
}

inline model::State permuted(const Layout& layout, const model::State& state, const Permutation& permutation) {
  model::State result = state;
  const auto rename = [&](const std::vector<model::Variable>& variables, model::Valuation& values) {
    for (std::size_t var = 0; var < variables.size(); ++var) {
      if (variables[var].type.kind() != model::Type::Kind::ThreadRef) continue;
      values[var] = permutation[static_cast<std::size_t>(values[var])];
    }
  };
  rename(layout.program().shared, result.shared);
  for (std::size_t i = 0; i < state.threads.size(); ++i) {
    result.threads[permutation[i + 1] - 1] = state.threads[i];
    rename(layout.templ().locals, result.threads[permutation[i + 1] - 1]->locals);
  }
  return result;
}

// All admissible permutations, tried one by one.
inline std::vector<Permutation> admissible(const Layout& layout) {
  std::vector<Permutation> group;
  Permutation permutation = identity(layout.processes());
  do {
    if (is_admissible(layout, permutation)) group.push_back(permutation);
  } while (std::next_permutation(permutation.begin() + 1, permutation.end()));
  return group;
}

inline std::size_t count_orbits(const Layout& layout, const std::set<model::State>& states) {
  const auto group = admissible(layout);
  std::size_t orbits = 0;
  std::set<model::State> seen;
  for (const model::State& state : states) {
    if (seen.contains(state)) continue;
    ++orbits;
    for (const Permutation& permutation : group) seen.insert(permuted(layout, state, permutation));
  }
  return orbits;
}

// What is wrong with the engine's answer; "" when nothing is.
inline std::string compare(const engine::Engine& engine, const model::Program& program, EngineOptions options,
                           std::optional<std::size_t> depth, bool shortest) {
  Env env;
  env.self_check = true;
  const engine::Task task{program, model::fixed_thread_count(program), options};
  if (const auto refusal = engine.refuses(task)) return "refused: " + *refusal;
  const result::Result result = engine.check(env, task);
  const auto wanted = depth ? result::Verdict::Unsafe : result::Verdict::Safe;
  if (result.verdict != wanted) return fmt::format("the verdict is wrong ({})", static_cast<int>(result.verdict));
  if (!depth) return "";
  const result::Replay replay = result::replay(program, task.bound, *result.run);
  if (!replay.succeeded) return "the run does not replay: " + replay.message;
  if (shortest && result.run->steps.size() != *depth) {
    return fmt::format("a run of {} steps, the shortest has {}", result.run->steps.size(), *depth);
  }
  return "";
}

}  // namespace cohort::engine::pointer
