// Random programs against brute force over the interpreter: for 1 to 3 threads the verdicts are equal in every
// configuration, and SAFE for any number of threads is never contradicted by up to 5 threads.
#include <cstdlib>
#include <string>

#include <gtest/gtest.h>

#include "engine/cegar/cegar_engine.hpp"
#include "engine/symbolic/engine.hpp"
#include "frontend/scpl/scpl.hpp"
#include "model/passes/simplify.hpp"
#include "model/validate.hpp"
#include "result/replay.hpp"
#include "support/diagnostics.hpp"
#include "support/explore.hpp"
#include "support/random_scpl.hpp"

namespace cohort::test {
namespace {

using engine::AbstractionMode;
using result::Verdict;

// COHORT_ROUNDS asks for a longer campaign, COHORT_SEED for another beginning.
std::uint64_t from_environment(const char* name, std::uint64_t usual) {
  const char* text = std::getenv(name);
  return text == nullptr ? usual : std::stoull(text);
}

struct Totals {
  std::size_t safe = 0;
  std::size_t unsafe = 0;
  std::size_t unknown = 0;
};

result::Result check(const model::Program& program, std::optional<std::uint32_t> bound, bool lemmas,
                     AbstractionMode mode = AbstractionMode::Oracle) {
  Env env;
  env.self_check = true;
  env.limits.set_time_limit(mode == AbstractionMode::Oracle ? 60 : 10);
  engine::cegar::Settings settings;
  if (lemmas) settings.iterations_without_lemmas = 0;
  const engine::symbolic::SymbolicEngine checker;
  engine::EngineOptions options;
  options.abstraction = mode;
  return engine::cegar::CegarEngine(settings, &checker).check(env, {program, bound, options});
}

// Does brute force find a violation?  None: there are too many states.
std::optional<bool> is_unsafe(const model::Program& program, std::uint32_t threads) {
  const Exploration exploration = explore(program, threads, 4000);
  if (exploration.shortest_violation) return true;
  return exploration.complete ? std::optional(false) : std::nullopt;
}

void expect_replays(const model::Program& program, std::optional<std::uint32_t> bound, const result::Result& result) {
  ASSERT_TRUE(result.run.has_value());
  const result::Replay replay = result::replay(program, bound, *result.run);
  EXPECT_TRUE(replay.succeeded) << replay.message;
}

void compare(const model::Program& program, bool lemmas, Totals& totals) {
  for (std::uint32_t threads = 1; threads <= 3; ++threads) {
    const auto unsafe = is_unsafe(program, threads);
    if (!unsafe) continue;
    const result::Result result = check(program, threads, lemmas);
    if (result.verdict == Verdict::Unknown) {
      ++totals.unknown;
      continue;
    }
    ASSERT_EQ(result.verdict == Verdict::Unsafe, *unsafe) << threads << " threads";
    ++(*unsafe ? totals.unsafe : totals.safe);
    if (*unsafe) expect_replays(program, threads, result);
  }
  const result::Result any = check(program, std::nullopt, lemmas);
  if (any.verdict == Verdict::Unsafe) expect_replays(program, std::nullopt, any);
  if (any.verdict == Verdict::Unknown) ++totals.unknown;
  for (std::uint32_t threads = 1; threads <= 5 && any.verdict == Verdict::Safe; ++threads) {
    ASSERT_NE(is_unsafe(program, threads), std::optional(true)) << "any number, but " << threads << " threads";
  }
}

// The same with Boolean programs that the symbolic engine checks.
void compare_boolean(const model::Program& program, AbstractionMode mode, Totals& totals) {
  for (std::uint32_t threads = 1; threads <= 3; ++threads) {
    const auto unsafe = is_unsafe(program, threads);
    if (!unsafe) continue;
    const result::Result result = check(program, threads, false, mode);
    if (result.verdict == Verdict::Unknown) {
      ++totals.unknown;
      continue;
    }
    ASSERT_EQ(result.verdict == Verdict::Unsafe, *unsafe) << threads << " threads, mode " << static_cast<int>(mode);
    ++(*unsafe ? totals.unsafe : totals.safe);
    if (*unsafe) expect_replays(program, threads, result);
  }
  const result::Result any = check(program, std::nullopt, false, mode);
  if (any.verdict == Verdict::Unsafe) expect_replays(program, std::nullopt, any);
  for (std::uint32_t threads = 1; threads <= 5 && any.verdict == Verdict::Safe; ++threads) {
    ASSERT_NE(is_unsafe(program, threads), std::optional(true))
        << "any number, mode " << static_cast<int>(mode) << ", but " << threads << " threads";
  }
}

// Ten thousand numbers in each formula would neither end nor be stopped in time.
TEST(CegarEngine, TakesNoLongArrays) {
  const auto source = std::make_shared<const SourceFile>("long.scpl", "shared int x = 0; x = x + 1;");
  model::Program program = frontend::scpl::load(source);
  const engine::cegar::CegarEngine cegar;
  EXPECT_FALSE(cegar.refuses({program, std::nullopt, {}}));
  const model::Type number = model::Type::fixed(32, true);
  program.add_shared({.name = "slots", .type = number.array_of(2048), .initial = {0}, .span = {}});
  EXPECT_FALSE(cegar.refuses({program, std::nullopt, {}}));
  program.add_shared({.name = "more", .type = number.array_of(2049), .initial = {0}, .span = {}});
  EXPECT_EQ(cegar.refuses({program, std::nullopt, {}}), "it takes arrays of at most 2048 elements ('more')");
}

TEST(RandomPrograms, BooleanProgramsGiveTheSameVerdicts) {
  const std::uint64_t first = from_environment("COHORT_SEED", 2000);
  const std::uint64_t rounds = from_environment("COHORT_ROUNDS", 12);
  Totals totals;
  for (std::uint64_t seed = first; seed < first + rounds; ++seed) {
    const std::string text = random_scpl_program(seed);
    SCOPED_TRACE("seed " + std::to_string(seed) + "\n" + text);
    const model::Program program = model::simplify(frontend::scpl::load(text_file("random.scpl", text))).program;
    for (const AbstractionMode mode : {AbstractionMode::Cubes0, AbstractionMode::Cubes1, AbstractionMode::Cubes2}) {
      compare_boolean(program, mode, totals);
      ASSERT_FALSE(testing::Test::HasFailure());
    }
  }
  EXPECT_GT(totals.safe, rounds / 2);
  EXPECT_GT(totals.unsafe, rounds / 2);
  EXPECT_LT(totals.unknown, rounds);
  RecordProperty("unknown", static_cast<int>(totals.unknown));
}

TEST(RandomPrograms, VerdictsAreThoseOfBruteForce) {
  const std::uint64_t first = from_environment("COHORT_SEED", 1);
  const std::uint64_t rounds = from_environment("COHORT_ROUNDS", 30);
  Totals totals;
  for (std::uint64_t seed = first; seed < first + rounds; ++seed) {
    const std::string text = random_scpl_program(seed);
    SCOPED_TRACE("seed " + std::to_string(seed) + "\n" + text);
    const model::Program program = frontend::scpl::load(text_file("random.scpl", text));
    model::validate(program);
    if (seed % 2 == 0) {
      compare(program, seed % 3 == 0, totals);
    } else {
      compare(model::simplify(program).program, seed % 3 == 0, totals);
    }
    ASSERT_FALSE(testing::Test::HasFailure());
  }
  EXPECT_GT(totals.safe, rounds / 4);
  EXPECT_GT(totals.unsafe, rounds / 4);
  EXPECT_LT(totals.unknown, rounds / 4);
  RecordProperty("unknown", static_cast<int>(totals.unknown));
}

}  // namespace
}  // namespace cohort::test
