// Every combination of merging, reduction and symmetry gives the interpreter's verdict, and every counterexample
// replays.
#include <gtest/gtest.h>

#include "engine/engine.hpp"
#include "engine/symbolic/brute_force.hpp"
#include "engine/symbolic/random_boolean.hpp"
#include "result/replay.hpp"

namespace cohort::engine::symbolic {
namespace {

using cohort::testing::BruteForce;
using cohort::testing::RandomBoolean;
using cohort::testing::RandomShape;

struct Combination {
  const char* engine;
  bool symmetry;
  bool merging;
  bool partial_order;
};

constexpr Combination combinations[] = {
    {"symbolic", true, true, false},  {"symbolic", true, true, true},   {"symbolic", true, false, false},
    {"symbolic", true, false, true},  {"symbolic", false, true, false}, {"symbolic", false, true, true},
    {"explicit", true, false, false}, {"explicit", true, false, true},  {"explicit", false, false, true}};

// Returns whether the program is unsafe.
bool check_all(const model::Program& program, std::uint32_t bound, const BruteForce& truth, std::uint64_t seed) {
  for (const Combination& combination : combinations) {
    Task task{program, bound, {}};
    task.options.symmetry = combination.symmetry;
    task.options.merging = combination.merging;
    task.options.partial_order = combination.partial_order;
    Env env;
    const result::Result result = find_engine(combination.engine)->check(env, task);
    const auto where = ::testing::Message() << combination.engine << " seed " << seed << " bound " << bound
                                            << " symmetry " << combination.symmetry << " merging "
                                            << combination.merging << " reduction " << combination.partial_order;
    EXPECT_EQ(result.verdict, truth.violated ? result::Verdict::Unsafe : result::Verdict::Safe) << where;
    if (result.verdict != result::Verdict::Unsafe) continue;
    const result::Replay replay = result::replay(program, bound, *result.run);
    EXPECT_TRUE(replay.succeeded) << where << ": " << replay.message;
    EXPECT_EQ(replay.violated, result.property) << where;
  }
  return truth.violated;
}

void agree_on(std::uint64_t first_seed, std::uint64_t last_seed, const RandomShape& shape,
              std::size_t expected_unsafe) {
  std::size_t unsafe = 0;
  for (std::uint64_t seed = first_seed; seed <= last_seed; ++seed) {
    const model::Program program = RandomBoolean(seed, shape).make();
    const std::uint32_t bound = 4 + static_cast<std::uint32_t>(seed % 2);
    const BruteForce truth = cohort::testing::explore(program, bound, 2000);
    if (!truth.complete) continue;
    unsafe += check_all(program, bound, truth, seed) ? 1 : 0;
    if (::testing::Test::HasFailure()) return;
  }
  EXPECT_GE(unsafe, expected_unsafe);
}

TEST(Agreement, OnProgramsWithEverything) {
  agree_on(1, 200, {}, 40);
}

TEST(Agreement, OnProgramsWithCovers) {
  agree_on(1, 150, {.errors = false, .covers = true}, 40);
}

TEST(Agreement, OnProgramsThatMostlyCompute) {
  // Few ties between threads, so that the reduction has much to do.
  agree_on(1, 200, {.broadcasts = false, .atomic = false, .max_shared = 4, .max_locals = 1, .max_locations = 6}, 40);
}

TEST(Agreement, OnLongerPrograms) {
  agree_on(1, 100, {.max_shared = 2, .max_locals = 1, .max_locations = 9, .max_edges = 12}, 20);
}

}  // namespace
}  // namespace cohort::engine::symbolic
