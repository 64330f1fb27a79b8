// Bounded model checking against exhaustive search by the interpreter: for every depth, with every combination of
// reductions, the engine finds a violation exactly when some execution of at most that many steps has one.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <set>
#include <string>
#include <vector>

#include "engine/bmc/bmc_engine.hpp"
#include "engine/bmc/plan.hpp"
#include "model/interpreter.hpp"
#include "model/passes/inline.hpp"
#include "model/passes/merge.hpp"
#include "result/replay.hpp"
#include "support/random_program.hpp"

namespace cohort::engine::bmc::test {

using namespace model;
using result::Verdict;

inline constexpr std::size_t most_states = 3000;

// violated[k]: an execution of at most k steps violates; complete: no execution has more steps than were looked at.
struct Levels {
  std::vector<bool> violated;
  bool ends = false;  // no execution has as many steps
  bool over = false;  // no execution has more
  bool too_large = false;
};

inline Levels search_levels(const Program& program, std::uint32_t bound, std::size_t depth) {
  const Interpreter interpreter(program, bound);
  // Threads with names may not be permuted.
  const bool names = Plan(program, bound).names_threads();
  const auto standing_for = [&](State state) { return names ? state : canonical(std::move(state)); };
  Levels levels;
  std::set<State> current;
  bool bad = false;
  for (State& state : interpreter.initial_states()) {
    bad = bad || interpreter.violated(state).has_value();
    current.insert(standing_for(std::move(state)));
  }
  levels.violated.push_back(bad);
  for (std::size_t k = 1; k <= depth; ++k) {
    std::set<State> next;
    for (const State& state : current) {
      for (Transition& step : interpreter.successors(state)) {
        bad = bad || step.fault.has_value();
        if (step.fault) continue;
        bad = bad || interpreter.violated(step.target).has_value();
        next.insert(standing_for(std::move(step.target)));
      }
      if (next.size() > most_states) {
        levels.too_large = true;
        return levels;
      }
    }
    levels.violated.push_back(bad);
    current = std::move(next);
  }
  levels.ends = current.empty();
  levels.over = std::all_of(current.begin(), current.end(),
                            [&](const State& state) { return interpreter.successors(state).empty(); });
  return levels;
}

struct Variant {
  bool projection;
  bool lazy;
  bool normal_form;
  bool symmetry;
  IntegerMode integers;
};

inline std::string name_of(const Variant& variant) {
  return std::string(variant.projection ? "projection " : "") + (variant.lazy ? "lazy " : "") +
         (variant.normal_form ? "mpor " : "") + (variant.symmetry ? "symmetry " : "") +
         (variant.integers == IntegerMode::Math ? "math" : "bits");
}

inline std::vector<Variant> all_variants() {
  std::vector<Variant> variants;
  for (unsigned i = 0; i < 16; ++i) {
    const bool lazy = (i & 2U) != 0 && (i & 4U) == 0;
    variants.push_back(
        {(i & 1U) != 0, lazy, (i & 2U) != 0, (i & 4U) != 0, (i & 8U) != 0 ? IntegerMode::Math : IntegerMode::Bits});
  }
  return variants;
}

inline EngineOptions options_of(const Variant& variant) {
  EngineOptions options;
  options.symmetry = variant.symmetry;
  options.bmc.projection = variant.projection ? ProjectionMode::WhenHard : ProjectionMode::Off;
  options.bmc.growing_contexts = variant.lazy;
  options.bmc.normal_form = variant.normal_form;
  options.bmc.integers = variant.integers;
  return options;
}

// What disagrees, or "".
inline std::string compare_at(const Program& program, std::uint32_t bound, const BmcEngine& engine,
                              const EngineOptions& options, bool violated) {
  const Task task{program, bound, options};
  if (const auto refusal = engine.refuses(task)) return "refused: " + *refusal;
  Env env;
  const result::Result result = engine.check(env, task);
  if ((result.verdict == Verdict::Unsafe) != violated) {
    return violated ? "misses a violation" : "finds a violation that is not there";
  }
  if (!violated) return "";
  const result::Replay replay = result::replay(program, bound, *result.run);
  return replay.succeeded ? "" : replay.message;
}

// One solver over all depths, and each depth on its own.
inline std::string compare(const Program& program, std::uint32_t bound, std::size_t depth, const Variant& variant) {
  const Levels levels = search_levels(program, bound, depth);
  if (levels.too_large) return "";
  EngineOptions options = options_of(variant);
  // These programs are easy: by default the constraint for projections would never be asked for.  With one conflict
  // before it some are decided without it, and the others with a solver that is started again.
  const BmcEngine engine(variant.lazy ? 1 : 0);
  for (std::uint32_t k = 0; k <= depth; ++k) {
    options.bmc.depths.first = options.bmc.depths.last = k;
    const std::string wrong = compare_at(program, bound, engine, options, levels.violated[k]);
    if (!wrong.empty()) return name_of(variant) + " at depth " + std::to_string(k) + ": " + wrong;
  }
  options.bmc.depths.first = 0;
  const std::string wrong = compare_at(program, bound, engine, options, levels.violated[depth]);
  if (!wrong.empty()) return name_of(variant) + " up to depth " + std::to_string(depth) + ": " + wrong;
  if (levels.violated[depth]) return "";
  Env env;
  const Verdict verdict = engine.check(env, {program, bound, options}).verdict;
  // Where a thread may wait inside of an atomic section, it does not tell whom that keeps from going on.
  const bool is_told = !model::looks_for_deadlocks(program) || !model::may_wait_inside(program);
  if (!is_told) return verdict == Verdict::Unknown ? "" : name_of(variant) + ": is sure of what it does not tell";
  if (levels.ends && verdict != Verdict::Safe) return name_of(variant) + ": does not see that all executions end";
  if (verdict == Verdict::Safe && !levels.over) return name_of(variant) + ": SAFE though executions go on";
  return "";
}

inline Program random_flat(std::uint64_t seed, const cohort::test::RandomProgramOptions& options) {
  return inline_calls(cohort::test::random_program(seed, options));
}

// More for a night: COHORT_ROUNDS=5000.
inline std::uint64_t rounds(std::uint64_t usual) {
  const char* given = std::getenv("COHORT_ROUNDS");
  return given == nullptr ? usual : std::stoull(given);
}

}  // namespace cohort::engine::bmc::test
