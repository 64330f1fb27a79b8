// All pointer engines in all settings agree with brute force over the interpreter: on the examples and on random
// pointer algorithms.
#include <gtest/gtest.h>

#include "engine/pointer/oracle.hpp"
#include "engine/pointer/pointer_engine.hpp"
#include "engine/pointer/pointer_example.hpp"
#include "engine/pointer/random_pointer.hpp"
#include "engine/pointer/symbolic_pointer_engine.hpp"

namespace cohort::engine::pointer {
namespace {

using Direction = SymbolicPointerEngine::Direction;

constexpr std::uint32_t symbolic_processes = 3;

std::string disagreement(const model::Program& program, std::optional<std::size_t> depth) {
  const EngineOptions depth_first{.order = SearchOrder::DepthFirst};
  std::string difference = compare(PointerEngine(), program, depth_first, depth, false);
  if (!difference.empty()) return "depth first: " + difference;
  for (const bool symmetry : {true, false}) {
    for (const bool inactive : {true, false}) {
      const EngineOptions options{.symmetry = symmetry, .inactive = inactive};
      difference = compare(PointerEngine(), program, options, depth, true);
      if (!difference.empty()) return fmt::format("symmetry {}, inactive {}: {}", symmetry, inactive, difference);
      if (model::fixed_thread_count(program) > symbolic_processes) continue;
      difference = compare(SymbolicPointerEngine(), program, options, depth, true);
      if (!difference.empty())
        return fmt::format("symbolic, symmetry {}, inactive {}: {}", symmetry, inactive, difference);
    }
    // Backward, states that are not reachable count as well, and they are many; and a fault counts as one step less, so
    // that runs need not be shortest.
    if (model::fixed_thread_count(program) > 2U) continue;
    difference = compare(SymbolicPointerEngine(Direction::Backward), program, {.symmetry = symmetry}, depth, false);
    if (!difference.empty()) return fmt::format("backward, symmetry {}: {}", symmetry, difference);
  }
  return "";
}

TEST(PointerAgreement, ExamplesDoWhatTheirHeadersSay) {
  std::size_t safe = 0;
  std::size_t unsafe = 0;
  for (const test::Example& example : test::pointer_examples()) {
    ++(example.unsafe ? unsafe : safe);
    for (std::uint32_t processes = example.first_threads() == 1 ? 2 : example.first_threads();
         processes <= example.most_threads; ++processes) {
      Env env;
      const model::Program program = test::load_pointer(example.name(), processes);
      const engine::Task task{program, processes, {}};
      const auto result = PointerEngine().check(env, task);
      EXPECT_EQ(result.verdict == result::Verdict::Unsafe, example.is_unsafe_with(processes))
          << example.name() << " with " << processes << " processes";
      EXPECT_NE(static_cast<int>(result.verdict), static_cast<int>(result::Verdict::Unknown)) << example.name();
    }
  }
  EXPECT_GE(safe, 8U);
  EXPECT_GE(unsafe, 8U);
}

TEST(PointerAgreement, ExamplesAgreeWithTheInterpreter) {
  for (const test::Example& example : test::pointer_examples()) {
    for (std::uint32_t processes = 2; processes <= 3; ++processes) {
      if (processes < example.first_threads()) continue;
      const model::Program program = test::load_pointer(example.name(), processes);
      const Oracle oracle = brute_force(program, 2'000);
      if (!oracle.complete) continue;
      EXPECT_EQ(disagreement(program, oracle.depth), "") << example.name() << " with " << processes << " processes";
    }
  }
}

TEST(PointerAgreement, RandomAlgorithms) {
  std::size_t compared = 0;
  std::size_t unsafe = 0;
  for (std::uint64_t seed = 1; seed <= 90; ++seed) {
    const auto processes = static_cast<std::uint32_t>(2 + seed % 3);
    const std::string text = RandomAlgorithm(seed).text(processes);
    for (const bool ignore_faults : {false, true}) {
      const model::Program program =
          frontend::red::load(std::make_shared<SourceFile>("random.red", text), {.ignore_faults = ignore_faults});
      const Oracle oracle = brute_force(program, 1'000);
      if (!oracle.complete) continue;
      ++compared;
      unsafe += oracle.depth ? 1 : 0;
      ASSERT_EQ(disagreement(program, oracle.depth), "") << "seed " << seed << "\n" << text;
      const model::Program quiet = without_properties(program);
      const Oracle all = brute_force(quiet, 1'000);
      if (!all.complete) continue;
      Env env;
      PointerEngine().check(env, {quiet, processes, {.inactive = false}});
      ASSERT_EQ(std::get<std::uint64_t>(*env.statistics.find("states")), count_orbits(Layout(quiet), all.states))
          << "seed " << seed << "\n"
          << text;
    }
  }
  EXPECT_GT(compared, 80U);
  EXPECT_GT(unsafe, 20U);
  EXPECT_GT(compared - unsafe, 20U);
}

}  // namespace
}  // namespace cohort::engine::pointer
