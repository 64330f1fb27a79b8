#include "engine/pointer/any_number_engine.hpp"

#include <algorithm>
#include <new>

#include <fmt/core.h>

#include "base/contract.hpp"
#include "base/memory_guard.hpp"
#include "engine/pointer/closed_views.hpp"
#include "engine/pointer/pointer_engine.hpp"

namespace cohort::engine::pointer {

using result::Result;
using result::Verdict;

namespace {

constexpr std::uint32_t most_in_view = 3;
// Where views prove nothing, so many processes are searched before the answer is that nothing is known.
constexpr std::uint32_t most_searched = 8;

bool has_any_number(const model::Program& program) {
  return !program.initial.front().count.has_value();
}

model::Program with_processes(model::Program program, std::uint32_t count) {
  program.initial.front().count = count;
  return program;
}

bool has_references(const model::Program& program) {
  const auto is_reference = [](const model::Variable& variable) {
    return variable.type.kind() == model::Type::Kind::ThreadRef;
  };
  const auto has = [&](const std::vector<model::Variable>& variables) {
    return std::any_of(variables.begin(), variables.end(), is_reference);
  };
  return has(program.shared) || has(program.templ(program.initial.front().templ).locals);
}

// Few processes are searched one number after the other; views of k speak of more than k.
class Search {
 public:
  Search(Env& env, const Task& task) : env_(env), task_(task), any_(has_any_number(task.program)) {
    if (!any_) most_ = task.program.initial.front().count;
    if (any_ && task.bound) most_ = task.bound;
    for (const model::Property& property : task.program.properties) {
      if (property.condition) least_ = std::max(least_, processes_spoken_of(task.program.exprs, *property.condition));
    }
  }

  Result run() {
    std::uint32_t searched = 0;
    for (auto k = static_cast<std::uint32_t>(least_); k <= most_in_view; ++k) {
      while (any_ && searched < k + 1 && !(most_ && searched == *most_)) {
        if (auto violation = search(++searched)) return std::move(*violation);
      }
      if (any_ && most_ && searched == *most_) return {.verdict = Verdict::Safe};
      if (!any_ && *most_ <= k) break;
      if (auto answer = prove(k)) return std::move(*answer);
    }
    while (any_ && searched < most_searched && !(most_ && searched == *most_)) {
      if (auto violation = search(++searched)) return std::move(*violation);
    }
    if (any_ && most_ && searched == *most_) return {.verdict = Verdict::Safe};
    return Result::unknown(reason_.empty() ? "there are too few processes for views of them" : reason_);
  }

 private:
  // None: with so many processes it is safe.
  std::optional<Result> search(std::uint32_t processes) {
    const model::Program program = with_processes(task_.program, processes);
    EngineOptions options = task_.options;
    const Task few{program, processes, options};
    Result result = PointerEngine().check(env_, few);
    if (result.verdict == Verdict::Safe) return std::nullopt;
    if (result.verdict == Verdict::Unknown) {
      result.reason =
          fmt::format("{} with {} processes{}", result.reason, processes, reason_.empty() ? "" : "; " + reason_);
    }
    return result;
  }

  // None: it may be safe, but such views do not show it.
  std::optional<Result> prove(std::uint32_t k) {
    const model::Program program = with_processes(task_.program, k + 1);
    const Layout layout(program);
    ClosedViews views(env_, layout, k, task_.options.inactive);
    const ClosedViews::Outcome outcome = views.run();
    env_.statistics.set("views", std::uint64_t{views.count()});
    env_.statistics.set("parts", std::uint64_t{views.parts()});
    if (outcome == ClosedViews::Outcome::Stopped) return Result::unknown(views.reason());
    reason_ = fmt::format("to {} in view {}", k == 1 ? "one process" : fmt::format("{} processes", k), views.reason());
    if (outcome == ClosedViews::Outcome::MayBeBad) return std::nullopt;
    env_.statistics.set("threads in view", std::uint64_t{k});
    Result result{.verdict = Verdict::Safe};
    result.holds_without_bound = true;
    result.reason = fmt::format("k = {}: {} views of {}{}", k, views.count(),
                                k == 1 ? "one process" : fmt::format("{} processes", k),
                                views.uses_ranks() ? " and of the order in which they were enqueued" : "");
    return result;
  }

  Env& env_;
  const Task& task_;
  const bool any_;
  std::optional<std::uint32_t> most_;  // processes; none: any number
  std::size_t least_ = 1;              // k, for the sake of the properties
  std::string reason_;
};

}  // namespace

std::string_view AnyNumberEngine::purpose() const {
  return "Proofs for any number of processes with pointers between them, by what two or three of them can see and the "
         "order in which they entered a queue; violations with few processes.";
}

std::string_view AnyNumberEngine::fragment() const {
  return "Processes of one template, all alike, with pointers, ranges and Booleans, and conditions over all processes; "
         "steps are deterministic.";
}

bool AnyNumberEngine::judges(model::PropertyKind kind) const {
  return PointerEngine().judges(kind);
}

std::optional<std::string> AnyNumberEngine::refuses(const Task& task) const {
  const auto judged = [this](model::PropertyKind kind) { return judges(kind); };
  if (auto reason = model::unjudged(task.program, judged)) return reason;
  if (task.program.initial.size() != 1) return "it takes processes that all start alike";
  const auto& count = task.program.initial.front().count;
  if (count && task.bound && *task.bound < *count) return "the program starts with more threads than the bound allows";
  if (task.options.order) return "it has an order of its own";
  if (!task.options.symmetry) return "it always uses symmetry";
  if (!has_references(task.program)) return "it takes programs with pointers between processes";
  const model::Program program = with_processes(task.program, most_in_view + 1);
  if (auto refusal = refuses_certificate(task)) return refusal;
  if (auto refusal = refuses_task({program, most_in_view + 1, task.options})) return refusal;
  return refuses_parts(task.program);
}

Result AnyNumberEngine::check(Env& env, const Task& task) const {
  COHORT_EXPECT(!refuses(task), "an engine checks only what it takes");
  try {
    return Search(env, task).run();
  } catch (const Stopped& stopped) {
    return Result::unknown(stopped.what());
  } catch (const std::bad_alloc& lack) {
    return Result::unknown(describe_lack_of_memory(lack, env.limits));
  }
}

}  // namespace cohort::engine::pointer
