#include "engine/bmc/walk.hpp"

#include <algorithm>
#include <random>

#include "base/source.hpp"
#include "model/analysis/visit.hpp"
#include "model/interpreter.hpp"

namespace cohort::engine::bmc {

using model::State;

namespace {

constexpr int attempts = 3;
// Steps with more alternatives than this are too slow to enumerate for a guess.
constexpr std::uint64_t most_alternatives = 1024;

// An upper estimate of the ways to take the action, as far as it matters.
std::uint64_t alternatives_of(const model::Program& program, const model::Action& action, std::size_t threads) {
  const auto times = [](std::uint64_t left, std::uint64_t right) {
    return std::min(left * right, most_alternatives + 1);
  };
  std::uint64_t choices = 1;
  model::for_each_node(program.exprs, action, [&](const model::Expr& node, model::ExprId) {
    if (node.op != model::Op::Nondet) return;
    const bool reference = node.type.kind() == model::Type::Kind::ThreadRef;
    const std::uint64_t count = reference ? threads + 1 : node.type.cardinality();
    choices = times(choices, count == 0 || count > most_alternatives ? 2 : count);
  });
  std::uint64_t alternatives = choices;
  if (model::is_broadcast(program.exprs, action)) {
    // Each passive thread chooses for itself.
    const std::uint64_t each = times(choices, std::max<std::uint64_t>(1, action.moves.size()));
    for (std::size_t i = 1; i < threads; ++i) alternatives = times(alternatives, each);
  }
  for (std::size_t i = 0; i < action.takes.size(); ++i) alternatives = times(alternatives, threads);
  return alternatives;
}

bool is_cheap(const model::Program& program, std::size_t threads) {
  for (const model::Template& templ : program.templates) {
    for (const model::Edge& edge : templ.edges) {
      std::uint64_t alternatives = 1;
      for (const model::Action& action : edge.actions) {
        if (!action.spawns.empty()) return false;
        alternatives *= alternatives_of(program, action, threads);
        if (alternatives > most_alternatives) return false;
      }
    }
  }
  return true;
}

model::Valuation some_values(const std::vector<model::Variable>& variables) {
  model::Valuation values;
  for (const model::Variable& variable : variables) {
    for (std::size_t i = 0; i < variable.type.slots(); ++i) {
      values.push_back(variable.initial.empty() ? variable.type.default_value()
                                                : variable.initial[variable.initial.size() == 1 ? 0 : i]);
    }
  }
  return values;
}

State some_start(const model::Program& program, std::optional<std::uint32_t> bound) {
  State state;
  state.shared = some_values(program.shared);
  const auto counts = model::initial_thread_counts(program, bound);
  for (std::size_t group = 0; group < counts[0].size(); ++group) {
    const model::InitialThreads& threads = program.initial[group];
    const model::ThreadState thread{threads.templ, threads.location, false,
                                    some_values(program.templ(threads.templ).locals)};
    state.threads.insert(state.threads.end(), counts[0][group], thread);
  }
  return state;
}

}  // namespace

bool walks(Env& env, const Task& task, std::uint32_t steps) try {
  const State start = some_start(task.program, task.bound);
  if (!is_cheap(task.program, start.threads.size())) return false;
  model::Interpreter interpreter(task.program, task.bound, &env);
  interpreter.choose_among({0, 1});
  if (!interpreter.is_initial(start)) return false;
  std::mt19937_64 random(1);
  for (int attempt = 0; attempt < attempts; ++attempt) {
    State state = start;
    std::uint32_t taken = 0;
    for (; taken < steps && !env.poll_now("bmc-walk"); ++taken) {
      auto next = interpreter.successors(state);
      std::erase_if(next, [](const model::Transition& step) { return step.fault.has_value(); });
      if (next.empty()) break;
      state = std::move(next[random() % next.size()].target);
    }
    if (taken == steps) return true;
  }
  return false;
} catch (const Stopped&) {
  return false;
} catch (const InputError&) {
  return false;  // an integer left 64 bits, of which the walk can say nothing
}

}  // namespace cohort::engine::bmc
