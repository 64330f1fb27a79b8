// A simplified run says which edges of the flat program were taken, in which order, by which thread, but not how their
// choices fell, nor the values of dead locals and irrelevant variables.  So the flat edges are executed on the
// interpreter, depth first over their outcomes; at the end of each simplified step only outcomes that agree with its
// state are followed.  By the argument of model/passes/liveness.cpp the values of dead locals never matter later, so a
// choice that agrees is final in practice; backtracking, with failures remembered, is there so that a flaw in that
// argument costs time and not a counterexample.
#include <fmt/core.h>

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include "base/contract.hpp"
#include "base/poll.hpp"
#include "model/passes/simplify.hpp"

namespace cohort::model {

namespace {

// One flat edge to execute.
struct Task {
  std::size_t thread = 0;
  EdgeRef edge;
  const Transition* ends = nullptr;  // the simplified step that is complete after it
};

// The flat edges of a simplified step, up to the one that faults if it does.
void add_tasks(const Program& flat, const Program& simplified, const Transition& step, std::vector<Task>& tasks) {
  const Edge& edge = simplified.edge(step.edge);
  const std::size_t end = step.fault ? step.fault_action + 1 : edge.actions.size();
  const std::size_t first = tasks.size();
  for (std::size_t i = 0; i < end;) {
    const auto& origin = edge.actions[i].origin;
    if (!origin) {
      ++i;
      continue;
    }
    const std::size_t length = flat.edge(*origin).actions.size();
    for (std::size_t j = i; j < i + length; ++j) {
      COHORT_EXPECT(j < edge.actions.size() && edge.actions[j].origin == origin,
                    "the actions of a flat edge stay together");
    }
    tasks.push_back({step.thread, *origin, nullptr});
    i += length;
  }
  COHORT_EXPECT(tasks.size() > first, "a simplified edge comes from at least one flat edge");
  tasks.back().ends = &step;
}

bool agree(const Variable& variable, const Valuation& values, const Valuation& others) {
  const auto first = values.begin() + variable.slot;
  return std::equal(first, first + variable.type.slots(), others.begin() + variable.slot);
}

// Must the flat and the simplified program agree on this local?
bool matters(const Simplified& by, const ThreadState& thread, VarId var) {
  return by.relevant.local(thread.templ, var) && by.live.live(thread.templ, thread.location, var);
}

bool agree(const Program& flat, const Simplified& by, const State& state, const State& simplified) {
  if (state.threads.size() != simplified.threads.size()) return false;
  for (std::size_t var = 0; var < flat.shared.size(); ++var) {
    if (by.relevant.shared(VarId(var)) && !agree(flat.shared[var], state.shared, simplified.shared)) return false;
  }
  for (std::size_t slot = 0; slot < state.threads.size(); ++slot) {
    const auto& thread = state.threads[slot];
    const auto& other = simplified.threads[slot];
    if (thread.has_value() != other.has_value()) return false;
    if (!thread) continue;
    if (thread->templ != other->templ || thread->location != other->location || thread->atomic != other->atomic)
      return false;
    const Template& templ = flat.templ(thread->templ);
    for (std::size_t var = 0; var < templ.locals.size(); ++var) {
      if (matters(by, *thread, VarId(var)) && !agree(templ.locals[var], thread->locals, other->locals)) return false;
    }
  }
  return true;
}

void restore_initial(const Variable& variable, Valuation& values) {
  if (variable.initial.empty()) return;
  for (std::uint32_t i = 0; i < variable.type.slots(); ++i) {
    values[variable.slot + i] = variable.initial.size() == 1 ? variable.initial[0] : variable.initial[i];
  }
}

// Dead locals and irrelevant variables may have another declared value in the flat program.
State initial_state(const Program& flat, const Simplified& by, State state) {
  for (std::size_t var = 0; var < flat.shared.size(); ++var) {
    if (!by.relevant.shared(VarId(var))) restore_initial(flat.shared[var], state.shared);
  }
  for (auto& thread : state.threads) {
    const Template& templ = flat.templ(thread->templ);
    for (std::size_t var = 0; var < templ.locals.size(); ++var) {
      if (!matters(by, *thread, VarId(var))) restore_initial(templ.locals[var], thread->locals);
    }
  }
  return state;
}

class Lifter {
 public:
  Lifter(Interpreter interpreter, const Simplified& by, std::vector<Task> tasks, Env* env)
      : interpreter_(std::move(interpreter)), by_(by), tasks_(std::move(tasks)), env_(env) {}

  Run run(State initial) {
    COHORT_EXPECT(interpreter_.is_initial(initial), "the flat program starts where the simplified one does");
    Run result{std::move(initial), {}};
    std::vector<Level> levels;
    while (levels.size() < tasks_.size()) {
      levels.push_back({candidates(levels.size(), levels.empty() ? result.initial : levels.back().chosen()), 0});
      while (levels.back().exhausted()) retreat(levels);
    }
    for (Level& level : levels) result.steps.push_back(std::move(level.steps[level.index]));
    return result;
  }

 private:
  struct Level {
    std::vector<Transition> steps;
    std::size_t index = 0;

    bool exhausted() const { return index == steps.size(); }
    const State& chosen() const { return steps[index].target; }
  };

  void retreat(std::vector<Level>& levels) {
    poll(env_, "lift");
    levels.pop_back();
    if (levels.empty()) throw InternalError("a run of the simplified program has no counterpart in the flat program");
    failed_.emplace(levels.size(), levels.back().chosen());
    ++levels.back().index;
    while (!levels.back().exhausted() && failed_.contains({levels.size(), levels.back().chosen()}))
      ++levels.back().index;
  }

  std::vector<Transition> candidates(std::size_t depth, const State& state) const {
    poll(env_, "lift");
    const Task& task = tasks_[depth];
    const auto fault = task.ends != nullptr ? task.ends->fault : std::nullopt;
    std::vector<Transition> result;
    if (task.thread >= state.threads.size() || !state.threads[task.thread]) return result;
    for (Transition& step : interpreter_.successors(state, task.thread, task.edge)) {
      if (step.fault != fault || failed_.contains({depth + 1, step.target})) continue;
      const bool checked = task.ends != nullptr && !fault;
      if (!checked || agree(interpreter_.program(), by_, step.target, task.ends->target))
        result.push_back(std::move(step));
    }
    return result;
  }

  const Interpreter interpreter_;
  const Simplified& by_;
  const std::vector<Task> tasks_;
  Env* env_;
  std::set<std::pair<std::size_t, State>> failed_;  // after so many tasks, this state leads nowhere
};

}  // namespace

Run lift(const Program& flat, std::optional<std::uint32_t> bound, const Simplified& simplified, const Run& run,
         Env* env) {
  std::vector<Task> tasks;
  for (const Transition& step : run.steps) add_tasks(flat, simplified.program, step, tasks);
  Lifter lifter(interpreter_for(flat, bound, run, env), simplified, std::move(tasks), env);
  Run lifted = lifter.run(initial_state(flat, simplified, run.initial));
  lifted.choices = run.choices;
  return lifted;
}

}  // namespace cohort::model
