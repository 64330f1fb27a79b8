// Levels: invariants of more threads, and of more kinds of facts, one after the other, from cheap to costly.  Each is
// complete in itself, so the first that excludes every violation is the answer.
#include "engine/modular/modular_engine.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include <fmt/core.h>

#include "base/contract.hpp"
#include "engine/modular/certify.hpp"
#include "engine/self_check.hpp"
#include "lemma/ghosts.hpp"
#include "lemma/houdini.hpp"
#include "model/analysis/thread_bound.hpp"
#include "model/analysis/thread_limits.hpp"
#include "model/commands.hpp"

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

// Plain invariants before those with ghosts, few threads in view before more, simple facts before implications.
std::vector<Level> levels(const model::Commands& commands, bool ghosts) {
  const lemma::Alphabet alphabet(commands, {.threads = 1, .singles = true});
  const bool has_singles = alphabet.needed().size() > 1;
  const bool only_singles = alphabet.needed()[0] == 0;
  std::vector<Level> result;
  for (const bool more : {false, true}) {
    for (const std::uint32_t threads : {1U, 2U}) {
      for (const bool counting : {false, true}) {
        for (const bool singles : {false, true}) {
          if (counting && !ghosts) continue;
          if (singles && (!has_singles || (only_singles && threads > 1))) continue;
          result.push_back({{.views = {threads, singles}, .grammar = {.implications = more, .sums = more}}, counting});
        }
      }
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

Result proved(const Subject& subject, const Task& task, const Level& level, const lemma::Houdini& houdini,
              const lemma::Invariant& invariant) {
  Result result{.verdict = Verdict::Safe};
  const bool counts = level.ghosts && subject.census.counts_alive(model::thread_limits(subject.plain));
  result.holds_without_bound = !counts;
  const bool bounded = task.bound && *task.bound <= lemma::most_threads_alive;
  if (counts && !bounded) {
    result.holds_without_bound = true;
    result.assumptions.push_back(fmt::format("at most {} threads exist at a time (what counts them does not overflow)",
                                             lemma::most_threads_alive));
  }
  if (task.options.certificate) {
    result.certificate = certify(houdini.alphabet(), level.options.census.ghosts, invariant);
  }
  return result;
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
  const model::Program program = may_fail_to_spawn(task) ? with_failing_spawns(task.program) : task.program;
  const lemma::Instrumented counting = lemma::add_ghosts(program);
  const Subject subject(program, counting, task);
  std::string last;
  for (Level& level : levels(subject.plain, !counting.ghosts.empty())) {
    if (level.ghosts) level.options.census = subject.census;
    const HoudiniOptions& options = level.options;
    lemma::Houdini houdini(env, level.ghosts ? subject.counted : subject.plain, options);
    const HoudiniResult found = houdini.run();
    if (found.outcome == HoudiniResult::Outcome::Stopped) return Result::unknown(found.reason);
    if (found.outcome == HoudiniResult::Outcome::Proved) {
      env.statistics.set("threads in view", std::uint64_t{options.views.threads});
      if (level.ghosts) env.statistics.set("ghost counters", std::uint64_t{counting.ghosts.size()});
      self_check(env, "the invariant is a proof to the checker", [&] {
        const auto proof = certify(houdini.alphabet(), level.options.census.ghosts, found.invariant);
        return passes_checker(env, program, std::nullopt, *proof);
      });
      return proved(subject, task, level, houdini, found.invariant);
    }
    last = fmt::format("no invariant of {} threads excludes it: {}", options.views.threads, found.reason);
  }
  return Result::unknown(last);
}

}  // namespace cohort::engine::modular
