// Bounded model checking against exhaustive search by the interpreter: for every depth, with every combination of
// reductions, the engine finds a violation exactly when some execution of at most that many steps has one.
#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "engine/bmc/bmc_engine.hpp"
#include "model/interpreter.hpp"
#include "model/passes/inline.hpp"
#include "result/replay.hpp"
#include "support/build.hpp"
#include "support/random_program.hpp"
#include "support/tiny_programs.hpp"

namespace cohort::engine::bmc {

using namespace model;
using namespace test;
using result::Verdict;

namespace {

constexpr std::size_t most_states = 3000;

// violated[k]: an execution of at most k steps violates; complete: no execution has more steps than were looked at.
struct Levels {
  std::vector<bool> violated;
  bool ends = false;  // no state is left after the last level
  bool too_large = false;
};

Levels search_levels(const Program& program, std::uint32_t bound, std::size_t depth) {
  const Interpreter interpreter(program, bound);
  Levels levels;
  std::set<State> current;
  bool bad = false;
  for (State& state : interpreter.initial_states()) {
    bad = bad || interpreter.violated(state).has_value();
    current.insert(canonical(std::move(state)));
  }
  levels.violated.push_back(bad);
  for (std::size_t k = 1; k <= depth; ++k) {
    std::set<State> next;
    for (const State& state : current) {
      for (Transition& step : interpreter.successors(state)) {
        bad = bad || step.fault.has_value();
        if (step.fault) continue;
        bad = bad || interpreter.violated(step.target).has_value();
        next.insert(canonical(std::move(step.target)));
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
  return levels;
}

struct Variant {
  bool projection;
  bool normal_form;
  bool symmetry;
  IntegerMode integers;
};

std::string name_of(const Variant& variant) {
  return std::string(variant.projection ? "projection " : "") + (variant.normal_form ? "mpor " : "") +
         (variant.symmetry ? "symmetry " : "") + (variant.integers == IntegerMode::Math ? "math" : "bits");
}

std::vector<Variant> all_variants() {
  std::vector<Variant> variants;
  for (unsigned i = 0; i < 16; ++i) {
    variants.push_back(
        {(i & 1U) != 0, (i & 2U) != 0, (i & 4U) != 0, (i & 8U) != 0 ? IntegerMode::Math : IntegerMode::Bits});
  }
  return variants;
}

EngineOptions options_of(const Variant& variant) {
  EngineOptions options;
  options.symmetry = variant.symmetry;
  options.bmc.projection = variant.projection;
  options.bmc.normal_form = variant.normal_form;
  options.bmc.integers = variant.integers;
  return options;
}

// What disagrees, or "".
std::string compare_at(const Program& program, std::uint32_t bound, const EngineOptions& options, bool violated) {
  const BmcEngine engine;
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
std::string compare(const Program& program, std::uint32_t bound, std::size_t depth, const Variant& variant) {
  const Levels levels = search_levels(program, bound, depth);
  if (levels.too_large) return "";
  EngineOptions options = options_of(variant);
  for (std::uint32_t k = 0; k <= depth; ++k) {
    options.bmc.first_depth = options.bmc.last_depth = k;
    const std::string wrong = compare_at(program, bound, options, levels.violated[k]);
    if (!wrong.empty()) return name_of(variant) + " at depth " + std::to_string(k) + ": " + wrong;
  }
  options.bmc.first_depth = 0;
  const std::string wrong = compare_at(program, bound, options, levels.violated[depth]);
  if (!wrong.empty()) return name_of(variant) + " up to depth " + std::to_string(depth) + ": " + wrong;
  if (levels.violated[depth]) return "";
  Env env;
  const BmcEngine engine;
  const Verdict verdict = engine.check(env, {program, bound, options}).verdict;
  if ((verdict == Verdict::Safe) != levels.ends) return name_of(variant) + ": SAFE exactly where all executions end";
  return "";
}

Program random_flat(std::uint64_t seed, RandomProgramOptions options) {
  return inline_calls(random_program(seed, options));
}

}  // namespace

TEST(BmcAgreement, RandomBooleanPrograms) {
  const auto variants = all_variants();
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const Program program = random_flat(seed, {.cover = seed % 3 == 0});
    const auto bound = static_cast<std::uint32_t>(2 + seed % 2);
    ASSERT_EQ(compare(program, bound, 6, variants[seed % 8]), "") << "seed " << seed;
  }
}

TEST(BmcAgreement, RandomProgramsWithNumbers) {
  const auto variants = all_variants();
  for (std::uint64_t seed = 0; seed < 48; ++seed) {
    const Program program = random_flat(seed, {.calls = false, .numbers = true, .cover = seed % 4 == 0});
    ASSERT_EQ(compare(program, 2, 5, variants[seed % 16]), "") << "seed " << seed;
  }
}

TEST(BmcAgreement, ReplicatedThreads) {
  const auto variants = all_variants();
  for (std::uint64_t seed = 100; seed < 140; ++seed) {
    const Program program = random_flat(seed, {.spawns = seed % 2 == 0, .cover = true});
    Program replicated = program;
    replicated.initial.resize(1);
    replicated.initial[0].count = 3;
    ASSERT_EQ(compare(replicated, 3, 5, variants[seed % 8]), "") << "seed " << seed;
  }
}

// Every program with two edges of the alphabet of tiny programs, sampled evenly; all combinations in turn.
TEST(BmcAgreement, TinyPrograms) {
  const auto variants = all_variants();
  std::size_t count = 0;
  for (std::size_t first = 0; first < tiny_alphabet_size(); first += 7) {
    for (std::size_t second = first % 11; second < tiny_alphabet_size(); second += 23) {
      const Program program = tiny_program({first, second});
      ASSERT_EQ(compare(program, 2, 4, variants[count++ % 8]), "") << first << " " << second;
    }
  }
}

}  // namespace cohort::engine::bmc
