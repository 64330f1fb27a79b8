#include "engine/explicit/shared.hpp"

#include <algorithm>

#include <fmt/core.h>

#include "base/contract.hpp"
#include "engine/explicit/concretize.hpp"
#include "engine/explicit/counter_space.hpp"
#include "engine/explicit/plain_space.hpp"
#include "engine/explicit/shared_search.hpp"
#include "engine/explicit/task_choices.hpp"
#include "engine/explicit/waiting.hpp"
#include "engine/self_check.hpp"
#include "model/run.hpp"
#include "result/counter_certificate.hpp"

namespace cohort::engine::explicit_ {

namespace {

using result::Result;
using result::Verdict;

// The environments of all threads: each looks at the limits for itself; the first one has the statistics and the
// progress of the whole.
class Team {
 public:
  Team(Env& env, std::uint32_t threads) : others_(threads - 1, env) {
    all_.push_back(&env);
    for (Env& other : others_) {
      other.set_progress({});
      all_.push_back(&other);
    }
  }

  std::span<Env* const> envs() const { return all_; }
  // Who met a limit knows which.
  std::string describe_stop() const {
    for (const Env* env : all_) {
      if (env->stop_reason() != StopReason::None) return env->describe_stop();
    }
    all_.front()->poll_now("explicit-search");
    return all_.front()->describe_stop();
  }
  bool is_stopped() const {
    return std::any_of(all_.begin(), all_.end(), [](const Env* env) { return env->stop_reason() != StopReason::None; });
  }

 private:
  std::vector<Env> others_;
  std::vector<Env*> all_;
};

template <class Space>
void record(Env& env, SharedSearch<Space>& search, const SearchOutcome& outcome, std::size_t threads, double seconds) {
  Statistics& statistics = env.statistics;
  const std::uint64_t memory = search.store().memory();
  std::size_t expanded = 0;
  std::uint64_t largest = 0;
  search.for_each_worker([&](auto& worker) {
    expanded += worker.system().expanded_count();
    largest = std::max(largest, worker.transitions());
  });
  if (threads > 1) statistics.set("workers", std::uint64_t{threads});
  statistics.set("states", search.size());
  statistics.set("transitions", outcome.transitions);
  statistics.set("shared_states", std::uint64_t{search.first().system().shared_count()});
  statistics.set("local_states", std::uint64_t{search.first().system().local_count()});
  statistics.set("thread_states", std::uint64_t{expanded});
  if (threads > 1) statistics.set("shared_levels", search.shared_levels());
  statistics.set("store_bytes", memory);
  if (search.size() > 0)
    statistics.set("bytes_per_state", static_cast<double>(memory) / static_cast<double>(search.size()));
  // 1: every thread has taken as many transitions as any other.
  if (threads > 1 && outcome.transitions > 0) {
    const auto share = static_cast<double>(outcome.transitions) / static_cast<double>(threads);
    statistics.set("imbalance", static_cast<double>(largest) / share);
  }
  statistics.set("search_seconds", seconds);
  if (seconds > 0) statistics.set("transitions_per_second", static_cast<double>(outcome.transitions) / seconds);
}

// The run is found as for one thread, in a store that holds the path alone.
template <class Space>
model::Run run_of(SharedSearch<Space>& search, const SearchOutcome& outcome) {
  std::vector<SharedStore::Ref> path;
  for (SharedStore::Ref ref = outcome.bad; ref != SharedStore::none; ref = search.store().parent(ref))
    path.push_back(ref);
  std::reverse(path.begin(), path.end());
  StateStore store;
  SearchOutcome found{.fault = outcome.fault, .property = outcome.property};
  for (const SharedStore::Ref ref : path) {
    const std::size_t length = search.first().load(ref);
    const auto [stored, fresh] = store.insert({search.store().bytes(ref), length}, found.bad);
    COHORT_EXPECT(fresh, "parents are in earlier levels");
    found.bad = stored;
  }
  return concretize(search.first().system(), search.first().space(), store, found);
}

std::unique_ptr<result::Certificate> certify(SharedSearch<CounterSpace>& search, std::uint32_t bound) {
  const model::ThreadSystem& system = search.first().system();
  auto certificate = std::make_unique<result::CounterCertificate>();
  certificate->bound = bound;
  for (model::SharedId id = 0; id < system.shared_count(); ++id) certificate->shared.push_back(system.shared(id));
  for (model::LocalId id = 0; id < system.local_count(); ++id) certificate->locals.push_back(system.local(id));
  search.for_each_state([&](auto) {
    const CounterSpace& space = search.first().space();
    auto& state = certificate->states.emplace_back();
    state.shared = space.shared();
    for (const Cell& cell : space.cells()) state.cells.emplace_back(cell.local, cell.count);
    return true;
  });
  return certificate;
}

template <class Space>
bool has_sampled(SharedSearch<Space>& search) {
  bool sampled = false;
  search.for_each_worker([&](auto& worker) { sampled = sampled || worker.system().stepper().has_sampled(); });
  return sampled;
}

// After a complete search: does somebody wait for ever while others go on?
template <class Space>
void look_for_waiting(Env& env, SharedSearch<Space>& search, SearchOutcome& outcome) {
  Space& space = search.first().space();
  const std::vector<bool> partial = search.partial();
  WaitingSearch<Space, SharedStore::Writer> waiting(env, space, search.first().writer(), partial);
  if (const auto bad = waiting.run([&](auto&& visit) { search.for_each_state(visit); })) {
    outcome.bad = *bad;
    outcome.property = space.violation().deadlock();
  }
  outcome.complete = !waiting.stopped();
}

template <class Space>
void prepare(SharedSearch<Space>& search, const Task& task, bool forgets) {
  search.for_each_worker([&](auto& worker) {
    if (task.options.sample_choices) worker.system().choose_among(model::sample_values(task.program));
    if constexpr (std::is_same_v<Space, CounterSpace>) {
      if (forgets) worker.space().forget_names();
    }
  });
}

struct Searched {
  SearchOutcome outcome;
  bool closes = false;  // a certificate holds all reachable states, so what the reduction left out was explored, too
};

template <class Space>
Searched search_all(Env& env, const Team& team, const Task& task, SharedSearch<Space>& search) {
  Searched searched{search.run()};
  SearchOutcome& outcome = searched.outcome;
  if (outcome.complete) {
    self_check(env, "the stored states are closed under the steps explored, and none violates",
               [&] { return search.is_closed(); });
    if (team.is_stopped()) outcome.complete = false;
  }
  if (outcome.complete && search.first().space().violation().deadlock()) look_for_waiting(env, search, outcome);
  if constexpr (std::is_same_v<Space, CounterSpace>) {
    searched.closes = outcome.complete && task.options.partial_order && task.options.certificate;
    if (searched.closes) {
      search.for_each_worker([](auto& worker) { worker.space().explore_in_full(); });
      outcome = search.close();
      COHORT_EXPECT(outcome.bad == StateStore::none, "the partial-order reduction keeps a violation if there is one");
    }
  }
  return searched;
}

// As for one thread: where nobody asked for the reduction, a full search that may take about as long looks for the
// shortest run.
std::optional<model::Run> shortest_run(const Team& team, const Task& task, std::size_t states, bool forgets,
                                       std::optional<model::PropertyId>& property) {
  constexpr std::size_t least_states = 20'000;
  SharedSearch<CounterSpace> search(team.envs(), task, false);
  prepare(search, task, forgets);
  search.limit_states(std::max(least_states, 2 * states));
  const SearchOutcome outcome = search.run();
  if (outcome.bad == StateStore::none || (forgets && has_sampled(search))) return std::nullopt;
  property = outcome.property;
  return run_of(search, outcome);
}

template <class Space>
std::string established(const SharedSearch<Space>& search, const SearchOutcome& outcome, const Task& task) {
  if (reduces(task)) return fmt::format("no violation in the {} states seen", search.size());
  return fmt::format("no violation within {} steps ({} states)", outcome.depth, search.size());
}

template <class Space>
Result explore(Env& env, const Team& team, const Task& task, bool may_forget = true) {
  const bool forgets = may_forget && forgets_names(task);
  SharedSearch<Space> search(team.envs(), task, reduces(task));
  prepare(search, task, forgets);
  const double start = env.limits.elapsed_seconds();
  const auto [outcome, closes] = search_all(env, team, task, search);
  record(env, search, outcome, team.envs().size(), env.limits.elapsed_seconds() - start);
  const bool sampled = has_sampled(search);
  // See the search by one thread: with some values that were tried for a pointer, an object might not change places.
  if (forgets && outcome.bad != StateStore::none && sampled) return explore<Space>(env, team, task, false);
  Result result;
  if (outcome.bad != StateStore::none) {
    result.verdict = Verdict::Unsafe;
    result.property = outcome.property;
    if (reduces_unasked(task)) result.run = shortest_run(team, task, search.size(), forgets, result.property);
    if (!result.run) result.run = run_of(search, outcome);
    if (sampled) result.run->choices = model::sample_values(task.program);
  } else if (outcome.complete && sampled) {
    result.reason = "no violation with the values that were tried for nondeterministic choices of wide types";
  } else if (outcome.complete) {
    result.verdict = Verdict::Safe;
    if constexpr (std::is_same_v<Space, CounterSpace>) {
      bool bound_reached = false;
      search.for_each_worker([&](auto& worker) { bound_reached = bound_reached || worker.space().bound_reached(); });
      result.holds_without_bound = !opens_with_any_number(task.program) && !bound_reached;
      if (task.options.certificate) result.certificate = certify(search, *task.bound);
    }
  } else if (closes) {
    result.reason =
        team.describe_stop() + "; the reduced search found no violation, but its certificate is not complete";
  } else {
    result.reason = team.describe_stop() + "; " + established(search, outcome, task);
  }
  return result;
}

}  // namespace

bool shares_memory(const Task& task) {
  if (task.options.ranks != nullptr || !task.options.checkpoint.folder.empty()) return false;
  return task.options.workers > 1 || (order_of(task) == SearchOrder::BreadthFirst && !reduces(task));
}

std::optional<std::string> refuses_to_share(const Task& task) {
  if (order_of(task) != SearchOrder::BreadthFirst) return "only the breadth-first search is divided among workers";
  return std::nullopt;
}

Result check_shared(Env& env, const Task& task) {
  COHORT_EXPECT(shares_memory(task) && !refuses_to_share(task), "what is searched together can be");
  const Team team(env, task.options.workers);
  return task.options.symmetry ? explore<CounterSpace>(env, team, task) : explore<PlainSpace>(env, team, task);
}

}  // namespace cohort::engine::explicit_
