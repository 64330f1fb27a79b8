// Each rule is executed by the interpreter itself: the thread that moves is one that stands where the rule says (which
// one makes no difference), and among the interpreter's outcomes for that thread and edge the one is taken that has the
// control state and the threads which the rule announces.  So the run consists of the interpreter's own steps.
#include "engine/unbounded/realize.hpp"

#include <algorithm>

#include "base/contract.hpp"
#include "base/poll.hpp"

namespace cohort::engine::unbounded {

namespace {

std::vector<model::ThreadState> sorted_threads(const model::State& state) {
  std::vector<model::ThreadState> threads;
  for (const auto& thread : state.threads) {
    if (thread) threads.push_back(*thread);
  }
  std::sort(threads.begin(), threads.end());
  return threads;
}

// The threads that are in the control state rather than counted.
void add_control_threads(const CounterSystem& system, ControlId control, std::vector<model::ThreadState>& threads) {
  if (system.has_single()) threads.push_back(system.single_state(control));
  if (system.control(control).holder != model::no_id) threads.push_back(system.holder_state(control));
}

std::vector<model::ThreadState> threads_of(const CounterSystem& system, ControlId control, TokenView tokens) {
  std::vector<model::ThreadState> threads;
  add_control_threads(system, control, threads);
  for (const Token& token : tokens) {
    threads.insert(threads.end(), token.count, system.thread_state(token.place));
  }
  return threads;
}

std::size_t slot_of(const model::State& state, const model::ThreadState& thread) {
  const auto it = std::find(state.threads.begin(), state.threads.end(), std::optional(thread));
  COHORT_EXPECT(it != state.threads.end(), "the thread that moves exists");
  return static_cast<std::size_t>(it - state.threads.begin());
}

model::ThreadState mover(const CounterSystem& system, const Rule& rule) {
  if (rule.active != none) return system.thread_state(rule.active);
  if (system.control(rule.from).holder != model::no_id) return system.holder_state(rule.from);
  return system.single_state(rule.from);
}

// Which threads there are only before, and which only after, sorted.
struct Exchange {
  std::vector<model::ThreadState> gone;
  std::vector<model::ThreadState> come;

  bool operator==(const Exchange&) const = default;
};

Exchange without_common(std::vector<model::ThreadState> before, std::vector<model::ThreadState> after) {
  std::sort(before.begin(), before.end());
  std::sort(after.begin(), after.end());
  Exchange exchange;
  std::set_difference(before.begin(), before.end(), after.begin(), after.end(), std::back_inserter(exchange.gone));
  std::set_difference(after.begin(), after.end(), before.begin(), before.end(), std::back_inserter(exchange.come));
  return exchange;
}

Exchange exchange_of(const CounterSystem& system, const Rule& rule) {
  return without_common(threads_of(system, rule.from, system.pre(rule)),
                        threads_of(system, rule.to, system.post(rule)));
}

// Threads that stay do so at their place, and there may be thousands of them.
Exchange exchange_between(const model::State& before, const model::State& after) {
  std::vector<model::ThreadState> gone;
  std::vector<model::ThreadState> come;
  for (std::size_t slot = 0; slot < std::max(before.threads.size(), after.threads.size()); ++slot) {
    const auto* const old = slot < before.threads.size() ? &before.threads[slot] : nullptr;
    const auto* const now = slot < after.threads.size() ? &after.threads[slot] : nullptr;
    if (old != nullptr && now != nullptr && *old == *now) continue;
    if (old != nullptr && *old) gone.push_back(**old);
    if (now != nullptr && *now) come.push_back(**now);
  }
  return without_common(std::move(gone), std::move(come));
}

bool includes(const std::vector<model::ThreadState>& sorted, std::vector<model::ThreadState> wanted) {
  std::sort(wanted.begin(), wanted.end());
  return std::includes(sorted.begin(), sorted.end(), wanted.begin(), wanted.end());
}

}  // namespace

std::optional<model::Run> realize(CounterSystem& system, const Execution& execution, const std::vector<Tokens>& goals,
                                  Env* env) {
  const model::Interpreter interpreter(system.program(), std::nullopt);
  model::Run run;
  run.initial.shared = system.shared_state(execution.start.control);
  for (auto& thread : threads_of(system, execution.start.control, execution.start.tokens)) {
    run.initial.threads.emplace_back(std::move(thread));
  }
  for (std::size_t i = 0; i < execution.rules.size(); ++i) {
    poll(env, "realize");
    const Rule rule = system.rule(execution.rules[i]);
    const model::State& before = run.last();
    const Exchange expected = exchange_of(system, rule);
    const model::Valuation shared = system.shared_state(rule.to);
    bool found = false;
    for (model::Transition& step : interpreter.successors(before, slot_of(before, mover(system, rule)), rule.edge)) {
      if (step.fault.has_value() != rule.faults) continue;
      if (!rule.faults) {
        if (step.target.shared != shared) continue;
        if (rule.broadcast == none ? exchange_between(before, step.target) != expected
                                   : !includes(sorted_threads(step.target), threads_of(system, rule.to, goals[i])))
          continue;
      }
      run.steps.push_back(std::move(step));
      found = true;
      break;
    }
    COHORT_EXPECT(found || rule.broadcast != none, "only a broadcast can block");
    if (!found) return std::nullopt;
  }
  return run;
}

std::uint64_t peak_threads(const CounterSystem& system, const Execution& execution) {
  const auto alive = [&](ControlId control, TokenView tokens) {
    std::vector<model::ThreadState> extra;
    add_control_threads(system, control, extra);
    return total(tokens) + extra.size();
  };
  Tokens tokens = execution.start.tokens;
  std::uint64_t peak = alive(execution.start.control, tokens);
  for (const RuleId id : execution.rules) {
    const Rule& rule = system.rule(id);
    if (rule.faults) break;
    COHORT_EXPECT(rule.broadcast == none, "what a broadcast leaves is not known from the rule alone");
    remove(tokens, system.pre(rule));
    add(tokens, system.post(rule));
    peak = std::max(peak, alive(rule.to, tokens));
  }
  return peak;
}

std::uint64_t peak_threads(const model::Run& run) {
  std::uint64_t peak = run.initial.alive();
  for (const model::Transition& step : run.steps) peak = std::max<std::uint64_t>(peak, step.target.alive());
  return peak;
}

}  // namespace cohort::engine::unbounded
