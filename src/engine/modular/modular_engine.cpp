// Levels: invariants of more threads, and of more kinds of facts, one after the other, from cheap to costly.  Each is
// complete in itself, so the first that excludes every violation is the answer.
#include "engine/modular/modular_engine.hpp"

#include <algorithm>
#include <array>
#include <memory>
#include <string>
#include <vector>

#include <fmt/core.h>

#include "base/contract.hpp"
#include "engine/modular/certify.hpp"
#include "engine/modular/forget.hpp"
#include "engine/modular/trial.hpp"
#include "engine/self_check.hpp"
#include "lemma/ghosts.hpp"
#include "lemma/horn.hpp"
#include "lemma/houdini.hpp"
#include "lemma/ranges.hpp"
#include "model/analysis/thread_bound.hpp"
#include "model/analysis/thread_limits.hpp"
#include "model/commands.hpp"
#include "model/passes/simplify.hpp"

namespace cohort::engine::modular {

using lemma::HoudiniOptions;
using lemma::HoudiniResult;
using result::Result;
using result::Verdict;

namespace {

// At a bound on threads alive, a creation does nothing.  Then every edge that creates is also there without the last
// ones of its new threads.
model::Program with_failing_spawns(model::Program program) {
  for (model::Template& templ : program.templates) {
    const std::size_t edges = templ.edges.size();
    for (std::size_t i = 0; i < edges; ++i) {
      const auto spawning = std::find_if(templ.edges[i].actions.begin(), templ.edges[i].actions.end(),
                                         [](const model::Action& action) { return !action.spawns.empty(); });
      if (spawning == templ.edges[i].actions.end()) continue;
      const auto at = static_cast<std::size_t>(spawning - templ.edges[i].actions.begin());
      model::Edge edge = templ.edges[i];
      while (!edge.actions[at].spawns.empty()) {
        edge.actions[at].spawns.pop_back();
        templ.edges.push_back(edge);
      }
    }
  }
  return program;
}

bool may_fail_to_spawn(const Task& task) {
  if (!task.bound) return false;
  const auto most = model::most_threads(task.program);
  return !most || *most > *task.bound;
}

struct Level {
  HoudiniOptions options;
  bool ghosts = false;
};

constexpr lemma::GrammarOptions simple_facts{.equations = true};
// Case distinctions for each thread alone: with two threads in view these are far fewer than all, and what two threads
// are needed for is often only to know where the other is.
constexpr lemma::GrammarOptions facts_of_each{.implications = true, .equations = true, .crossed = false};
constexpr lemma::GrammarOptions all_facts{.implications = true, .sums = true, .equations = true};

// With so many threads in view: plain invariants before those with ghosts.
std::vector<Level> levels(const model::Commands& commands, std::uint32_t threads, bool ghosts,
                          const lemma::GrammarOptions& grammar) {
  const lemma::Alphabet alphabet(commands, {.threads = 1, .singles = true});
  const bool has_singles = alphabet.needed().size() > 1;
  const bool only_singles = alphabet.needed()[0] == 0;
  std::vector<Level> result;
  for (const bool counting : {false, true}) {
    for (const bool singles : {false, true}) {
      if (counting && !ghosts) continue;
      if (singles && (!has_singles || (only_singles && threads > 1))) continue;
      result.push_back({{.views = {threads, singles}, .grammar = grammar}, counting});
    }
  }
  return result;
}

// The program as it is, and with ghosts.
struct Subject {
  Subject(const model::Program& program, const lemma::Instrumented& counting, const Task& task)
      : plain(program), counted(counting.program), census{counting.ghosts} {
    if (task.bound && !task.options.certificate)
      census.most_threads = std::min<std::uint64_t>(census.most_threads, *task.bound);
  }

  const model::Commands plain;
  const model::Commands counted;
  lemma::Census census;
};

// Settings of Spacer that prove what the others do not end on, with Houdini's facts and without.
struct Attempt {
  smt::HornSettings settings;
  bool facts = true;
};

std::vector<Attempt> attempts() {
  const smt::HornSettings plain{.name = "plain", .inline_rules = false};
  const smt::HornSettings functions{.name = "functions", .generalize_functions = true, .inline_rules = false};
  const smt::HornSettings values{.name = "values", .propagate_equalities = false, .inline_rules = false};
  return {{plain, true}, {functions, true}, {values, true}, {functions, false}, {values, false}};
}

// Of these, so many are tried before Houdini looks at more threads.
constexpr std::size_t first_attempts = 2;
// Systems with more rules are left alone: Spacer would not get through its preprocessing.
constexpr std::size_t most_rules = 6000;
// What had an answer in a first try has it again, within so many times the budget.
constexpr double slack = 5;
// Processor seconds in which Houdini confirms what Spacer has found, beside that.
constexpr double least_confirmation = 3;
// Where there are few places, pairs of threads cost less than a try of Spacer.
constexpr std::size_t most_spots_of_pairs = 24;
// Three threads in view are tried where there are few places: there are as many views as triples of them.
constexpr std::size_t most_spots_of_three = 24;

// Relations between numbers are what Spacer finds and Houdini's candidates do not say.  Without numbers it would only
// search through states, which other engines do much faster.
bool has_numbers(const model::Program& program) {
  const auto is_number = [](const model::Variable& variable) {
    const model::Type type = variable.type.element();
    return type.kind() != model::Type::Kind::Bool && type.kind() != model::Type::Kind::ThreadRef &&
           (type.cardinality() == 0 || type.cardinality() > 2);
  };
  const auto has = [&](const std::vector<model::Variable>& variables) {
    return std::any_of(variables.begin(), variables.end(), is_number);
  };
  return has(program.shared) || std::any_of(program.templates.begin(), program.templates.end(),
                                            [&](const model::Template& templ) { return has(templ.locals); });
}

// From cheap to costly: Houdini with simple candidates, what Spacer finds in a short time from there, Houdini with more
// candidates, Spacer with more and more time; few threads in view before more.
class Search {
 public:
  Search(Env& env, const Task& task, const model::Program& program, const lemma::Instrumented& counting,
         double spacer_seconds)
      : env_(env),
        task_(task),
        program_(program),
        counting_(counting),
        subject_(program, counting, task),
        spacer_seconds_(has_numbers(program) ? spacer_seconds : 0) {}

  Result run() {
    if (auto answer = ranges()) return std::move(*answer);
    const std::size_t spots = lemma::Alphabet(subject_.plain, {}).spots().size();
    if (auto answer = houdini(1, simple_facts)) return std::move(*answer);
    if (spots <= most_spots_of_pairs) {
      if (auto answer = houdini(1, all_facts)) return std::move(*answer);
      if (auto answer = houdini(2, simple_facts)) return std::move(*answer);
      if (auto answer = houdini(2, facts_of_each)) return std::move(*answer);
      if (auto answer = spacer(0.5, true)) return std::move(*answer);
    } else {
      if (auto answer = spacer(0.5, true)) return std::move(*answer);
      if (auto answer = houdini(2, simple_facts)) return std::move(*answer);
      if (auto answer = houdini(2, facts_of_each)) return std::move(*answer);
      if (auto answer = spacer(0.5, true)) return std::move(*answer);
      if (auto answer = houdini(1, all_facts)) return std::move(*answer);
    }
    if (auto answer = houdini(2, all_facts)) return std::move(*answer);
    if (auto answer = spacer(3)) return std::move(*answer);
    if (spots <= most_spots_of_three) {
      if (auto answer = houdini(3, simple_facts)) return std::move(*answer);
    }
    if (auto answer = spacer(10)) return std::move(*answer);
    return Result::unknown(last_);
  }

 private:
  // A level whose facts were not enough.
  struct Open {
    Level level;
    std::unique_ptr<lemma::Houdini> houdini;
    std::optional<HoudiniResult> facts{};
    bool hopeless = false;
  };

  // What ranges exclude needs no solver, unless somebody wants to see it as an invariant: then Houdini, which has
  // nothing else to try, says whether a solver agrees.
  std::optional<Result> ranges() {
    const lemma::Ranges ranges(env_, subject_.plain);
    if (env_.poll_now("lemma-ranges")) return Result::unknown(env_.describe_stop());
    if (!ranges.complete() || ranges.allowed_violation()) return std::nullopt;
    Level level{{.views = {1, false}, .random_steps = 0}};
    if (!task_.options.certificate && !env_.self_check) return answer(level, "ranges");
    const lemma::Alphabet alphabet(subject_.plain, level.options.views);
    level.options.candidates =
        std::make_shared<const std::map<lemma::View, std::vector<lemma::Atom>>>(ranges.facts(alphabet));
    lemma::Houdini houdini(env_, subject_.plain, level.options);
    return judge(level, houdini, houdini.run(), "ranges");
  }

  const model::Commands& commands(const Level& level) const { return level.ghosts ? subject_.counted : subject_.plain; }

  // None: nothing is decided.
  std::optional<Result> houdini(std::uint32_t threads, const lemma::GrammarOptions& grammar) {
    for (Level& level : levels(subject_.plain, threads, !counting_.ghosts.empty(), grammar)) {
      if (auto answer = houdini(std::move(level), !grammar.implications)) return answer;
    }
    return std::nullopt;
  }

  std::optional<Result> houdini(Level level, bool keep) {
    if (level.ghosts) level.options.census = subject_.census;
    auto houdini = std::make_unique<lemma::Houdini>(env_, commands(level), level.options);
    HoudiniResult found = houdini->run();
    if (auto answer = judge(level, *houdini, found, "Houdini")) return answer;
    if (keep) open_.push_back({std::move(level), std::move(houdini)});
    return std::nullopt;
  }

  std::optional<Result> judge(const Level& level, const lemma::Houdini& houdini, const HoudiniResult& found,
                              const std::string& part) {
    if (found.outcome == HoudiniResult::Outcome::Stopped) return Result::unknown(found.reason);
    const std::uint32_t threads = level.options.views.threads;
    last_ = fmt::format("no invariant of {} threads excludes it: {}", threads, found.reason);
    if (found.outcome != HoudiniResult::Outcome::Proved) return std::nullopt;
    Result result = answer(level, part);
    prove(level, houdini, found.invariant, result);
    return result;
  }

  // SAFE, and how it was proved.
  Result answer(const Level& level, const std::string& part) {
    const std::uint32_t threads = level.options.views.threads;
    env_.statistics.set("threads in view", std::uint64_t{threads});
    env_.statistics.set("proved by", level.ghosts ? part + " with ghosts" : part);
    if (level.ghosts) env_.statistics.set("ghost counters", std::uint64_t{counting_.ghosts.size()});
    Result result{.verdict = Verdict::Safe};
    result.holds_without_bound = true;
    result.reason = fmt::format("k = {}: an invariant of the shared variables and {} at a time{}, found by {}", threads,
                                threads == 1   ? "one thread"
                                : threads == 2 ? "two threads"
                                               : "three threads",
                                level.ghosts ? ", with counts of threads" : "", part);
    return result;
  }

  // With `first`, only the settings that most often have an answer at once.
  std::optional<Result> spacer(double seconds, bool first = false) {
    for (Open& open : open_) {
      if (spacer_seconds_ <= 0) break;
      if (open.hopeless) continue;
      if (!open.facts) open.facts = open.houdini->go_on();
      if (!open.facts->inductive) return Result::unknown(open.facts->reason);
      const std::vector<Attempt> all = attempts();
      const std::size_t count = first ? first_attempts : all.size();
      for (std::size_t i = 0; i < count && !open.hopeless; ++i) {
        if (auto answer = spacer(open, all[i], seconds)) return answer;
      }
    }
    return std::nullopt;
  }

  std::optional<Result> spacer(Open& open, const Attempt& attempt, double seconds) {
    if (spacer_seconds_ <= 0) return std::nullopt;
    const lemma::Known known{open.houdini->alphabet(), open.houdini->atoms(), open.facts->invariant};
    lemma::HornRules rules(env_, known, open.level.options.census, attempt.facts);
    if (!rules.complete()) return Result::unknown(env_.describe_stop());
    if (rules.size() > most_rules) {
      open.hopeless = true;
      return std::nullopt;
    }
    env_.report_progress([&] {
      return fmt::format("Spacer ({}), {} rules, {} threads in view", attempt.settings.name, rules.size(),
                         open.level.options.views.threads);
    });
    // Z3 may not survive the end of its budget, so what has no answer within it is found out elsewhere.
    const auto trial =
        in_own_process(env_, [&] { return static_cast<std::uint8_t>(rules.solve(attempt.settings, seconds)); });
    env_.statistics.add("Horn systems", 1);
    if (env_.poll_now("lemma-horn")) return Result::unknown(env_.describe_stop());
    if (!trial || *trial == static_cast<std::uint8_t>(smt::Answer::Unknown)) {
      spacer_seconds_ -= seconds;
      return std::nullopt;
    }
    const smt::Answer answer = rules.solve(attempt.settings, slack * seconds);
    open.hopeless = answer == smt::Answer::Unsatisfiable && attempt.facts;
    if (answer != smt::Answer::Satisfiable) return std::nullopt;
    HoudiniOptions options = open.level.options;
    options.random_steps = 0;
    options.candidates = std::make_shared<const std::map<lemma::View, std::vector<lemma::Atom>>>(rules.candidates());
    options.processor_seconds = least_confirmation + slack * seconds;
    lemma::Houdini houdini(env_, commands(open.level), options);
    const HoudiniResult found = houdini.run();
    // What holds of integers may be too hard to see of bits.
    if (found.outcome == HoudiniResult::Outcome::Stopped && !env_.poll_now("lemma-horn")) {
      open.hopeless = attempt.facts;
      return std::nullopt;
    }
    return judge(open.level, houdini, found, "Spacer");
  }

  // What the answer rests on, and its certificate.
  void prove(const Level& level, const lemma::Houdini& houdini, const lemma::Invariant& invariant, Result& result) {
    const bool counts = level.ghosts && subject_.census.counts_alive(model::thread_limits(subject_.plain));
    result.holds_without_bound = !counts;
    const bool bounded = task_.bound && *task_.bound <= lemma::most_threads_alive;
    if (counts && !bounded) {
      result.holds_without_bound = true;
      result.assumptions.push_back(fmt::format(
          "at most {} threads exist at a time (what counts them does not overflow)", lemma::most_threads_alive));
    }
    if (task_.options.certificate) {
      result.certificate = certify(houdini.alphabet(), level.options.census.ghosts, invariant);
    }
    // What is counted up to the bound is no proof to a checker that is not told of the bound.
    if (!level.ghosts || !task_.bound || task_.options.certificate) {
      self_check(env_, "the invariant is a proof to the checker", [&] {
        const auto proof = certify(houdini.alphabet(), level.options.census.ghosts, invariant);
        return passes_checker(env_, program_, std::nullopt, *proof);
      });
    }
  }

  Env& env_;
  const Task& task_;
  const model::Program& program_;
  const lemma::Instrumented& counting_;
  const Subject subject_;
  std::vector<Open> open_;
  double spacer_seconds_;  // what is left for budgets that are used up
  std::string last_;
};

// What ranges find out of reach is not looked at again.
model::Program without_dead_code(Env& env, const model::Program& program) {
  const model::Commands commands(program);
  const lemma::Ranges ranges(env, commands);
  if (!ranges.complete()) return program;
  bool any = false;
  for (std::size_t i = 0; i < commands.all().size(); ++i) any = any || ranges.is_dead(i);
  return any ? model::simplify(lemma::without_dead_code(commands, ranges), {}, &env).program : program;
}

}  // namespace

bool ModularEngine::judges(model::PropertyKind kind) const {
  using Kind = model::PropertyKind;
  switch (kind) {
    case Kind::Assertion:
    case Kind::ErrorLabel:
    case Kind::Cut:
    case Kind::Cover:
    case Kind::Condition:
    case Kind::Fault: return true;
    case Kind::Deadlock: return false;
  }
  COHORT_UNREACHABLE("every kind of property is judged or not");
}

std::optional<std::string> ModularEngine::refuses(const Task& task) const {
  const auto judged = [this](model::PropertyKind kind) { return judges(kind); };
  if (auto reason = model::unjudged(task.program, judged)) return reason;
  if (task.options.certificate && may_fail_to_spawn(task)) {
    return "it writes certificates for any number of threads, not for a bound that creations run into";
  }
  if (auto refusal = model::Commands::refuses(task.program)) return refusal;
  return lemma::unseen_property(task.program);
}

Result ModularEngine::check(Env& env, const Task& task) const {
  model::Program program = may_fail_to_spawn(task) ? with_failing_spawns(task.program) : task.program;
  if (!task.options.certificate) {
    if (auto smaller = without_large_arrays(env, program)) program = model::simplify(*smaller, {}, &env).program;
    program = without_dead_code(env, program);
  }
  const lemma::Instrumented counting = lemma::add_ghosts(program);
  return Search(env, task, program, counting, spacer_seconds_).run();
}

}  // namespace cohort::engine::modular
