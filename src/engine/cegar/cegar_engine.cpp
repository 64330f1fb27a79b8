// The loop.  One iteration: a shortest abstract violation with one or two threads, in a small search; else all views
// for any number of threads, stopping at an error, and then a thorough search with a few threads; simulation of the
// violation; new predicates.  After some iterations lemmas that Houdini finds join in.  Where that does not end, a
// second loop over the program with ghost counters of threads (lemma/ghosts.hpp) has its turn, with lemmas from the
// start.
//
// Where the number of threads is bounded, a proof for any number covers it (views.hpp).  Only where the views fail and
// few threads show no abstract violation is the bound itself searched.
#include "engine/cegar/cegar_engine.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <new>

#include <fmt/core.h>

#include "abstraction/boolean_program.hpp"
#include "abstraction/cube_images.hpp"
#include "abstraction/oracle.hpp"
#include "abstraction/predicates.hpp"
#include "base/contract.hpp"
#include "base/memory_guard.hpp"
#include "engine/abstract.hpp"
#include "engine/cegar/boolean_check.hpp"
#include "engine/cegar/certify.hpp"
#include "engine/cegar/counting.hpp"
#include "engine/cegar/layout.hpp"
#include "engine/cegar/refine.hpp"
#include "engine/cegar/simulate.hpp"
#include "engine/cegar/views.hpp"
#include "engine/self_check.hpp"
#include "lemma/ghosts.hpp"
#include "lemma/houdini.hpp"
#include "model/analysis/access.hpp"
#include "model/analysis/may_fault.hpp"
#include "model/analysis/thread_limits.hpp"
#include "model/analysis/visit.hpp"
#include "model/commands.hpp"
#include "model/passes/liveness.hpp"

namespace cohort::engine::cegar {

using abstraction::Predicate;
using result::Result;
using result::Verdict;

namespace {

// Threads with which an abstract violation is looked for, beyond those that exist at the start anyway.
constexpr std::uint32_t few_threads = 3;
// And beyond those, where the views claim one that they do not show.
constexpr std::uint32_t more_threads = 2;
// For the search before views are made.
constexpr std::uint32_t quick_threads = 2;
constexpr std::size_t quick_states = 1000;
constexpr std::size_t most_rounds = 200;  // that statistics list
// Processor seconds for lemmas, and their share of the time that is left.
constexpr double lemma_seconds = 60;
constexpr double lemma_share = 0.3;
constexpr std::uint32_t most_elements = 2048;  // of an array
// Of a view and the one that steps beside it.
constexpr std::uint64_t threads_in_a_step = 3;

// What the loop spends its time on; images that the oracle computes belong to the search that asks for them.
enum class Phase : std::uint8_t { Abstraction, Checking, Simulation, Refinement };

class Stopwatch {
 public:
  template <class Work>
  auto during(Phase phase, Work&& work) {
    const Timing timing{seconds_[static_cast<std::size_t>(phase)], Clock::now()};
    return work();
  }
  void record(Statistics& statistics) const {
    for (std::size_t i = 0; i < names.size(); ++i) statistics.set(names[i], seconds_[i]);
  }

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr std::array<std::string_view, 4> names{"abstraction_seconds", "checking_seconds",
                                                         "simulation_seconds", "refinement_seconds"};

  struct Timing {
    double& seconds;
    Clock::time_point start;

    ~Timing() { seconds += std::chrono::duration<double>(Clock::now() - start).count(); }
  };

  std::array<double, 4> seconds_{};
};

std::optional<std::uint32_t> cube_length(const EngineOptions& options) {
  switch (options.abstraction) {
    case AbstractionMode::Oracle: return std::nullopt;
    case AbstractionMode::Cubes0: return 0;
    case AbstractionMode::Cubes1: return 1;
    case AbstractionMode::Cubes2: return 2;
  }
  COHORT_UNREACHABLE("every mode has cubes or none");
}

// The program that ghosts were added to, and what they count.
struct Counts {
  const Task& plain;
  lemma::Census census;
};

class Loop {
 public:
  // With `counts`, the task's program is the one with ghosts.
  Loop(Env& env, const Task& task, const Settings& settings, const Engine* checker, const Counts* counts = nullptr)
      : env_(env),
        task_(task),
        settings_(settings),
        commands_(task.program),
        live_(commands_.program()),
        layout_(commands_),
        predicates_(commands_, live_, task.options.abstraction != AbstractionMode::Oracle),
        oracle_(env, commands_, predicates_),
        refiner_(commands_, predicates_, oracle_),
        counts_(counts) {
    if (const auto length = cube_length(task.options)) boolean_.emplace(env_, oracle_, predicates_, *checker, *length);
  }

  // None: there have been so many iterations, and the next call goes on.
  std::optional<Result> run(std::size_t most_iterations) {
    while (iterations_ < most_iterations) {
      ++iterations_;
      const std::size_t alone = counts_ != nullptr ? 0 : settings_.iterations_without_lemmas;
      if (!boolean_ && iterations_ == alone + 1) find_lemmas();
      oracle_.reset(ask_unaffected_);
      env_.report_progress([&] { return describe(); });
      const double began = env_.limits.elapsed_seconds();
      const std::size_t known = predicates_.all().size();
      auto result = boolean_ ? iterate_boolean() : iterate();
      record_round(began, known, result ? &*result : nullptr);
      if (result) return result;
    }
    return std::nullopt;
  }

  std::string boolean_program(std::uint32_t cube_length) {
    oracle_.reset(false);
    if (boolean_) {
      boolean_->abstract();
      return boolean_->is_complete() ? abstraction::boolean_program(oracle_, predicates_, boolean_->steps()) : "";
    }
    abstraction::Cartesian cartesian(oracle_, predicates_, cube_length);
    std::vector<abstraction::BroadcastStep> steps;
    for (std::uint32_t i = 0; i < commands_.all().size(); ++i) steps.push_back(cartesian.step(i));
    return abstraction::boolean_program(oracle_, predicates_, steps);
  }

  // A line for each round: when it began, with how many predicates, and what came of it.
  void record_round(double began, std::size_t known, const Result* result) {
    if (iterations_ > most_rounds) return;
    std::string outcome;
    if (result != nullptr && result->verdict == Verdict::Safe) {
      outcome = fmt::format("no abstract violation in {} views: proved", views_);
    } else if (result != nullptr && result->verdict == Verdict::Unsafe) {
      outcome = "the abstract violation is a real one";
    } else if (result != nullptr) {
      outcome = result->reason;
    } else {
      for (std::size_t i = known; i < predicates_.all().size(); ++i) {
        outcome += (outcome.empty() ? "" : "; ") + predicates_.text(predicates_.all()[i]);
      }
      outcome =
          outcome.empty() ? "asks more of the same predicates" : "an abstract violation that is none; new: " + outcome;
    }
    env_.statistics.set(
        fmt::format("{}round_{}", counts_ != nullptr ? "ghost_" : "", iterations_),
        fmt::format("{:.2f} s, {} {}: {}", began, known, known == 1 ? "predicate" : "predicates", outcome));
  }

  void record() {
    Statistics& statistics = env_.statistics;
    statistics.set("iterations", std::uint64_t{iterations_});
    statistics.set("predicates", std::uint64_t{predicates_.all().size()});
    statistics.set("local_predicates", std::uint64_t{predicates_.count(Predicate::Scope::Local)});
    statistics.set("mixed_predicates", std::uint64_t{predicates_.count(Predicate::Scope::Mixed)});
    statistics.set("shared_predicates", std::uint64_t{predicates_.count(Predicate::Scope::Shared)});
    statistics.set("views", std::uint64_t{views_});
    statistics.set("abstract_states", std::uint64_t{states_});
    statistics.set("lemmas", std::uint64_t{lemma_count_});
    statistics.set("queries", oracle_.queries() + simulation_queries_);
    if (boolean_) statistics.set("transition_refinements", std::uint64_t{boolean_->conjuncts()});
    watch_.record(statistics);
    std::string texts;
    for (const Predicate& predicate : predicates_.all())
      texts += (texts.empty() ? "" : "; ") + predicates_.text(predicate);
    statistics.set("predicate_list", texts);
  }

 private:
  // None: something was added, and the loop goes on.
  std::optional<Result> iterate() {
    if (watch_.during(Phase::Checking, [&] { return look_quickly(); })) return judge(*violation_);
    Views views(env_, oracle_, layout_);
    const Views::Outcome outcome = watch_.during(Phase::Checking, [&] { return views.run(); });
    views_ = views.count();
    if (outcome == Views::Outcome::Safe) return proved(views);
    if (outcome == Views::Outcome::Stopped) return stopped();
    return look_for_violation();
  }

  // The same with a Boolean program that another engine checks.
  std::optional<Result> iterate_boolean() {
    watch_.during(Phase::Abstraction, [&] { boolean_->abstract(); });
    if (!boolean_->is_complete()) return stopped();
    if (!task_.bound) {
      oracle_.use_steps(&boolean_->steps());
      return iterate();
    }
    watch_.during(Phase::Abstraction, [&] { boolean_->make_program(); });
    const auto outcome = watch_.during(Phase::Checking, [&] { return boolean_->check(*task_.bound); });
    switch (outcome) {
      case BooleanCheck::Outcome::Safe: return safe(false);
      case BooleanCheck::Outcome::Stopped:
        return Result::unknown(fmt::format("{}; {}", boolean_->reason(), describe()));
      case BooleanCheck::Outcome::Violated: return judge(boolean_->path());
    }
    COHORT_UNREACHABLE("every outcome is one of these");
  }

  // Does a small search with one or two threads show an abstract violation?  Most iterations need no more.
  bool look_quickly() {
    for (CountingOptions options : searches()) {
      if (options.threads > quick_threads && !options.exact) break;
      options.most_states = quick_states;
      Counted counted = count_threads(env_, oracle_, options);
      states_ = std::max(states_, counted.states);
      if (counted.outcome == Counted::Outcome::TooMany) break;
      if (counted.outcome != Counted::Outcome::Violated) continue;
      if (boolean_) boolean_->follow(counted);
      violation_ = std::move(counted.path);
      return true;
    }
    return false;
  }

  std::string describe() const {
    return fmt::format("iteration {}, predicates {}/{}/{} (local/mixed/shared), {} views, {} queries", iterations_,
                       predicates_.count(Predicate::Scope::Local), predicates_.count(Predicate::Scope::Mixed),
                       predicates_.count(Predicate::Scope::Shared), views_, oracle_.queries() + simulation_queries_);
  }

  Result stopped() const {
    const std::string why = oracle_.stopped() ? oracle_.stop_reason() : env_.describe_stop();
    return Result::unknown(fmt::format("{}; {}", why, describe()));
  }

  static Result safe(bool for_any_number) {
    Result result{.verdict = Verdict::Safe};
    result.holds_without_bound = for_any_number;
    return result;
  }

  // Facts that hold of all pairs of threads, whatever they are worth.
  void find_lemmas() {
    const double now = env_.limits.elapsed_seconds();
    const double left = env_.limits.time_limit().value_or(now + lemma_seconds / lemma_share) - now;
    houdini_ = std::make_unique<lemma::Houdini>(
        env_, commands_,
        lemma::HoudiniOptions{.views = {.threads = 2},
                              .stop_at_errors = false,
                              .census = census(),
                              .processor_seconds = std::min(lemma_seconds, left * lemma_share)});
    lemmas_ = watch_.during(Phase::Refinement, [&] { return houdini_->run(); });
    if (lemmas_.inductive) oracle_.use_lemmas(*houdini_, lemmas_.invariant, census());
    lemma_count_ = 0;
    for (const auto& [view, atoms] : lemmas_.invariant.facts) lemma_count_ += lemmas_.inductive ? atoms.size() : 0;
  }

  Result proved(const Views& views) {
    Result result = safe(true);
    const auto proof = [&] {
      const bool lemmas = lemmas_.inductive;
      return certify(oracle_, predicates_, layout_, views, lemmas ? houdini_.get() : nullptr,
                     lemmas ? &lemmas_.invariant : nullptr, census().ghosts);
    };
    if (counts_ != nullptr) note_counting(result);
    // What is counted up to the bound is no proof to a checker that is not told of the bound.
    if (counts_ == nullptr || !task_.bound || task_.options.certificate) {
      self_check(env_, "the abstract states are a proof to the checker",
                 [&] { return passes_checker(env_, plain_task().program, std::nullopt, *proof()); });
    }
    if (task_.options.certificate) result.certificate = proof();
    return result;
  }

  // The numbers of threads with which violations are looked for.
  std::vector<CountingOptions> searches() const {
    std::uint32_t fixed = 0;
    for (const model::InitialThreads& group : task_.program.initial) fixed += group.count.value_or(0);
    std::vector<CountingOptions> result;
    if (task_.bound && creates_threads(task_.program)) {
      result.push_back({.threads = *task_.bound, .exact = true});
      return result;
    }
    const bool more = starts_with_any_number(task_.program) || creates_threads(task_.program);
    std::uint32_t most = more ? std::max(fixed + 1, few_threads) : fixed;
    if (creates_threads(task_.program)) most = std::max(most, fixed + 2);
    if (task_.bound) most = std::min(most, *task_.bound);
    for (std::uint32_t n = std::max(fixed, 1U); n <= most; ++n) result.push_back({.threads = n});
    if (task_.bound && more && most < *task_.bound) result.push_back({.threads = *task_.bound});
    return result;
  }

  // None: predicates were added, and the loop goes on.
  std::optional<Result> look_for_violation() {
    bool covered = false;
    for (const CountingOptions& options : searches()) {
      const Counted counted = watch_.during(Phase::Checking, [&] { return count_threads(env_, oracle_, options); });
      states_ = std::max(states_, counted.states);
      if (counted.outcome == Counted::Outcome::Stopped) return stopped();
      if (counted.outcome == Counted::Outcome::TooMany) break;
      if (counted.outcome == Counted::Outcome::Violated) {
        if (boolean_) boolean_->follow(counted);
        return judge(counted.path);
      }
      covered = covers_all(options, counted);
    }
    if (covered && task_.options.certificate) {
      return Result::unknown("it holds with the threads that there are, but certificates speak of any number");
    }
    if (covered) return safe(!task_.bound);
    if (!boolean_ && !ask_unaffected_) {
      ask_unaffected_ = true;
      return std::nullopt;
    }
    return look_with_more_threads();
  }

  // The views are wrong about an error that few threads do not show: a few more may.
  std::optional<Result> look_with_more_threads() {
    const std::vector<CountingOptions> tried = searches();
    if (!task_.bound && !tried.empty() && starts_with_any_number(task_.program)) {
      for (std::uint32_t n = tried.back().threads + 1; n <= tried.back().threads + more_threads; ++n) {
        const CountingOptions options{.threads = n};
        const Counted counted = watch_.during(Phase::Checking, [&] { return count_threads(env_, oracle_, options); });
        states_ = std::max(states_, counted.states);
        if (counted.outcome == Counted::Outcome::Stopped) return stopped();
        if (counted.outcome == Counted::Outcome::TooMany) break;
        if (counted.outcome != Counted::Outcome::Violated) continue;
        if (boolean_) boolean_->follow(counted);
        return judge(counted.path);
      }
    }
    return Result::unknown(fmt::format("no abstract violation with few threads, and no proof; {}", describe()));
  }

  // Are these threads all that there can be?
  bool covers_all(const CountingOptions& options, const Counted& counted) const {
    if (options.exact) return true;
    if (counted.created_beyond) return false;
    if (task_.bound) return options.threads == *task_.bound || !starts_with_any_number(task_.program);
    return !starts_with_any_number(task_.program);
  }

  std::optional<Result> judge(const Path& path) {
    Simulation simulation(env_, commands_, path);
    const Simulation::Outcome outcome = watch_.during(Phase::Simulation, [&] { return simulation.run(); });
    std::optional<Result> result;
    if (outcome == Simulation::Outcome::Stopped) {
      result = Result::unknown(fmt::format("{}; {}", simulation.reason(), describe()));
    } else if (outcome == Simulation::Outcome::Overflows) {
      result = Result::unknown("an integer may leave 64 bits");
    } else if (outcome == Simulation::Outcome::Feasible) {
      result = violation(path, simulation);
    } else {
      result = watch_.during(Phase::Refinement, [&] { return refine(path, simulation); });
    }
    simulation_queries_ += simulation.queries();
    return result;
  }

  std::optional<Result> refine(const Path& path, Simulation& simulation) {
    if (boolean_ && boolean_->refine() > 0) return std::nullopt;
    std::size_t fresh = refiner_.from_preconditions(path, simulation);
    if (fresh == 0) fresh = refiner_.from_values(path, simulation);
    if (oracle_.stopped()) return stopped();
    if (fresh > 0) return std::nullopt;
    if (!boolean_ && !ask_unaffected_) {
      ask_unaffected_ = true;
      return std::nullopt;
    }
    return Result::unknown(fmt::format("no new predicate excludes an abstract violation; {}", describe()));
  }

  const Task& plain_task() const { return counts_ != nullptr ? counts_->plain : task_; }
  const lemma::Census& census() const { return counts_ != nullptr ? counts_->census : no_census_; }

  // Where the axioms rest on the number of threads alive, the proof does.
  void note_counting(Result& result) const {
    env_.statistics.set("ghost_counters", std::uint64_t{census().ghosts.size()});
    if (!census().counts_alive(model::thread_limits(commands_))) return;
    const bool bounded = task_.bound && *task_.bound <= lemma::most_threads_alive;
    result.holds_without_bound = !bounded;
    if (bounded) return;
    result.assumptions.push_back(fmt::format("at most {} threads exist at a time (what counts them does not overflow)",
                                             lemma::most_threads_alive));
  }

  Result violation(const Path& path, Simulation& simulation) {
    auto run = counts_ != nullptr ? plain_run(path) : simulation.build_run(task_);
    COHORT_EXPECT(run.has_value(), "a feasible path is a run of the interpreter");
    Result result{.verdict = Verdict::Unsafe};
    result.run = std::move(run);
    if (!path.ends_in_trouble) result.property = path.property;
    return result;
  }

  // Ghosts change no control flow: commands have the same numbers without them.
  std::optional<model::Run> plain_run(const Path& path) {
    const model::Commands commands(counts_->plain.program);
    Simulation simulation(env_, commands, path);
    COHORT_EXPECT(simulation.run() == Simulation::Outcome::Feasible, "ghosts change nothing");
    return simulation.build_run(counts_->plain);
  }

  Env& env_;
  const Task& task_;
  const Settings& settings_;
  model::Commands commands_;
  model::LiveLocals live_;
  Layout layout_;
  abstraction::Predicates predicates_;
  abstraction::CubeImages oracle_;
  Refiner refiner_;
  const Counts* counts_;
  const lemma::Census no_census_{};
  std::optional<BooleanCheck> boolean_;  // none: the oracle is asked
  Stopwatch watch_;
  std::unique_ptr<lemma::Houdini> houdini_;
  lemma::HoudiniResult lemmas_;
  std::size_t lemma_count_ = 0;
  std::optional<Path> violation_;
  std::size_t iterations_ = 0;
  std::size_t views_ = 0;
  std::size_t states_ = 0;
  std::uint64_t simulation_queries_ = 0;
  bool ask_unaffected_ = false;
};

// None: there is nothing to count, or it was no use.
std::optional<Result> check_with_ghosts(Env& env, const Task& task, const Settings& settings) {
  if (task.options.abstraction != AbstractionMode::Oracle || env.stop_reason() != StopReason::None) {
    return std::nullopt;
  }
  const lemma::Instrumented counting = lemma::add_ghosts(task.program);
  if (counting.ghosts.empty()) return std::nullopt;
  Counts counts{task, {counting.ghosts}};
  if (task.bound && !task.options.certificate) {
    // Threads of a view that are not there, with a bound so low, are taken to be there and never to move.
    counts.census.most_threads = std::min<std::uint64_t>(counts.census.most_threads, *task.bound + threads_in_a_step);
  }
  const Task counted{counting.program, task.bound, task.options};
  Loop loop(env, counted, settings, nullptr, &counts);
  auto result = loop.run(settings.iterations_without_ghosts);
  if (!result || result->verdict == Verdict::Unknown) return std::nullopt;
  loop.record();
  return result;
}

// What a step does to others, other than by shared variables.
std::optional<std::string> refusal_of(const model::Program& program, const model::Action& action) {
  const auto at = [&](std::string_view what) {
    const std::string place = to_string(action.span);
    return fmt::format("it takes no {}{}", what, place.empty() ? "" : " (" + place + ")");
  };
  if (is_broadcast(program.exprs, action)) return at("steps that look at or change other threads");
  if (!action.takes.empty()) return at("steps that take other threads along");
  for (const model::Spawn& spawn : action.spawns) {
    for (const model::Assign& assign : spawn.locals) {
      if (may_fault(program.exprs, assign.value)) return at("new threads with values that can fault");
    }
  }
  return std::nullopt;
}

// Each element of an array is a number of its own in every formula.
std::optional<std::string> refuses_arrays(const model::Program& program) {
  const auto refusal = [](const std::vector<model::Variable>& variables) -> std::optional<std::string> {
    for (const model::Variable& variable : variables) {
      if (variable.type.slots() <= most_elements) continue;
      return fmt::format("it takes arrays of at most {} elements ('{}')", most_elements, variable.name);
    }
    return std::nullopt;
  };
  if (auto reason = refusal(program.shared)) return reason;
  for (const model::Template& templ : program.templates) {
    if (auto reason = refusal(templ.locals)) return reason;
  }
  return std::nullopt;
}

// What stands against a Boolean program of the task.
std::optional<std::string> refuses_boolean(const Task& task, const Engine* checker) {
  if (checker == nullptr) return "nobody checks Boolean programs here";
  if (!task.bound) return std::nullopt;
  if (task.options.certificate) return "with --abstraction it writes certificates for any number of threads only";
  for (const model::Property& property : task.program.properties) {
    if (property.kind == model::Property::Kind::Cover) {
      return "the Boolean program of --abstraction, with a number of threads, takes assertions, error labels and "
             "faults only";
    }
  }
  std::uint32_t fixed = 0;
  for (const model::InitialThreads& group : task.program.initial) fixed += group.count.value_or(0);
  if (fixed > *task.bound) return fmt::format("the program starts with {} threads", fixed);
  return std::nullopt;
}

}  // namespace

bool CegarEngine::judges(model::PropertyKind kind) const {
  using Kind = model::PropertyKind;
  switch (kind) {
    case Kind::Assertion:
    case Kind::ErrorLabel:
    case Kind::Cut:
    case Kind::Cover:
    case Kind::Fault: return true;
    case Kind::Condition:
    case Kind::Deadlock: return false;
  }
  COHORT_UNREACHABLE("every kind of property is judged or not");
}

std::optional<std::string> CegarEngine::refuses(const Task& task) const {
  const auto judged = [this](model::PropertyKind kind) { return judges(kind); };
  if (auto reason = model::unjudged(task.program, judged)) return reason;
  const model::Program& program = task.program;
  if (auto refusal = model::Commands::refuses(program)) return refusal;
  if (program.initial.empty()) return "it takes no programs without threads";
  if (program.initial_condition && (mentions(program.exprs, *program.initial_condition, model::Op::ForallThread) ||
                                    mentions(program.exprs, *program.initial_condition, model::Op::ExistsThread))) {
    return "it takes no conditions at the start that speak of threads";
  }
  for (const model::Property& property : program.properties) {
    if (property.kind == model::Property::Kind::Cover && !property.threads.empty()) {
      return "it takes no properties that name several locations";
    }
  }
  if (auto refusal = refuses_arrays(program)) return refusal;
  for (const auto& [action, edge, templ] : model::actions_of(program)) {
    if (auto refusal = refusal_of(program, action)) return refusal;
  }
  if (!task.options.symmetry) return "it always uses symmetry";
  if (task.options.partial_order) return "it has no partial-order reduction";
  if (task.options.order) return "it has an order of its own";
  if (task.options.certificate && task.bound && creates_threads(program)) {
    return "it writes certificates for any number of threads, not for a bound that creations may run into";
  }
  if (task.options.abstraction != AbstractionMode::Oracle) return refuses_boolean(task, checker_);
  return std::nullopt;
}

Result CegarEngine::check(Env& env, const Task& task) const {
  COHORT_EXPECT(!refuses(task), "an engine checks only what it takes");
  try {
    Loop loop(env, task, settings_, checker_);
    auto result = loop.run(settings_.iterations_without_ghosts);
    if (!result || result->verdict == Verdict::Unknown) {
      if (auto counted = check_with_ghosts(env, task, settings_)) return std::move(*counted);
    }
    if (!result) result = loop.run(SIZE_MAX);
    loop.record();
    return std::move(*result);
  } catch (const std::bad_alloc& lack) {
    return Result::unknown(describe_lack_of_memory(lack, env.limits));
  }
}

}  // namespace cohort::engine::cegar

namespace cohort::engine {

Abstraction abstract_program(Env& env, const Task& task, std::uint32_t cube_length, const Engine* checker) {
  const cegar::Settings settings;
  cegar::Loop loop(env, task, settings, checker);
  Abstraction result{*loop.run(SIZE_MAX), {}};
  loop.record();
  result.text = loop.boolean_program(cube_length);
  return result;
}

}  // namespace cohort::engine
