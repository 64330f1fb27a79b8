#include "engine/explicit/explicit_engine.hpp"

#include <algorithm>
#include <new>

#include <fmt/core.h>

#include "base/contract.hpp"
#include "base/memory_guard.hpp"
#include "engine/explicit/concretize.hpp"
#include "engine/explicit/counter_space.hpp"
#include "engine/explicit/deviation_search.hpp"
#include "engine/explicit/partitioned.hpp"
#include "engine/explicit/plain_space.hpp"
#include "engine/explicit/random_walk.hpp"
#include "engine/explicit/search.hpp"
#include "engine/explicit/shared.hpp"
#include "engine/explicit/task_choices.hpp"
#include "engine/explicit/waiting.hpp"
#include "engine/self_check.hpp"
#include "engine/state_store.hpp"
#include "result/counter_certificate.hpp"

namespace cohort::engine::explicit_ {

namespace {

using result::Result;
using result::Verdict;

void record(Env& env, const model::ThreadSystem& system, const StateStore& store, const SearchOutcome& outcome,
            double seconds) {
  Statistics& statistics = env.statistics;
  statistics.set("states", store.size());
  statistics.set("transitions", outcome.transitions);
  statistics.set("shared_states", std::uint64_t{system.shared_count()});
  statistics.set("local_states", std::uint64_t{system.local_count()});
  statistics.set("thread_states", std::uint64_t{system.expanded_count()});
  statistics.set("store_bytes", store.memory());
  if (store.size() > 0)
    statistics.set("bytes_per_state", static_cast<double>(store.memory()) / static_cast<double>(store.size()));
  statistics.set("search_seconds", seconds);
  if (seconds > 0) statistics.set("transitions_per_second", static_cast<double>(outcome.transitions) / seconds);
}

std::string established(const SearchOutcome& outcome, const StateStore& store, const Task& task) {
  const SearchOrder order = order_of(task);
  if (order == SearchOrder::BreadthFirst && !reduces(task)) {
    return fmt::format("no violation within {} steps ({} states)", outcome.depth, store.size());
  }
  if (order == SearchOrder::FewestDeviations && outcome.depth > 0) {
    return fmt::format("no violation with at most {} deviations ({} states)", outcome.depth - 1, store.size());
  }
  if (order == SearchOrder::Random) return fmt::format("no violation in random executions");
  return fmt::format("no violation in the {} states seen", store.size());
}

std::unique_ptr<result::Certificate> certify(const model::ThreadSystem& system, CounterSpace& space,
                                             const StateStore& store, std::uint32_t bound) {
  auto certificate = std::make_unique<result::CounterCertificate>();
  certificate->bound = bound;
  for (model::SharedId id = 0; id < system.shared_count(); ++id) certificate->shared.push_back(system.shared(id));
  for (model::LocalId id = 0; id < system.local_count(); ++id) certificate->locals.push_back(system.local(id));
  for (StateStore::Ref ref = store.begin(); ref != store.end();) {
    const std::uint8_t* word = store.bytes(ref);
    const std::size_t length = static_cast<std::size_t>(space.load(word) - word);
    auto& state = certificate->states.emplace_back();
    state.shared = space.shared();
    for (const Cell& cell : space.cells()) state.cells.emplace_back(cell.local, cell.count);
    ref = store.next(ref, length);
  }
  return certificate;
}

struct Searched {
  SearchOutcome outcome;
  bool closes = false;  // a certificate holds all reachable states, so what the reduction left out was explored, too
};

// After a complete search: does somebody wait for ever while others go on?
template <class Space>
void look_for_waiting(Env& env, Space& space, StateStore& store, const std::vector<bool>& partial,
                      SearchOutcome& outcome) {
  WaitingSearch<Space, StateStore> waiting(env, space, store, partial);
  const auto for_each_state = [&](auto&& visit) {
    bool goes_on = true;
    for (StateStore::Ref ref = store.begin(); ref != store.end() && goes_on;) {
      const std::uint8_t* word = store.bytes(ref);
      const std::size_t length = static_cast<std::size_t>(space.load(word) - word);
      goes_on = visit(ref);
      ref = store.next(ref, length);
    }
  };
  if (const auto bad = waiting.run(for_each_state)) {
    outcome.bad = *bad;
    outcome.property = space.violation().deadlock();
  }
  outcome.complete = !waiting.stopped();
}

// Searches, and closes the store under the steps that a reduction left out where a certificate needs them.
template <class Space>
Searched search_space(Env& env, const Task& task, Space& space, StateStore& store) {
  const SearchOrder order = order_of(task);
  if constexpr (std::is_same_v<Space, CounterSpace>) {
    if (order == SearchOrder::FewestDeviations) {
      Searched searched{DeviationSearch(env, space, store).run()};
      // Its store has no states by themselves to look for components of.
      if (space.violation().deadlock()) searched.outcome.complete = false;
      return searched;
    }
  } else if (order == SearchOrder::Random) {
    RandomWalk walk(env, space, store);
    Searched searched{walk.run()};
    env.statistics.set("executions", walk.executions());
    return searched;
  }
  Search<Space> search(env, space, store, order);
  Searched searched{search.run()};
  if (searched.outcome.complete) {
    self_check(env, "the stored states are closed under the steps explored, and none violates",
               [&] { return search.is_closed(); });
    if (env.stop_reason() != StopReason::None) searched.outcome.complete = false;
  }
  if (searched.outcome.complete && space.violation().deadlock()) {
    look_for_waiting(env, space, store, search.partial(), searched.outcome);
  }
  if constexpr (std::is_same_v<Space, CounterSpace>) {
    searched.closes = searched.outcome.complete && task.options.partial_order && task.options.certificate;
    if (searched.closes) {
      space.explore_in_full();
      searched.outcome = search.close();
      COHORT_EXPECT(searched.outcome.bad == StateStore::none,
                    "the partial-order reduction keeps a violation if there is one");
    }
  }
  return searched;
}

// What the reduction leaves out makes traces longer than they need be.  Where nobody asked for it, a full search that
// may take about as long looks for the shortest.
std::optional<model::Run> shortest_run(Env& env, const Task& task, model::ThreadSystem& system, std::size_t states,
                                       bool forgets, std::optional<model::PropertyId>& property) {
  constexpr std::size_t least_states = 20'000;
  CounterSpace space(system, *task.bound);
  if (forgets) space.forget_names();
  StateStore store(&env);
  Search<CounterSpace> search(env, space, store, SearchOrder::BreadthFirst);
  search.limit_states(std::max(least_states, 2 * states));
  const SearchOutcome outcome = search.run();
  if (outcome.bad == StateStore::none || (forgets && system.stepper().has_sampled())) return std::nullopt;
  property = outcome.property;
  return concretize(system, space, store, outcome);
}

template <class Space>
Result explore(Env& env, const Task& task, bool may_forget = true) {
  model::ThreadSystem system(task.program, &env);
  if (task.options.sample_choices) system.choose_among(model::sample_values(task.program));
  Space space(system, *task.bound, reduces(task));
  const bool forgets = may_forget && forgets_names(task);
  if constexpr (std::is_same_v<Space, CounterSpace>) {
    if (forgets) space.forget_names();
  }
  StateStore store(&env);
  const double start = env.limits.elapsed_seconds();
  const auto [outcome, closes] = search_space(env, task, space, store);
  record(env, system, store, outcome, env.limits.elapsed_seconds() - start);
  // A pointer that was never written has any value, and then no object changes places with another; with some values
  // that were tried for it, an object might.
  if (forgets && outcome.bad != StateStore::none && system.stepper().has_sampled()) {
    return explore<Space>(env, task, false);
  }
  Result result;
  if (outcome.bad != StateStore::none) {
    result.verdict = Verdict::Unsafe;
    result.property = outcome.property;
    if (reduces_unasked(task)) result.run = shortest_run(env, task, system, store.size(), forgets, result.property);
    if (!result.run) result.run = concretize(system, space, store, outcome);
    if (system.stepper().has_sampled()) result.run->choices = model::sample_values(task.program);
  } else if (outcome.complete && system.stepper().has_sampled()) {
    result.reason = "no violation with the values that were tried for nondeterministic choices of wide types";
  } else if (outcome.complete) {
    result.verdict = Verdict::Safe;
    if constexpr (std::is_same_v<Space, CounterSpace>) {
      // The reduction keeps the steps that the bound prevents: to create a thread depends on who else does and, as long
      // as it matters, on ends.
      result.holds_without_bound = !opens_with_any_number(task.program) && !space.bound_reached();
      if (task.options.certificate) result.certificate = certify(system, space, store, *task.bound);
    }
  } else if (closes) {
    result.reason =
        env.describe_stop() + "; the reduced search found no violation, but its certificate is not complete";
  } else {
    result.reason = env.describe_stop() + "; " + established(outcome, store, task);
  }
  return result;
}

}  // namespace

std::string_view ExplicitEngine::purpose() const {
  return "Explicit-state search for a bounded number of threads with counter abstraction and stubborn sets: exact, "
         "short "
         "traces (shortest with --search bfs), best when data is mostly deterministic.";
}

std::string_view ExplicitEngine::fragment() const {
  return "Programs with a bound on the threads and without thread references, deadlocks included; values are "
         "enumerated.";
}

bool ExplicitEngine::judges(model::PropertyKind kind) const {
  using Kind = model::PropertyKind;
  switch (kind) {
    case Kind::Assertion:
    case Kind::ErrorLabel:
    case Kind::Cut:
    case Kind::Cover:
    case Kind::Fault:
    case Kind::Deadlock: return true;
    case Kind::Condition: return false;
  }
  COHORT_UNREACHABLE("every kind of property is judged or not");
}

std::optional<std::string> ExplicitEngine::refuses(const Task& task) const {
  const auto judged = [this](model::PropertyKind kind) { return judges(kind); };
  if (auto reason = model::unjudged(task.program, judged)) return reason;
  if (!task.bound) return "the explicit engine needs a bound on the number of threads";
  if (task.options.partial_order && task.options.all_orders) return "--por and --no-por exclude each other";
  if (task.options.partial_order && !task.options.symmetry && model::looks_for_deadlocks(task.program)) {
    return "with --no-symmetry, the partial-order reduction is not meant for deadlocks";
  }
  if (uses_thread_refs(task.program)) return "the explicit engine does not follow thread references";
  if (const auto& condition = task.program.initial_condition) {
    bool quantified = false;
    for_each_node(task.program.exprs, *condition, [&](const model::Expr& node, model::ExprId) {
      quantified = quantified || (node.op != model::Op::SharedVar && node.type.kind() == model::Type::Kind::ThreadRef);
    });
    if (quantified) return "the explicit engine does not take initial conditions that speak of threads";
  }
  if (task.options.order == SearchOrder::Random) {
    if (task.options.partial_order) return "random executions and the partial-order reduction do not go together";
    if (task.options.certificate) return "random executions prove nothing";
  }
  if (task.options.order == SearchOrder::FewestDeviations) {
    if (!task.options.symmetry) return "deviations are counted with symmetry only";
    if (task.options.partial_order) return "the partial-order reduction does not keep the number of deviations";
    if (task.options.certificate) return "the search by deviations writes no certificates";
  }
  if (task.options.certificate && !task.options.symmetry) return "certificates are written with symmetry only";
  if (shares_memory(task)) return refuses_to_share(task);
  if (is_divided(task)) return refuses_to_divide(task);
  return std::nullopt;
}

Result ExplicitEngine::check(Env& env, const Task& task) const {
  COHORT_EXPECT(!refuses(task), "an engine checks only what it takes");
  try {
    if (shares_memory(task)) return check_shared(env, task);
    if (is_divided(task)) return check_divided(env, task);
    const bool counts = task.options.symmetry && task.options.order != SearchOrder::Random;
    return counts ? explore<CounterSpace>(env, task) : explore<PlainSpace>(env, task);
  } catch (const Stopped& stopped) {
    return Result::unknown(stopped.what());
  } catch (const std::bad_alloc& lack) {
    return Result::unknown(describe_lack_of_memory(lack, env.limits));
  }
}

}  // namespace cohort::engine::explicit_
