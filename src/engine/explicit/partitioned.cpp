#include "engine/explicit/partitioned.hpp"

#include <fmt/core.h>

#include "base/contract.hpp"
#include "base/sha256.hpp"
#include "base/version.hpp"
#include "engine/explicit/concretize.hpp"
#include "engine/explicit/counter_space.hpp"
#include "engine/explicit/partitioned_search.hpp"
#include "engine/explicit/plain_space.hpp"
#include "engine/explicit/task_choices.hpp"
#include "exchange/ranks.hpp"
#include "exchange/threads.hpp"
#include "model/print.hpp"
#include "model/run.hpp"
#include "result/counter_certificate.hpp"

namespace cohort::engine::explicit_ {

namespace {

using result::Result;
using result::Verdict;

void record(Env& env, const TeamOutcome& outcome, std::uint32_t workers, double seconds) {
  Statistics& statistics = env.statistics;
  const Report& total = outcome.total;
  statistics.set("workers", std::uint64_t{workers});
  statistics.set("states", total.states);
  statistics.set("transitions", total.transitions);
  statistics.set("messages", total.messages);
  statistics.set("message_bytes", total.bytes);
  statistics.set("store_bytes", total.store_bytes);
  if (total.states > 0) {
    const auto states = static_cast<double>(total.states);
    statistics.set("bytes_per_state", static_cast<double>(total.store_bytes) / states);
    statistics.set("sent_bytes_per_state", static_cast<double>(total.bytes) / states);
    // 1: every worker has as many states as any other.
    statistics.set("imbalance", static_cast<double>(total.largest) * workers / states);
  }
  statistics.set("search_seconds", seconds);
  if (seconds > 0) statistics.set("transitions_per_second", static_cast<double>(total.transitions) / seconds);
}

// The run is found as for one worker, in a store that holds the path alone.
template <class Space>
model::Run run_of(model::ThreadSystem& system, Space& space, const TeamOutcome& outcome) {
  StateStore path;
  SearchOutcome found{.fault = outcome.fault, .property = outcome.property};
  for (const exchange::Bytes& word : outcome.path) {
    const auto [ref, fresh] = path.insert(word, found.bad);
    COHORT_EXPECT(fresh, "a shortest path meets no state twice");
    found.bad = ref;
  }
  return concretize(system, space, path, found);
}

std::unique_ptr<result::Certificate> certify(const model::ThreadSystem& system, PartitionedSearch<CounterSpace>& search,
                                             std::uint32_t bound) {
  auto certificate = std::make_unique<result::CounterCertificate>();
  certificate->bound = bound;
  search.gather([&](const StateView& view) {
    auto& state = certificate->states.emplace_back();
    state.shared = view.shared;
    for (const Cell& cell : view.members) state.cells.emplace_back(cell.local, cell.count);
    std::sort(state.cells.begin(), state.cells.end());
  });
  for (model::SharedId id = 0; id < system.shared_count(); ++id) certificate->shared.push_back(system.shared(id));
  for (model::LocalId id = 0; id < system.local_count(); ++id) certificate->locals.push_back(system.local(id));
  return certificate;
}

std::string why_stopped(Env& env, const TeamOutcome& outcome) {
  if (!outcome.trouble.empty()) return outcome.trouble;
  const bool here = env.poll_now("partitioned-search");
  return fmt::format("{}; no violation within {} steps ({} states)",
                     here ? env.describe_stop() : std::string("a limit was reached by another worker"), outcome.depth,
                     outcome.total.states);
}

// Everything that the states of the search depend on.
std::string question_of(const Task& task) {
  return sha256(fmt::format("{}\n{} threads, symmetry {}, samples {}\n{}", version(), *task.bound,
                            task.options.symmetry, task.options.sample_choices, model::to_string(task.program)));
}

// One command may search several programs (with and without what is not modelled, for instance): each has a folder of
// its own.
std::optional<Saving> saving_of(const Task& task) {
  const CheckpointOptions& options = task.options.checkpoint;
  if (options.folder.empty()) return std::nullopt;
  std::string question = question_of(task);
  CheckpointFolder folder(options.folder + "/" + question.substr(0, 16));
  return Saving{std::move(folder), std::move(question), static_cast<double>(options.seconds)};
}

// What one worker does.
template <class Space>
Result explore(Env& env, const Task& task, exchange::Exchange& exchange) {
  model::ThreadSystem system(task.program, &env);
  if (task.options.sample_choices) system.choose_among(model::sample_values(task.program));
  Space space(system, *task.bound);
  StateStore store(&env);
  const double start = env.limits.elapsed_seconds();
  PartitionedSearch<Space> search(env, system, space, store, exchange, saving_of(task));
  const TeamOutcome outcome = search.run();
  record(env, outcome, exchange.size(), env.limits.elapsed_seconds() - start);
  Result result;
  if (outcome.violated) {
    result.verdict = Verdict::Unsafe;
    result.property = outcome.property;
    result.run = run_of(system, space, outcome);
    if (outcome.total.sampled > 0) result.run->choices = model::sample_values(task.program);
  } else if (!outcome.complete) {
    result.reason = why_stopped(env, outcome);
  } else if (outcome.total.sampled > 0) {
    result.reason = "no violation with the values that were tried for nondeterministic choices of wide types";
  } else {
    result.verdict = Verdict::Safe;
    if constexpr (std::is_same_v<Space, CounterSpace>) {
      result.holds_without_bound = !opens_with_any_number(task.program) && outcome.total.bound_reached == 0;
      if (task.options.certificate) {
        auto certificate = certify(system, search, *task.bound);
        if (exchange.self() == 0) result.certificate = std::move(certificate);
      }
    }
  }
  return result;
}

// A folder that cannot be read is the same for all workers, so none waits for another.
Result explore_part(Env& env, const Task& task, exchange::Exchange& exchange) {
  try {
    return task.options.symmetry ? explore<CounterSpace>(env, task, exchange)
                                 : explore<PlainSpace>(env, task, exchange);
  } catch (const CheckpointError& error) {
    return Result::unknown(error.what());
  }
}

}  // namespace

bool is_divided(const Task& task) {
  return task.options.workers > 1 || task.options.ranks != nullptr || !task.options.checkpoint.folder.empty();
}

std::optional<std::string> refuses_to_divide(const Task& task) {
  if (model::looks_for_deadlocks(task.program)) return "a search for deadlocks is not divided among workers";
  if (task.options.order.value_or(SearchOrder::BreadthFirst) != SearchOrder::BreadthFirst)
    return "only the breadth-first search is divided among workers";
  if (task.options.partial_order) return "the partial-order reduction is not divided among workers";
  return std::nullopt;
}

Result check_divided(Env& env, const Task& task) {
  COHORT_EXPECT(is_divided(task) && !refuses_to_divide(task), "what is divided can be");
  if (task.options.ranks != nullptr) {
    try {
      return explore_part(env, task, *task.options.ranks);
    } catch (const exchange::RankLost& lost) {
      return Result::unknown(lost.what());
    }
  }
  // Each worker looks at the limits for itself; the first one has the statistics and the progress of the whole.
  Env silent = env;
  silent.set_progress({});
  std::vector<Env> envs(task.options.workers, silent);
  std::vector<Result> parts(task.options.workers);
  exchange::run_in_threads(task.options.workers, [&](exchange::Exchange& exchange) {
    const std::uint32_t self = exchange.self();
    parts[self] = explore_part(self == 0 ? env : envs[self], task, exchange);
  });
  // Who met the limit knows which.
  for (std::uint32_t i = 1; i < task.options.workers && env.stop_reason() == StopReason::None; ++i) {
    if (envs[i].stop_reason() != StopReason::None) parts[0].reason = parts[i].reason;
  }
  return std::move(parts[0]);
}

}  // namespace cohort::engine::explicit_
