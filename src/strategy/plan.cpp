// The order is that of bench/c_suite/bench.py (programs with numbers) and of bench/symbolic, bench/karp_miller and
// bench/red (the rest): the engine that decides most programs of a kind comes first.  The shares are
// set by judgement, in the proportions of the turns that engines took one after the other; what finds bugs where a
// proof does not end has a share of its own from the beginning, so that what one engine is good at never waits for the
// others to give up.  Whoever changes a share runs bench/c_suite/bench.py before and after.
//
// The order matters for the first slices only: whoever comes first has a head start, and decides small programs alone.
#include "strategy/plan.hpp"
#include "model/analysis/visit.hpp"

#include <algorithm>
#include <array>

#include <fmt/core.h>

#include "base/contract.hpp"
#include "model/analysis/thread_bound.hpp"
#include "strategy/localize.hpp"

namespace cohort::strategy {

using engine::Engine;
using engine::EngineOptions;
using engine::SearchOrder;
using model::Program;

namespace {

// Looks for violations with few threads where a proof with hidden variables goes astray.
constexpr std::string_view searcher = "explicit";

constexpr auto deviations = SearchOrder::FewestDeviations;
constexpr auto random_runs = SearchOrder::Random;

bool open_data(const Features& features) {
  return features.open_data;
}

bool numbers(const Features& features) {
  return features.numbers;
}

bool numbers_of_any_number(const Features& features) {
  return features.numbers && features.any_number;
}

bool wide_choices(const Features& features) {
  return features.wide_choices;
}

constexpr std::array table{
    Row{.engine = "control-flow", .why = "needs no search where no violation is in the control flow"},
    Row{.engine = "symbolic",
        .share = 4,
        .condition = open_data,
        .why = "each open choice doubles the states that a step leads to, where a set of states stays one set"},
    Row{.engine = "explicit", .share = 4, .why = "decides small programs at once, and its traces are shortest"},
    Row{.engine = "pointer", .share = 4, .why = "made for processes that point to each other"},
    Row{.engine = "pointer-symbolic", .share = 3, .why = "the same for many initial states"},
    Row{.engine = "pointer-views", .share = 3, .why = "any number of processes that point to each other"},
    Row{.engine = "coverability", .share = 4, .why = "any number of threads, by three methods in turns"},
    Row{.engine = "karp-miller", .share = 2, .why = "any number of threads, with sets where much is uninitialised"},
    Row{.engine = "modular",
        .share = 8,
        .condition = numbers_of_any_number,
        .why = "with numbers that grow, few searches for any number of threads end"},
    Row{.engine = "modular", .share = 3, .why = "invariants of a few threads need no search through states"},
    Row{.engine = "cegar", .share = 6, .condition = numbers_of_any_number, .why = "likewise"},
    Row{.engine = "explicit",
        .share = 2,
        .order = deviations,
        .condition = numbers,
        .why = "most bugs of large programs need few untimely switches"},
    Row{.engine = "explicit",
        .share = 4,
        .localized = Start::Unknown,
        .condition = wide_choices,
        .why = "most programs are safe whatever the time, random numbers and their arguments are"},
    Row{.engine = "karp-miller",
        .share = 1,
        .localized = Start::Everything,
        .condition = numbers,
        .why = "proofs often need few of the variables"},
    Row{.engine = "explicit", .share = 1, .localized = Start::Everything, .condition = numbers, .why = "likewise"},
    Row{.engine = "explicit", .scope = Scope::Few, .share = 1, .why = "few threads are enough for most bugs"},
    Row{.engine = "explicit",
        .scope = Scope::Few,
        .share = 2,
        .order = deviations,
        .why = "few threads and few switches are enough for most bugs"},
    Row{.engine = "bmc", .share = 3, .why = "data that nobody can enumerate"},
    Row{.engine = "explicit",
        .share = 1,
        .order = random_runs,
        .condition = numbers,
        .why = "bugs behind long executions that many schedules lead to"},
    Row{.engine = "bmc", .scope = Scope::Few, .share = 2, .why = "data that nobody can enumerate"},
    Row{.engine = "explicit",
        .scope = Scope::Several,
        .share = 1,
        .order = random_runs,
        .condition = numbers,
        .why = "bugs behind long executions that many schedules lead to"},
    Row{.engine = "explicit", .scope = Scope::Several, .share = 1, .why = "some bugs need more threads"},
    Row{.engine = "explicit",
        .scope = Scope::Many,
        .share = 1,
        .order = deviations,
        .why = "some bugs need many threads that each do little"},
    Row{.engine = "cegar", .share = 2, .why = "predicates where data has too many values"},
    Row{.engine = "backward", .share = 1, .why = "few bad configurations that few lead to, with broadcasts"},
    Row{.engine = "widening", .share = 1, .why = "few threads of a bad configuration are often bad enough"},
    Row{.engine = "dynamic-cutoff", .share = 1, .why = "few threads often reach all that any number reaches"},
    Row{.engine = "marking-equation", .share = 1, .why = "quick proofs by weights and traps"},
    Row{.engine = "pointer-backward", .share = 1, .why = "few bad states that few states lead to"},
    Row{.engine = "symbolic", .share = 1, .why = "where single states are too many after all"},
};

// For engines that the table does not name.
constexpr Row unnamed{.engine = "", .share = 2, .why = "every engine that takes the program takes part"};

std::uint32_t threads_of(Scope scope) {
  switch (scope) {
    case Scope::Few: return default_bound;
    case Scope::Several: return 2 * default_bound;
    case Scope::Many: return 8 * default_bound;
    case Scope::Question: break;
  }
  COHORT_UNREACHABLE("the threads of the question are not a number of the plan's");
}

// Bounds that answer the question, the one that says most first; none among them stands for any number.
struct Bound {
  std::optional<std::uint32_t> threads;
  bool complete = true;
};

std::vector<Bound> bounds_of_question(const Program& program, const Threads& threads) {
  const auto most = model::most_threads(program);
  if (threads.bound) return {{threads.bound, most && *most <= *threads.bound}};
  if (most && *most > 0) return {{most}, {std::nullopt}};
  return {{std::nullopt}};
}

std::optional<std::string> refusal_of(const Engine& engine, const engine::Task& task) {
  if (!engine.judges(model::PropertyKind::Deadlock) && model::looks_for_deadlocks(task.program))
    return "it does not look for deadlocks";
  const auto order = task.options.order;
  const bool schedules = order == SearchOrder::FewestDeviations || order == SearchOrder::Random;
  if (schedules && !engine.chooses_schedules()) return "it does not choose schedules";
  return engine.refuses(task);
}

class Planner {
 public:
  Planner(const Program& program, const Threads& threads, const EngineOptions& options)
      : program_(program), options_(options), question_(bounds_of_question(program, threads)) {}

  // Is the question open towards more threads than a search for violations can have?
  bool open() const { return question_.size() == 1 && !question_[0].threads; }

  void add(const Engine& engine, const Row& row) {
    const std::vector<Bound> bounds =
        row.scope == Scope::Question ? question_ : std::vector<Bound>{{threads_of(row.scope), false}};
    add(engine, row, bounds);
  }

  void add(const Engine& engine, const Row& row, const std::vector<Bound>& bounds) {
    Job job{.engine = &engine, .share = row.share, .options = options_};
    if (!job.options.order) job.options.order = row.order;
    job.endless = job.options.order == random_runs;
    if (row.localized) {
      job.owned = localized(engine, *engine::find_engine(searcher), *row.localized);
      job.engine = job.owned.get();
    }
    for (const Bound& bound : bounds) {
      const auto refusal = refusal_of(*job.engine, {program_, bound.threads, job.options});
      if (refusal) {
        refuse(engine, *refusal);
        continue;
      }
      job.bound = bound.threads;
      job.complete = bound.complete;
      if (!is_planned(job, row)) plan_.jobs.push_back(job);
      return;
    }
  }

  Plan take() { return std::move(plan_); }

 private:
  void refuse(const Engine& engine, const std::string& reason) {
    const std::string said = fmt::format("{}: {}", engine.name(), reason);
    if (plan_.refusals.find(said) != std::string::npos) return;
    plan_.refusals += (plan_.refusals.empty() ? "" : "; ") + said;
  }

  bool is_planned(const Job& job, const Row& row) const {
    return !row.localized && std::any_of(plan_.jobs.begin(), plan_.jobs.end(), [&](const Job& other) {
      return other.engine == job.engine && other.bound == job.bound && other.options.order == job.options.order;
    });
  }

  const Program& program_;
  const EngineOptions& options_;
  std::vector<Bound> question_;
  Plan plan_;
};

// How much of the program's data is left open: bits that are free at the start, choices in all steps, and the most in
// one step.  Each choice doubles the states that a step leads to, where a set of states stays one set.  The thresholds
// are where bench/symbolic saw the explicit and the symbolic engine cross.
bool has_open_data(const Program& program) {
  std::uint32_t free = 0;
  std::uint32_t most_in_a_step = 0;
  const auto count_free = [&](const std::vector<model::Variable>& variables) {
    for (const model::Variable& variable : variables) free += variable.initial.empty() ? 1 : 0;
  };
  count_free(program.shared);
  for (const model::Template& templ : program.templates) {
    count_free(templ.locals);
    for (const model::Edge& edge : templ.edges) {
      std::uint32_t here = 0;
      for (const model::Action& action : edge.actions) {
        model::for_each_node(program.exprs, action, [&](const model::Expr& node, model::ExprId) {
          here += node.op == model::Op::Nondet ? 1 : 0;
        });
      }
      free += here;
      most_in_a_step = std::max(most_in_a_step, here);
    }
  }
  return most_in_a_step >= 5 || free > 16;
}

bool has_numbers(const Program& program) {
  const auto is_number = [](const model::Variable& variable) {
    return variable.type.kind() == model::Type::Kind::Int && variable.type.width() >= 8;
  };
  const auto has = [&](const std::vector<model::Variable>& variables) {
    return std::any_of(variables.begin(), variables.end(), is_number);
  };
  return has(program.shared) || std::any_of(program.templates.begin(), program.templates.end(),
                                            [&](const model::Template& templ) { return has(templ.locals); });
}

bool has_wide_choices(const Program& program) {
  constexpr std::uint64_t enumerable = 256;
  return model::any_action(program, [&](const model::Action& action) {
    bool wide = false;
    model::for_each_node(program.exprs, action, [&](const model::Expr& node, model::ExprId) {
      const std::uint64_t values = node.op == model::Op::Nondet ? node.type.element().cardinality() : 1;
      wide = wide || values == 0 || values > enumerable;
    });
    return wide;
  });
}

std::string_view word(SearchOrder order) {
  switch (order) {
    case SearchOrder::BreadthFirst: return "breadth first";
    case SearchOrder::DepthFirst: return "depth first";
    case SearchOrder::FewestDeviations: return "fewest deviations first";
    case SearchOrder::Random: return "random executions";
  }
  COHORT_UNREACHABLE("every order has a word");
}

}  // namespace

std::span<const Row> rows() {
  return table;
}

std::uint32_t bound_by_default(const Program& program) {
  const auto count = model::fixed_thread_count(program);
  return count && *count > 0 ? *count : default_bound;
}

std::string_view closed_set_engine(const Program& program, std::optional<std::uint32_t> bound) {
  constexpr std::string_view usual = "explicit";
  constexpr std::string_view of_named = "pointer";
  engine::EngineOptions options;
  options.certificate = true;
  const engine::Task task{program, bound, options};
  const bool takes_named = engine::find_engine(usual)->refuses(task) && !engine::find_engine(of_named)->refuses(task);
  return takes_named ? of_named : usual;
}

std::optional<std::uint32_t> bound_of_answer(const Program& program, const Threads& threads) {
  if (threads.bound || threads.any_number) return threads.bound;
  const auto count = model::fixed_thread_count(program);
  return count && *count > 0 ? count : std::nullopt;
}

std::string Job::title() const {
  std::string text = fmt::format("{}{}{}", about, about.empty() ? "" : ": ", engine->name());
  if (owned) text += ", variables hidden";
  if (bound) text += fmt::format(", {} thread{}", *bound, *bound == 1 ? "" : "s");
  if (options.order) text += fmt::format(", {}", word(*options.order));
  return text;
}

Plan make_plan(const Program& program, const Threads& threads, const EngineOptions& options) {
  EngineOptions own = options;
  own.sample_choices = true;
  Planner planner(program, threads, own);
  const Features features{.numbers = has_numbers(program),
                          .open_data = has_open_data(program),
                          .any_number = planner.open(),
                          .wide_choices = has_wide_choices(program)};
  for (const Row& row : table) {
    const Engine* engine = engine::find_engine(row.engine);
    COHORT_EXPECT(engine != nullptr, "the plan names engines that exist");
    if (row.condition != nullptr && !row.condition(features)) continue;
    if (row.scope != Scope::Question && !planner.open()) continue;
    planner.add(*engine, row);
  }
  for (const auto& engine : engine::engines()) {
    const auto names = [&](const Row& row) { return row.engine == engine->name(); };
    if (std::none_of(table.begin(), table.end(), names)) planner.add(*engine, unnamed);
  }
  return planner.take();
}

Plan make_plan_of(const Engine& engine, const Program& program, const Threads& threads, const EngineOptions& options) {
  Planner planner(program, threads, options);
  const Row row{.engine = engine.name(), .why = "it was asked for"};
  std::vector<Bound> bounds;
  if (threads.any_number) {
    bounds = {{std::nullopt}};
  } else {
    bounds = bounds_of_question(program, threads);
    if (!threads.bound && !bounds.back().threads) bounds.push_back({bound_by_default(program), false});
  }
  planner.add(engine, row, bounds);
  return planner.take();
}

}  // namespace cohort::strategy
