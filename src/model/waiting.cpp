// Written to be plainly right: all states that can be reached are listed with their steps, and each is asked which
// others it reaches.  A state lies in a bottom component if whatever it reaches leads back to it; there, a thread is
// stuck that never moves, or that moves in loops where it waits and changes nothing.  Steps that lead back to the same
// state do not count.
#include "model/waiting.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "model/analysis/components.hpp"

namespace cohort::model {

namespace {

struct Step {
  std::uint32_t target = 0;
  std::size_t thread = 0;
  bool changes = false;  // what is shared, or which threads there are
};

class Executions {
 public:
  Executions(const Interpreter& interpreter, const State& state) : interpreter_(interpreter) { number(state); }

  // False: there are more than `most` states.
  bool explore(std::size_t most) {
    for (std::size_t i = 0; i < states_.size(); ++i) {
      if (states_.size() > most) return false;
      const State state = *states_[i];
      for (const Transition& step : interpreter_.successors(state)) {
        if (step.target == state) running_.insert({i, step.thread});
        if (step.fault || step.target == state) continue;
        const bool changes = step.target.shared != state.shared || !step.spawned.empty();
        const std::uint32_t target = number(step.target);
        steps_[i].push_back({target, step.thread, changes});
      }
    }
    return true;
  }

  bool somebody_is_stuck() const {
    const auto targets = [this](std::uint32_t state) {
      std::vector<std::uint32_t> result;
      for (const Step& step : steps_[state]) result.push_back(step.target);
      return result;
    };
    bool stuck = false;
    // All states are reachable from the first.
    for_each_component(states_.size(), std::vector<std::uint32_t>{0}, targets, [&](const auto& component) {
      stuck = stuck || (component.bottom && has_stuck_thread(component.members));
    });
    return stuck;
  }

 private:
  std::uint32_t number(const State& state) {
    const auto [it, fresh] = numbers_.emplace(state, static_cast<std::uint32_t>(states_.size()));
    if (fresh) {
      states_.push_back(&it->first);
      steps_.emplace_back();
    }
    return it->second;
  }

  const Location& location(std::size_t state, std::size_t thread) const {
    const ThreadState& at = *states_[state]->threads[thread];
    return interpreter_.program().templ(at.templ).locations[at.location.value];
  }

  // Is it kept from a step by nothing but another thread's atomic section?
  bool is_locked_out(std::uint32_t in, std::size_t thread) const {
    State open = *states_[in];
    bool inside = false;
    for (std::size_t other = 0; other < open.threads.size(); ++other) {
      if (!open.threads[other] || !open.threads[other]->atomic) continue;
      if (other == thread) return false;
      open.threads[other]->atomic = false;
      inside = true;
    }
    if (!inside) return false;
    const std::vector<Transition> steps = interpreter_.successors(open);
    return std::any_of(steps.begin(), steps.end(), [&](const Transition& step) {
      const auto& actions = interpreter_.program().edge(step.edge).actions;
      const auto takes = [](const Action& action) { return !action.takes.empty(); };
      return step.thread == thread && step.spawned.empty() && std::none_of(actions.begin(), actions.end(), takes);
    });
  }

  bool has_stuck_thread(const std::vector<std::uint32_t>& states) const {
    std::set<std::size_t> moving;
    std::set<std::size_t> busy;  // they move, and not only in loops where they wait
    for (const std::uint32_t i : states) {
      for (const Step& step : steps_[i]) {
        moving.insert(step.thread);
        if (step.changes || !location(i, step.thread).waits) busy.insert(step.thread);
      }
    }
    bool stuck = false;
    const State& some = *states_[states.front()];
    for (std::size_t thread = 0; thread < some.threads.size(); ++thread) {
      if (!some.threads[thread] || busy.contains(thread)) continue;
      const Location& at = location(states.front(), thread);
      const auto runs = [&](std::uint32_t in) { return running_.contains({in, thread}) || is_locked_out(in, thread); };
      if (!at.waits && std::any_of(states.begin(), states.end(), runs)) continue;
      // Whoever cannot move and does not wait has given up: then there is no such execution.
      if (!moving.contains(thread) && !at.waits) return false;
      stuck = true;
    }
    return stuck;
  }

  const Interpreter& interpreter_;
  std::map<State, std::uint32_t> numbers_;
  std::vector<const State*> states_;
  std::set<std::pair<std::size_t, std::size_t>>
      running_;  // states, and threads that have a step back to the same state
  std::vector<std::vector<Step>> steps_;
};

}  // namespace

Waiting waits_for_ever(const Interpreter& interpreter, const State& state, std::size_t most) {
  Executions executions(interpreter, state);
  if (!executions.explore(most)) return Waiting::Undecided;
  return executions.somebody_is_stuck() ? Waiting::ForEver : Waiting::Ends;
}

}  // namespace cohort::model
