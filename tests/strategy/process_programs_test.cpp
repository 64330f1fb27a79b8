// Random process programs: every engine that takes one agrees with brute force over the interpreter, whatever the
// reductions.
#include <cstdlib>
#include <string>

#include <gtest/gtest.h>

#include "engine/engine.hpp"
#include "frontend/pbmc/pbmc.hpp"
#include "model/validate.hpp"
#include "strategy/verify.hpp"
#include "support/diagnostics.hpp"
#include "support/explore.hpp"
#include "support/random_process.hpp"

namespace cohort::test {
namespace {

using result::Verdict;

// More for a night: COHORT_ROUNDS=20000.
std::uint64_t rounds() {
  const char* given = std::getenv("COHORT_ROUNDS");
  return given == nullptr ? 150 : std::stoull(given);
}

struct Totals {
  std::size_t safe = 0;
  std::size_t unsafe = 0;
};

void expect_agreement(const model::Program& program, std::uint32_t threads, Verdict wanted, bool simplify,
                      bool symmetry) {
  for (const auto& engine : engine::engines()) {
    if (engine->name() != "explicit" && engine->name() != "control-flow") continue;
    Env env;
    strategy::Options options{.engine = std::string(engine->name()), .threads = {false, threads}, .simplify = simplify};
    options.engine_options.symmetry = symmetry;
    const result::Answer answer = strategy::verify(env, program, options);
    if (answer.engine.empty()) continue;
    EXPECT_EQ(static_cast<int>(answer.result.verdict), static_cast<int>(wanted))
        << engine->name() << answer.result.reason;
  }
}

TEST(ProcessPrograms, EnginesAgreeWithBruteForce) {
  Totals totals;
  for (std::uint64_t seed = 1; seed <= rounds(); ++seed) {
    const std::string text = random_process_program(seed);
    SCOPED_TRACE(text);
    const model::Program program = frontend::pbmc::load(text_file("random.pbmc", text));
    model::validate(program);
    const std::uint32_t threads = *model::fixed_thread_count(program);
    const Exploration exploration = explore(program, threads, 6000);
    if (!exploration.complete) continue;
    const bool unsafe = exploration.shortest_violation.has_value();
    ++(unsafe ? totals.unsafe : totals.safe);
    for (const bool simplify : {false, true}) {
      expect_agreement(program, threads, unsafe ? Verdict::Unsafe : Verdict::Safe, simplify, seed % 2 == 0);
    }
    ASSERT_FALSE(testing::Test::HasFailure()) << "seed " << seed;
  }
  EXPECT_GT(totals.safe, rounds() / 10);
  EXPECT_GT(totals.unsafe, rounds() / 10);
}

}  // namespace
}  // namespace cohort::test
