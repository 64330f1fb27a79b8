#include "model/interpreter.hpp"

#include <algorithm>
#include <numeric>

#include <fmt/core.h>

#include "base/contract.hpp"
#include "model/property.hpp"

namespace cohort::model {

namespace {

// More are refused: nobody can enumerate them, and a few hundred bytes each add up.
constexpr std::size_t max_initial_states = std::size_t{1} << 21U;

// The variables for enumeration: a reference that is free at the start may be NULL or any of `count` threads.
std::vector<Variable> with_references_to(std::vector<Variable> variables, std::size_t count) {
  for (Variable& variable : variables) {
    if (variable.type.kind() != Type::Kind::ThreadRef || !variable.initial.empty()) continue;
    const Type range = Type::range(0, static_cast<Value>(count));
    variable.type = variable.type.is_array() ? range.array_of(variable.type.array_size()) : range;
  }
  return variables;
}

// All ways to give the groups without a count the threads that still fit.
void distribute(Env* env, const std::vector<InitialThreads>& groups, std::size_t index, std::uint32_t remaining,
                std::vector<std::uint32_t>& counts, std::vector<std::vector<std::uint32_t>>& results) {
  if (env != nullptr) env->poll("interpreter");
  if (index == groups.size()) {
    if (remaining == 0) results.push_back(counts);
    return;
  }
  if (groups[index].count) {
    counts.push_back(*groups[index].count);
    distribute(env, groups, index + 1, remaining, counts, results);
    counts.pop_back();
    return;
  }
  const bool is_last = std::all_of(groups.begin() + static_cast<std::ptrdiff_t>(index) + 1, groups.end(),
                                   [](const InitialThreads& group) { return group.count.has_value(); });
  for (std::uint64_t share = is_last ? remaining : 0; share <= remaining; ++share) {
    counts.push_back(static_cast<std::uint32_t>(share));
    distribute(env, groups, index + 1, remaining - static_cast<std::uint32_t>(share), counts, results);
    counts.pop_back();
  }
}

bool initial_values_allow(const std::vector<Variable>& variables, const Valuation& values, std::size_t threads) {
  for (const Variable& variable : variables) {
    for (std::uint32_t element = 0; element < variable.type.slots(); ++element) {
      const Value value = values[variable.slot + element];
      if (!variable.type.element().contains(value)) return false;
      if (variable.type.kind() == Type::Kind::ThreadRef && value > static_cast<Value>(threads)) return false;
      if (variable.initial.empty()) continue;
      if (value != (variable.initial.size() == 1 ? variable.initial[0] : variable.initial[element])) return false;
    }
  }
  return true;
}

EvalContext context_for(const Program& program, const State& state) {
  EvalContext context;
  context.program = &program;
  context.shared = &state.shared;
  context.state = &state;
  return context;
}

// Empty slots at the end carry no information.
void trim(State& state) {
  while (!state.threads.empty() && !state.threads.back()) state.threads.pop_back();
}

}  // namespace

std::vector<std::vector<std::uint32_t>> initial_thread_counts(const Program& program,
                                                              std::optional<std::uint32_t> bound, Env* env) {
  std::uint64_t fixed = 0;
  bool open = false;
  for (const InitialThreads& group : program.initial) {
    fixed += group.count.value_or(0);
    open = open || !group.count;
  }
  if (bound && fixed > *bound) {
    throw_unsupported({}, fmt::format("the program starts with {} threads, more than the bound of {}", fixed, *bound));
  }
  COHORT_EXPECT(!open || bound, "any number of initial threads needs a bound to be enumerated");
  const std::uint32_t remaining = open && *bound > fixed ? *bound - static_cast<std::uint32_t>(fixed) : 0;
  std::vector<std::uint32_t> counts;
  std::vector<std::vector<std::uint32_t>> results;
  distribute(env, program.initial, 0, remaining, counts, results);
  return results;
}

Interpreter::Interpreter(const Program& program, std::optional<std::uint32_t> bound, Env* env)
    : stepper_(program, env), env_(env), bound_(bound), blocks_at_bound_(looks_for_deadlocks(program)) {
  COHORT_EXPECT(!bound || *bound >= 1, "at least one thread may be alive");
}

std::vector<State> Interpreter::initial_states() const {
  std::vector<State> states;
  for (const auto& counts : initial_thread_counts(program(), bound_, env_)) {
    std::vector<State> partial;
    const std::size_t total = std::accumulate(counts.begin(), counts.end(), std::size_t{0});
    for (Valuation& shared : stepper_.initial_valuations(with_references_to(program().shared, total))) {
      partial.push_back({std::move(shared), {}});
    }
    for (std::size_t group = 0; group < counts.size(); ++group) {
      const InitialThreads& threads = program().initial[group];
      const auto locals = stepper_.initial_valuations(with_references_to(program().templ(threads.templ).locals, total));
      for (std::uint32_t i = 0; i < counts[group]; ++i) {
        if (partial.size() * locals.size() > max_initial_states) {
          throw_unsupported(program().templ(threads.templ).span,
                            fmt::format("more than {} initial states to enumerate", max_initial_states));
        }
        std::vector<State> extended;
        for (const State& state : partial) {
          poll();
          for (const Valuation& values : locals) {
            extended.push_back(state);
            extended.back().threads.emplace_back(ThreadState{threads.templ, threads.location, false, values});
          }
        }
        partial = std::move(extended);
      }
    }
    std::move(partial.begin(), partial.end(), std::back_inserter(states));
  }
  if (program().initial_condition) {
    std::erase_if(states, [&](const State& state) { return !holds(state, *program().initial_condition); });
  }
  return states;
}

bool Interpreter::is_initial(const State& state) const {
  if (state.shared.size() != program().shared_slots()) return false;
  if (!initial_values_allow(program().shared, state.shared, state.threads.size())) return false;
  if (bound_ && state.alive() > *bound_) return false;
  std::vector<std::uint32_t> counts(program().initial.size(), 0);
  for (const auto& thread : state.threads) {
    if (!thread || thread->atomic || thread->templ.value >= program().templates.size()) return false;
    const auto& locals = program().templ(thread->templ).locals;
    if (thread->locals.size() != program().templ(thread->templ).local_slots()) return false;
    if (!initial_values_allow(locals, thread->locals, state.threads.size())) return false;
    // A place that two groups start at fills the group with a count first.
    std::optional<std::size_t> home;
    for (std::size_t group = 0; group < counts.size(); ++group) {
      const InitialThreads& threads = program().initial[group];
      if (threads.templ != thread->templ || threads.location != thread->location) continue;
      if (threads.count && counts[group] == *threads.count) continue;
      if (!home || threads.count) home = group;
    }
    if (!home) return false;
    ++counts[*home];
  }
  bool open = false;
  for (std::size_t group = 0; group < counts.size(); ++group) {
    open = open || !program().initial[group].count;
    if (program().initial[group].count && counts[group] != *program().initial[group].count) return false;
  }
  if (open && bound_ && state.alive() < *bound_) return false;
  return !program().initial_condition || holds(state, *program().initial_condition);
}

std::vector<Transition> Interpreter::successors(const State& state) const {
  std::vector<Transition> results;
  for (std::size_t slot = 0; slot < state.threads.size(); ++slot) {
    if (!state.threads[slot]) continue;
    const TemplateId templ = state.threads[slot]->templ;
    for (const std::uint32_t edge : stepper_.out_edges(templ).of(state.threads[slot]->location)) {
      auto steps = successors(state, slot, EdgeRef{templ, edge});
      std::move(steps.begin(), steps.end(), std::back_inserter(results));
    }
  }
  return results;
}

std::vector<Transition> Interpreter::successors(const State& state, std::size_t thread, EdgeRef edge) const {
  COHORT_EXPECT(thread < state.threads.size() && state.threads[thread], "the thread that moves is alive");
  if (const auto holder = state.atomic_thread(); holder && *holder != thread) return {};
  const ThreadState& mover = *state.threads[thread];
  if (mover.templ != edge.templ || mover.location != program().edge(edge).source) return {};
  std::vector<Transition> results;
  for (Outcome& outcome : stepper_.outcomes(edge, state.shared, mover, &state, thread)) {
    complete(state, thread, edge, std::move(outcome), results);
  }
  std::sort(results.begin(), results.end(), [&](const Transition& one, const Transition& other) {
    poll();
    return one < other;
  });
  results.erase(std::unique(results.begin(), results.end()), results.end());
  return results;
}

void Interpreter::complete(const State& before, std::size_t thread, EdgeRef edge, Outcome outcome,
                           std::vector<Transition>& results) const {
  Transition partial{thread, edge, before, {}, outcome.fault, outcome.fault_action};
  if (outcome.fault) {
    results.push_back(std::move(partial));
    return;
  }
  partial.target.shared = outcome.shared;
  partial.target.threads[thread] = outcome.thread;
  for (const RemoteWrite& write : outcome.remote) {
    COHORT_EXPECT(write.thread != thread, "a thread's writes to itself are local");
    partial.target.threads[write.thread]->locals[write.slot] = write.value;
  }
  std::vector<bool> done(before.threads.size(), false);
  done[thread] = true;
  static const std::vector<Take> no_takes;
  const auto& takes = outcome.takes ? program().edge(edge).actions[*outcome.takes].takes : no_takes;
  take(outcome, std::move(partial), takes, 0, done, results);
}

void Interpreter::take(const Outcome& outcome, Transition partial, const std::vector<Take>& takes, std::size_t next,
                       std::vector<bool>& taken, std::vector<Transition>& results) const {
  poll();
  if (next == takes.size()) {
    broadcast(outcome, std::move(partial), taken, results);
    return;
  }
  const Take& wanted = takes[next];
  std::vector<ThreadState> tried;
  for (std::size_t slot = 0; slot < taken.size(); ++slot) {
    auto& thread = partial.target.threads[slot];
    if (taken[slot] || !thread || thread->templ != wanted.templ || thread->location != wanted.from) continue;
    // Threads in the same state are alike: the first that is not taken yet stands for all, or the tokens of a net would
    // be taken in every order.
    poll();
    if (std::find(tried.begin(), tried.end(), *thread) != tried.end()) continue;
    tried.push_back(*thread);
    Transition with = partial;
    if (wanted.to) {
      with.target.threads[slot]->location = *wanted.to;
    } else {
      with.target.threads[slot].reset();
    }
    taken[slot] = true;
    take(outcome, std::move(with), takes, next + 1, taken, results);
    taken[slot] = false;
  }
}

// What each passive thread may become does not depend on the others: the threads are dealt with one after the other.
// Then those are left out in which threads that are tied to each other do not fit.
void Interpreter::broadcast(const Outcome& outcome, Transition partial, const std::vector<bool>& done,
                            std::vector<Transition>& results) const {
  std::vector<Transition> current;
  const auto before = partial.target.threads;
  current.push_back(std::move(partial));
  for (std::size_t slot = 0; outcome.broadcast && slot < done.size() && !current.empty(); ++slot) {
    const std::optional<ThreadState> passive = current[0].target.threads[slot];
    if (done[slot] || !passive) continue;
    const auto after = stepper_.passive_outcomes(*outcome.broadcast, *passive);
    std::vector<Transition> next;
    for (const Transition& one : current) {
      for (const ThreadState& thread : after) {
        poll();
        next.push_back(one);
        next.back().target.threads[slot] = thread;
      }
    }
    current = std::move(next);
  }
  const bool ties = outcome.broadcast && stepper_.tied(*outcome.broadcast) > 0;
  for (Transition& one : current) {
    if (!ties || ties_hold(*outcome.broadcast, before, one.target, done)) finish(outcome, std::move(one), results);
  }
}

bool Interpreter::ties_hold(const Broadcast& broadcast, const std::vector<std::optional<ThreadState>>& before,
                            const State& after, const std::vector<bool>& done) const {
  std::vector<PassivePair> passive;
  for (std::size_t slot = 0; slot < done.size(); ++slot) {
    if (!done[slot] && before[slot]) passive.push_back({&*before[slot], &*after.threads[slot]});
  }
  return stepper_.ties_hold(broadcast, passive);
}

void Interpreter::finish(const Outcome& outcome, Transition partial, std::vector<Transition>& results) const {
  // A spawn sees its creator alive even if the same edge ends it afterwards.
  for (const ThreadState& child : outcome.children) {
    if (bound_ && partial.target.alive() >= *bound_) {
      if (blocks_at_bound_) return;
      break;
    }
    auto& threads = partial.target.threads;
    const auto empty = std::find(threads.begin(), threads.end(), std::nullopt);
    const std::size_t slot = static_cast<std::size_t>(empty - threads.begin());
    if (empty == threads.end()) threads.emplace_back();
    threads[slot] = child;
    partial.spawned.push_back(slot);
  }
  if (outcome.ended) partial.target.threads[partial.thread].reset();
  trim(partial.target);
  results.push_back(std::move(partial));
}

std::optional<PropertyId> Interpreter::violated(const State& state) const {
  for (const auto& thread : state.threads) {
    if (!thread) continue;
    const Location& location = program().templ(thread->templ).locations[thread->location.value];
    if (location.error) return location.error;
  }
  for (std::size_t i = 0; i < program().properties.size(); ++i) {
    const Property& property = program().properties[i];
    if (is_violated(state, property)) return PropertyId(i);
  }
  return std::nullopt;
}

bool Interpreter::is_violated(const State& state, const Property& property) const {
  switch (property.kind) {
    case PropertyKind::Cover: return covers(state, property);
    case PropertyKind::Deadlock: return is_deadlock(state);
    case PropertyKind::Condition: {
      EvalContext context = context_for(program(), state);
      return is_bad(context, property);
    }
    case PropertyKind::Assertion:
    case PropertyKind::ErrorLabel:
    case PropertyKind::Cut: return false;    // the location says it
    case PropertyKind::Fault: return false;  // belongs to transitions
  }
  COHORT_UNREACHABLE("every kind of property is violated by states or by steps");
}

bool Interpreter::is_deadlock(const State& state) const {
  const auto waits = [&](const std::optional<ThreadState>& thread) {
    return !thread || program().templ(thread->templ).locations[thread->location.value].waits;
  };
  if (state.alive() == 0 || !std::all_of(state.threads.begin(), state.threads.end(), waits)) return false;
  const auto steps = successors(state);
  // A step that changes nothing is none: in a loop where a thread waits it comes back to where it was.
  return std::all_of(steps.begin(), steps.end(),
                     [&](const Transition& step) { return !step.fault && step.target == state; });
}

bool Interpreter::covers(const State& state, const Property& property) const {
  if (property.condition && !holds(state, *property.condition)) return false;
  auto wanted = property.threads;
  for (const auto& thread : state.threads) {
    if (!thread) continue;
    const auto it = std::find(wanted.begin(), wanted.end(), std::pair(thread->templ, thread->location));
    if (it != wanted.end()) wanted.erase(it);
  }
  return wanted.empty();
}

bool Interpreter::holds(const State& state, ExprId condition) const {
  EvalContext context = context_for(program(), state);
  return model::holds(context, condition);
}

}  // namespace cohort::model
