// Depths are checked one after the other with one solver, or a single one.  A check at depth k covers all executions of
// at most k steps, since idle steps may come first.  SAFE needs more than that no violation is found: that no execution
// has k steps, so that all were covered.  Control flow without cycles says so itself, and a random walk of k steps says
// that it is not so; otherwise the question is put to the solver without the projection, which says nothing of
// executions that violate nothing; the other reductions keep one execution of each kind and length, so they may stay.
// Where no depth is given, a proof by induction is tried after each check (see induction.cpp).
#include "engine/bmc/bmc_engine.hpp"

#include <algorithm>
#include <new>
#include <span>

#include <fmt/core.h>

#include "base/contract.hpp"
#include "base/memory_guard.hpp"
#include "engine/bmc/ending.hpp"
#include "engine/bmc/induction.hpp"
#include "engine/bmc/lemmas.hpp"
#include "engine/bmc/normal_form.hpp"
#include "engine/bmc/plan.hpp"
#include "engine/bmc/run_builder.hpp"
#include "engine/bmc/unrolling.hpp"
#include "engine/bmc/walk.hpp"
#include "engine/self_check.hpp"
#include "model/analysis/visit.hpp"
#include "model/interpreter.hpp"
#include "model/passes/merge.hpp"
#include "smt/solver.hpp"
#include "smt/translator.hpp"

namespace cohort::engine::bmc {

using result::Result;
using result::Verdict;
using smt::Term;

namespace {

// Without a given depth: where to start, and by how much to grow.
constexpr std::uint32_t first_depth = 4;

// Time for proofs by induction: seconds, and a share of what the search takes.
constexpr double induction_at_once = 0.5;
constexpr double induction_share = 0.25;
constexpr double lemma_seconds = 5;  // for the facts that induction may use

// With growing contexts: the conflicts that each question may take.
constexpr unsigned conflicts_for_few_contexts = 1000;

std::uint32_t grown(std::uint32_t depth) {
  return depth + std::max(depth / 2, std::uint32_t{4});
}

// Where threads have names, takes follow the interpreter's order, which reductions do not see (see others.cpp).
bool takes_named_threads(const model::Program& program, const Plan& plan) {
  if (!plan.names_threads()) return false;
  for (const model::Template& templ : program.templates) {
    for (const model::Edge& edge : templ.edges) {
      if (std::any_of(edge.actions.begin(), edge.actions.end(),
                      [](const model::Action& action) { return !action.takes.empty(); })) {
        return true;
      }
    }
  }
  return false;
}

class Search {
 public:
  Search(Env& env, const Task& task, unsigned conflicts_before_projection)
      : env_(env),
        task_(task),
        conflicts_before_projection_(conflicts_before_projection),
        context_(env.limits.memory_limit().value_or(0)),
        numbers_(context_, task.options.bmc.integers == IntegerMode::Math ? smt::Logic::Integers : smt::Logic::Bits),
        translator_(task.program, context_, numbers_),
        solver_(env, context_, solver_options()),
        plan_(task.program, task.bound),
        unrolling_(env, task, plan_, translator_, solver_),
        normal_form_(task.program, unrolling_, context_, solver_) {}

  Result run() {
    const BmcOptions& options = task_.options.bmc;
    std::uint32_t depth = options.depths.first.value_or(at_most_longest(first_depth));
    // Later steps violate by themselves when they enter an error location; only the start has none before it.
    if (starts_in_error() && depth > 0) {
      if (auto result = check_depth(0)) return std::move(*result);
    }
    for (;;) {
      if (auto result = check_depth(depth)) return std::move(*result);
      checked_ = depth;
      if (auto result = check_complete(depth)) return std::move(*result);
      if (!options.depths.first && prove_by_induction(depth)) return Result{.verdict = Verdict::Safe};
      if (options.depths.last && depth >= *options.depths.last) break;
      depth = options.depths.first ? depth + 1 : at_most_longest(grown(depth));
    }
    return Result::unknown(no_violation(depth));
  }

  // The greatest depth that has no violation.
  std::uint32_t checked() const { return checked_.value_or(0); }

  void record(double seconds) {
    Statistics& statistics = env_.statistics;
    statistics.set("depth", std::uint64_t{unrolling_.depth()});
    std::uint64_t instructions = 0;
    for (std::size_t i = 0; i < unrolling_.depth(); ++i) instructions += unrolling_.step(i).instructions.size();
    statistics.set("instructions", instructions);
    statistics.set("terms", context_.terms());
    statistics.set("solver_checks", solver_.checks());
    statistics.set("build_seconds", std::max(0.0, seconds - solver_.solve_seconds()));
    statistics.set("solve_seconds", solver_.solve_seconds());
  }

 private:
  bool starts_in_error() const {
    return std::any_of(task_.program.initial.begin(), task_.program.initial.end(),
                       [&](const model::InitialThreads& group) {
                         return task_.program.templ(group.templ).locations[group.location.value].error.has_value();
                       });
  }

  std::uint32_t at_most_longest(std::uint32_t depth) const {
    return static_cast<std::uint32_t>(std::min<std::uint64_t>(depth, longest_));
  }

  smt::SolverOptions solver_options() const {
    const BmcOptions& options = task_.options.bmc;
    const bool math = options.integers == IntegerMode::Math;
    return {math ? smt::Logic::Integers : smt::Logic::Bits, options.dump_folder};
  }

  // A formula that the solver decides soon gains nothing from projections, and loses where a violation is easy to find
  // among all executions but not among the few that are projections.  So they wait until it turns out to be hard.
  smt::Answer search(Ending& ending, std::span<const Term> assumptions, bool& projected) {
    if (!projects_) return solver_.check(assumptions);
    if (conflicts_before_projection_ > 0) {
      const auto answer = solver_.check(assumptions, {.seconds = {}, .conflicts = conflicts_before_projection_});
      if (answer != smt::Answer::Unknown || solver_.within_budget()) return answer;
    }
    projected = true;
    ending.require_projection();
    // What was learned among all executions, and the values that were tried last, mislead the search among the few that
    // are left: on the litmus tests of bench/pbmc going on took up to four times the conflicts of starting again.
    if (conflicts_before_projection_ > 0) solver_.restart();
    return solver_.check(assumptions);
  }

  // A violation that needs few contexts; none: not found, which says nothing.
  std::optional<Result> check_few_contexts(std::uint32_t depth, const Ending& ending, Term ends, Term within) {
    for (std::uint32_t contexts = 1; contexts <= most_growing_contexts && contexts < depth; ++contexts) {
      env_.report_progress([&] { return fmt::format("depth {}: {} contexts", depth, contexts); });
      const Term assumptions[] = {ends, within, unrolling_.has_at_most(contexts)};
      const smt::Answer answer = solver_.check(assumptions, {.seconds = {}, .conflicts = conflicts_for_few_contexts});
      if (answer == smt::Answer::Unknown && solver_.within_budget()) return stopped(solver_.reason());
      if (answer != smt::Answer::Satisfiable) continue;
      env_.statistics.set("contexts", std::uint64_t{contexts});
      return violation(ending, false);
    }
    return std::nullopt;
  }

  // None: no violation up to this depth.
  std::optional<Result> check_depth(std::uint32_t depth) {
    const Term ends = context_.fresh_boolean(fmt::format("end.{}", depth));
    while (unrolling_.depth() < depth) {
      if (env_.poll_now("bmc-depth")) return stopped(env_.describe_stop());
      // Where all executions are over, one more step is enough for the violations that end them.
      const bool last = unrolling_.depth() + 1 == depth || unrolling_.covers_all();
      unrolling_.extend(last ? ends : context_.falsity());
      if (last) depth = static_cast<std::uint32_t>(unrolling_.depth());
      if (task_.options.bmc.normal_form && reduces_) normal_form_.add_step(unrolling_.step(unrolling_.depth() - 1));
    }
    env_.report_progress([&] { return fmt::format("depth {}: {} terms", depth, context_.terms()); });
    Ending ending(task_.program, unrolling_, translator_, solver_, ends);
    if (!ending.require_violation()) return std::nullopt;
    // First executions that end with a violation while all integers are within 64 bits.
    const Term within = context_.fresh_boolean(fmt::format("within.{}", depth));
    const bool may_overflow = !context_.is_false(ending.overflows());
    if (may_overflow) solver_.add(context_.implies(within, context_.negate(ending.overflows())));
    if (task_.options.bmc.growing_contexts) {
      if (auto result = check_few_contexts(depth, ending, ends, within)) return result;
    }
    bool projected = false;
    smt::Answer answer = search(ending, std::vector{ends, within}, projected);
    if (answer == smt::Answer::Unsatisfiable && may_overflow && !overflowed_) answer = solver_.check(std::vector{ends});
    if (answer == smt::Answer::Unknown) return stopped(solver_.reason());
    std::optional<Result> result;
    if (answer == smt::Answer::Satisfiable) result = violation(ending, projected);
    if (!result) solver_.add(context_.negate(ends));
    return result;
  }

  // The run that the solver's model describes; none where an integer leaves 64 bits in it: of what comes then nothing
  // is known, but other executions may show a violation.
  std::optional<Result> violation(const Ending& ending, bool projected) try {
    Result result{.verdict = Verdict::Unsafe};
    Executed executed = executed_in_model(unrolling_, solver_);
    if (projects_ && !projected) executed = ending.influencing(std::move(executed));
    result.run = build_run(task_, unrolling_, numbers_, solver_, executed);
    // A condition may overflow in the last state.
    const bool faults = !result.run->steps.empty() && result.run->steps.back().fault;
    if (!faults) (void)model::Interpreter(task_.program, task_.bound).violated(result.run->last());
    return result;
  } catch (const InputError& problem) {
    if (problem.kind() != InputError::Kind::Unsupported) throw;
    overflowed_ = fmt::format("{} at {}", problem.what(), to_string(problem.span()));
    return std::nullopt;
  }

  // All executions are covered.
  Result covered(std::uint32_t depth) const {
    return overflowed_ ? Result::unknown(no_violation(depth)) : Result{.verdict = Verdict::Safe};
  }

  std::string no_violation(std::uint32_t depth) const {
    return overflowed_ ? fmt::format("{}; no violation within 64 bits up to depth {}", *overflowed_, depth)
                       : fmt::format("no violation up to depth {}", depth);
  }

  // After a check of this depth: do all executions end before it?  It is a second question, beside the one that was
  // asked, so it gets no more time than that has taken.
  std::optional<Result> check_complete(std::uint32_t depth) {
    if (task_.options.bmc.contexts) return std::nullopt;
    if (depth >= longest_ || unrolling_.covers_all()) return covered(depth);
    if (depth == 0) return std::nullopt;
    if (walks(env_, task_, depth)) return std::nullopt;
    const Term assumptions[] = {unrolling_.step(0).moves};
    const smt::Answer answer =
        context_.is_false(assumptions[0])
            ? smt::Answer::Unsatisfiable
            : solver_.check(assumptions, {.seconds = 1 + solver_.solve_seconds(), .conflicts = {}});
    if (env_.poll_now("bmc-unroll")) return stopped(env_.describe_stop());
    if (answer != smt::Answer::Unsatisfiable) return std::nullopt;
    return covered(depth);
  }

  // After a check of this depth: does any violation need a shorter one before it?  This too is a second question, of
  // which most programs get nothing, so it gets a share of the time that the search has taken.
  bool prove_by_induction(std::uint32_t depth) {
    // That some threads wait while others go on shows in no single state.
    if (task_.options.bmc.contexts || overflowed_ || model::looks_for_deadlocks(task_.program)) return false;
    const double now = env_.limits.elapsed_seconds();
    const double budget = induction_at_once + induction_share * (now - start_) - induction_seconds_;
    if (budget <= 0) return false;
    if (!induction_) {
      const smt::SolverOptions options{solver_options().logic, ""};
      induction_.emplace(env_, task_, plan_, translator_, options);
    }
    // Most programs are decided without them at the first depth, or never.
    if (!lemmas_ && depth > first_depth) {
      lemmas_.emplace(env_, task_, std::max(lemma_seconds, induction_share * (now - start_)));
      if (lemmas_->any()) induction_->use(*lemmas_);
      env_.statistics.set("lemmas", std::uint64_t{lemmas_->count()});
    }
    const bool proved = induction_->proves(depth + 1, budget);
    induction_seconds_ += env_.limits.elapsed_seconds() - now;
    if (proved) env_.statistics.set("induction_steps", std::uint64_t{depth} + 1);
    return proved;
  }

  Result stopped(const std::string& reason) const {
    return Result::unknown(checked_ ? fmt::format("{}; {}", reason, no_violation(*checked_)) : reason);
  }

  Env& env_;
  const Task& task_;
  const unsigned conflicts_before_projection_;
  smt::Context context_;
  smt::Numbers numbers_;
  smt::Translator translator_;
  smt::Solver solver_;
  const Plan plan_;
  const bool reduces_ = !takes_named_threads(task_.program, plan_);
  // A deadlock depends on where every thread stands, and so on every step: there is nothing to leave out.
  const bool projects_ =
      task_.options.bmc.projection != ProjectionMode::Off && reduces_ && !model::looks_for_deadlocks(task_.program);
  // Steps of the longest execution, as far as the control flow says.
  const std::uint64_t longest_ =
      plan_.longest_execution(task_.program, [](std::size_t, model::EdgeRef) { return true; }).value_or(UINT64_MAX);
  Unrolling unrolling_;
  NormalForm normal_form_;
  std::optional<std::uint32_t> checked_;
  std::optional<std::string> overflowed_;  // where an integer left 64 bits: nothing is proved then
  const double start_ = env_.limits.elapsed_seconds();
  std::optional<Lemmas> lemmas_;
  std::optional<Induction> induction_;
  double induction_seconds_ = 0;
};

// One that could not be decided within its limits found nothing.
bool plain_search_finds_nothing(Env& env, const Task& task, std::uint32_t depth) {
  Task plain = task;
  plain.options.bmc.projection = ProjectionMode::Off;
  plain.options.bmc.growing_contexts = false;
  plain.options.bmc.normal_form = false;
  plain.options.bmc.depths = {depth, depth};
  return Search(env, plain, 0).run().verdict != Verdict::Unsafe;
}

bool is_reference(const model::Type& type) {
  return type.kind() == model::Type::Kind::ThreadRef;
}

// What an action does that the interpreter, who has the last word, cannot execute.
std::optional<std::string> refusal_of(const model::Program& program, const model::Action& action) {
  bool names_threads = false;
  const auto look_at = [&](model::ExprId root) {
    model::for_each_node(program.exprs, root, [&](const model::Expr& node, model::ExprId) {
      using model::Op;
      names_threads = names_threads || node.op == Op::Self || node.op == Op::RemoteVar || node.op == Op::AtLocation ||
                      node.op == Op::ForallThread || node.op == Op::ExistsThread ||
                      (is_reference(node.type) && (node.op == Op::Nondet || node.op == Op::Cast));
    });
  };
  for (const model::Assign& assign : action.assigns) {
    if (assign.target.kind != model::LValue::Kind::Passive) continue;
    look_at(assign.value);
    if (assign.target.index) look_at(*assign.target.index);
  }
  for (const model::ExprId conjunct : action.constraint) {
    if (model::mentions(program.exprs, conjunct, model::Op::PassiveVar)) look_at(conjunct);
  }
  if (names_threads) return "broadcasts that refer to threads by name";
  for (const model::Spawn& spawn : action.spawns) {
    if (spawn.copies_locals) continue;
    const auto& locals = program.templ(spawn.templ).locals;
    for (std::size_t i = 0; i < locals.size(); ++i) {
      const bool given = std::any_of(spawn.locals.begin(), spawn.locals.end(), [&](const model::Assign& assign) {
        return assign.target.var == model::VarId(i) && !assign.target.index;
      });
      if (is_reference(locals[i].type) && locals[i].initial.empty() && !given) {
        return fmt::format("new threads whose reference {} starts nondeterministic", locals[i].name);
      }
    }
  }
  return std::nullopt;
}

}  // namespace

std::string_view BmcEngine::purpose() const {
  return "Bounded model checking with an SMT solver: finds violations within a number of steps, also where data is too "
         "large to enumerate; SAFE only where all executions are shorter than the depth, or by induction.";
}

std::string_view BmcEngine::fragment() const {
  return "Programs with a bound on the threads, or that create none in loops; any data, including mathematical "
         "integers; thread references.";
}

bool BmcEngine::judges(model::PropertyKind kind) const {
  using Kind = model::PropertyKind;
  switch (kind) {
    case Kind::Assertion:
    case Kind::ErrorLabel:
    case Kind::Cut:
    case Kind::Cover:
    case Kind::Condition:
    case Kind::Fault:
    case Kind::Deadlock: return true;
  }
  COHORT_UNREACHABLE("every kind of property is judged or not");
}

std::optional<std::string> BmcEngine::refuses(const Task& task) const {
  const auto judged = [this](model::PropertyKind kind) { return judges(kind); };
  if (auto reason = model::unjudged(task.program, judged)) return reason;
  if (task.options.certificate) return "the bmc engine writes no certificates";
  if (task.options.partial_order) return "the bmc engine reduces by --mpor, not by --por";
  const auto refuse = [](const std::string& what) { return fmt::format("the bmc engine does not take {}", what); };
  const model::Program& program = task.program;
  for (const auto& [action, edge, templ] : model::actions_of(program)) {
    const auto what = refusal_of(program, action);
    if (!what) continue;
    const std::string place = to_string(action.span);
    return refuse(*what) + (place.empty() ? "" : " at " + place);
  }
  if (const auto what = Plan::refusal(program, task.bound)) return "the bmc engine: " + *what;
  if (task.options.bmc.normal_form && task.options.bmc.contexts) {
    return "of the orders that --mpor leaves out, one may have fewer contexts: --contexts does not go with it";
  }
  if (task.options.bmc.growing_contexts && task.options.bmc.contexts)
    return "--grow-contexts goes on to any number of contexts, --contexts does not";
  if (task.options.bmc.integers == IntegerMode::Math) return smt::inexpressible_as_integers(program);
  return std::nullopt;
}

Result BmcEngine::check(Env& env, const Task& task) const {
  COHORT_EXPECT(!refuses(task), "an engine checks only what it takes");
  const double start = env.limits.elapsed_seconds();
  try {
    const bool always = task.options.bmc.projection == ProjectionMode::Always;
    Search search(env, task, always ? 0 : conflicts_before_projection_);
    Result result = search.run();
    if (result.verdict == Verdict::Safe) {
      self_check(env, "without reductions, in a fresh context, there is no violation of this depth either",
                 [&] { return plain_search_finds_nothing(env, task, search.checked()); });
    }
    search.record(env.limits.elapsed_seconds() - start);
    if (result.verdict == Verdict::Safe && model::looks_for_deadlocks(task.program) &&
        model::may_wait_inside(task.program)) {
      return Result::unknown("whom a thread that waits inside of an atomic section keeps from going on is not told");
    }
    return result;
  } catch (const std::bad_alloc& lack) {
    return Result::unknown(describe_lack_of_memory(lack, env.limits));
  }
}

}  // namespace cohort::engine::bmc
