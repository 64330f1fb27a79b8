// Random process programs, with arrays, loops, atomic blocks and faults, through bounded model checking: it finds a
// violation at the least depth that has one and not before, whatever the reductions, and never calls a program SAFE
// that brute force over the interpreter finds unsafe.
#include <cstdlib>
#include <string>

#include <gtest/gtest.h>

#include "engine/bmc/bmc_engine.hpp"
#include "frontend/pbmc/pbmc.hpp"
#include "result/replay.hpp"
#include "strategy/verify.hpp"
#include "support/diagnostics.hpp"
#include "support/explore.hpp"
#include "support/random_process.hpp"

namespace cohort::test {
namespace {

using result::Verdict;

std::uint64_t rounds() {
  const char* given = std::getenv("COHORT_ROUNDS");
  return given == nullptr ? 60 : std::stoull(given);
}

// The engine itself, with the constraint for projections from the start.
Verdict eager_verdict(const model::Program& program, std::uint32_t threads, std::uint64_t seed, std::size_t depth) {
  engine::EngineOptions options;
  options.bmc.normal_form = seed % 3 == 0;
  options.bmc.depths.first = options.bmc.depths.last = static_cast<std::uint32_t>(depth);
  Env env;
  const engine::Task task{program, threads, options};
  const result::Result result = engine::bmc::BmcEngine(0).check(env, task);
  if (result.run) {
    const result::Replay replay = result::replay(program, threads, *result.run);
    EXPECT_TRUE(replay.succeeded) << replay.message;
  }
  return result.verdict;
}

Verdict verdict_of(const model::Program& program, std::uint32_t threads, std::uint64_t seed,
                   std::optional<std::size_t> depth) {
  strategy::Options options{.engine = "bmc", .threads = {false, threads}, .simplify = !depth};
  engine::BmcOptions& bmc = options.engine_options.bmc;
  bmc.projection = seed % 2 == 0 ? engine::ProjectionMode::WhenHard : engine::ProjectionMode::Off;
  bmc.normal_form = seed % 5 == 0;
  if (depth) bmc.depths.first = bmc.depths.last = static_cast<std::uint32_t>(*depth);
  if (!depth) bmc.depths.last = 12;
  Env env;
  const result::Answer answer = strategy::verify(env, program, options);
  EXPECT_FALSE(answer.engine.empty()) << answer.result.reason;
  return answer.result.verdict;
}

TEST(BmcPrograms, AgreeWithBruteForce) {
  std::size_t safe = 0;
  std::size_t unsafe = 0;
  for (std::uint64_t seed = 1; seed <= rounds(); ++seed) {
    const std::string text = random_process_program(seed);
    SCOPED_TRACE(text);
    const model::Program program = frontend::pbmc::load(text_file("random.pbmc", text));
    const std::uint32_t threads = *model::fixed_thread_count(program);
    const Exploration exploration = explore(program, threads, 6000);
    if (!exploration.complete) continue;
    if (const auto shortest = exploration.shortest_violation; shortest && *shortest > 0) {
      ++unsafe;
      EXPECT_EQ(verdict_of(program, threads, seed, *shortest), Verdict::Unsafe);
      EXPECT_NE(verdict_of(program, threads, seed, *shortest - 1), Verdict::Unsafe);
      EXPECT_EQ(eager_verdict(program, threads, seed, *shortest), Verdict::Unsafe);
      EXPECT_NE(verdict_of(program, threads, seed, std::nullopt), Verdict::Safe);
    } else if (!shortest) {
      EXPECT_NE(eager_verdict(program, threads, seed, 7), Verdict::Unsafe);
      const Verdict verdict = verdict_of(program, threads, seed, std::nullopt);
      EXPECT_NE(verdict, Verdict::Unsafe);
      safe += verdict == Verdict::Safe ? 1 : 0;
    }
    ASSERT_FALSE(testing::Test::HasFailure()) << "seed " << seed;
  }
  EXPECT_GT(safe, rounds() / 20);
  EXPECT_GT(unsafe, rounds() / 10);
}

}  // namespace
}  // namespace cohort::test
