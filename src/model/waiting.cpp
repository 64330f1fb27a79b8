// Written to be plainly right: all states that can be reached are listed with their steps, and each is asked which
// others it reaches.  A state lies in a bottom component if whatever it reaches leads back to it; there, a thread is
// stuck that never moves, or that moves in loops where it waits and changes nothing.  Steps that lead back to the same
// state do not count.
#include "model/waiting.hpp"

#include <map>
#include <set>
#include <utility>
#include <vector>

namespace cohort::model {

namespace {

struct Step {
  std::size_t target = 0;
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
        const std::size_t target = number(step.target);
        steps_[i].push_back({target, step.thread, changes});
        sources_[target].push_back(i);
      }
    }
    return true;
  }

  // Components in the order in which a search over reversed steps meets them (Kosaraju).
  bool somebody_is_stuck() {
    std::vector<std::size_t> order;
    std::vector<bool> seen(states_.size(), false);
    for (std::size_t i = 0; i < states_.size(); ++i) finish_order(i, seen, order);
    std::vector<std::size_t> component(states_.size(), SIZE_MAX);
    std::vector<std::vector<std::size_t>> members;
    for (auto it = order.rbegin(); it != order.rend(); ++it) {
      if (component[*it] != SIZE_MAX) continue;
      members.emplace_back();
      std::vector<std::size_t> pending{*it};
      component[*it] = members.size() - 1;
      while (!pending.empty()) {
        const std::size_t at = pending.back();
        pending.pop_back();
        members.back().push_back(at);
        for (const std::size_t source : sources_[at]) {
          if (component[source] != SIZE_MAX) continue;
          component[source] = members.size() - 1;
          pending.push_back(source);
        }
      }
    }
    for (const auto& states : members) {
      if (is_bottom(states, component) && has_stuck_thread(states)) return true;
    }
    return false;
  }

 private:
  std::size_t number(const State& state) {
    const auto [it, fresh] = numbers_.emplace(state, states_.size());
    if (fresh) {
      states_.push_back(&it->first);
      steps_.emplace_back();
      sources_.emplace_back();
    }
    return it->second;
  }

  void finish_order(std::size_t root, std::vector<bool>& seen, std::vector<std::size_t>& order) const {
    if (seen[root]) return;
    seen[root] = true;
    std::vector<std::pair<std::size_t, std::size_t>> stack{{root, 0}};
    while (!stack.empty()) {
      auto& [at, next] = stack.back();
      if (next == steps_[at].size()) {
        order.push_back(at);
        stack.pop_back();
        continue;
      }
      const std::size_t target = steps_[at][next++].target;
      if (seen[target]) continue;
      seen[target] = true;
      stack.emplace_back(target, 0);
    }
  }

  bool is_bottom(const std::vector<std::size_t>& states, const std::vector<std::size_t>& component) const {
    for (const std::size_t i : states) {
      for (const Step& step : steps_[i]) {
        if (component[step.target] != component[i]) return false;
      }
    }
    return true;
  }

  const Location& location(std::size_t state, std::size_t thread) const {
    const ThreadState& at = *states_[state]->threads[thread];
    return interpreter_.program().templ(at.templ).locations[at.location.value];
  }

  bool has_stuck_thread(const std::vector<std::size_t>& states) const {
    std::set<std::size_t> moving;
    std::set<std::size_t> busy;  // they move, and not only in loops where they wait
    for (const std::size_t i : states) {
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
      if (!at.waits && running_.contains({states.front(), thread})) continue;
      // Whoever cannot move and does not wait has given up: then there is no such execution.
      if (!moving.contains(thread) && !at.waits) return false;
      stuck = true;
    }
    return stuck;
  }

  const Interpreter& interpreter_;
  std::map<State, std::size_t> numbers_;
  std::vector<const State*> states_;
  std::set<std::pair<std::size_t, std::size_t>>
      running_;  // states, and threads that have a step back to the same state
  std::vector<std::vector<Step>> steps_;
  std::vector<std::vector<std::size_t>> sources_;
};

}  // namespace

Waiting waits_for_ever(const Interpreter& interpreter, const State& state, std::size_t most) {
  Executions executions(interpreter, state);
  if (!executions.explore(most)) return Waiting::Undecided;
  return executions.somebody_is_stuck() ? Waiting::ForEver : Waiting::Ends;
}

}  // namespace cohort::model
