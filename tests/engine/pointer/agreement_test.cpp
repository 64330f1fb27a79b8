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

// What would take long, by the name of the example: from so many processes on.
struct Limits {
  std::uint32_t plain = 5;     // explicit, processes told apart
  std::uint32_t symbolic = 5;  // forward
  std::uint32_t backward = 4;
};

Limits limits_of(const std::string& name) {
  if (name.starts_with("treiber_hazard") || name.starts_with("treiber_epochs"))
    return {.plain = 3, .symbolic = 3, .backward = 3};
  if (name.starts_with("treiber")) return {.plain = 4, .symbolic = 4, .backward = 3};
  if (name.starts_with("ms_queue")) return {.symbolic = 4, .backward = 3};
  if (name == "union_find") return {.plain = 4, .symbolic = 4};
  if (name == "ring_torn") return {.backward = 3};
  if (name == "clh" || name.starts_with("forest")) return {.backward = 5};
  return {};
}

// Without the knowledge that most variables are inactive.
bool has_too_many_starts(const model::Program& program) {
  return free_choices(program) > 100'000;
}

std::string disagreement(const model::Program& program, std::optional<std::size_t> depth, const Limits& limits = {}) {
  const std::uint32_t processes = model::fixed_thread_count(program).value();
  const EngineOptions depth_first{.order = SearchOrder::DepthFirst};
  std::string difference = compare(PointerEngine(), program, depth_first, depth, false);
  if (!difference.empty()) return "depth first: " + difference;
  for (const bool symmetry : {true, false}) {
    for (const bool inactive : {true, false}) {
      const EngineOptions options{.symmetry = symmetry, .inactive = inactive};
      const std::string setting = fmt::format("symmetry {}, inactive {}: ", symmetry, inactive);
      const bool starts = inactive || !has_too_many_starts(program);
      if (starts && (symmetry || processes < limits.plain)) {
        difference = compare(PointerEngine(), program, options, depth, true);
        if (!difference.empty()) return setting + difference;
      }
      if (starts && processes < limits.symbolic) {
        difference = compare(SymbolicPointerEngine(), program, options, depth, true);
        if (!difference.empty()) return "symbolic, " + setting + difference;
      }
      // A fault counts as one step less, so that runs need not be shortest.
      if (!starts || processes >= limits.backward) continue;
      difference = compare(SymbolicPointerEngine(Direction::Backward), program, options, depth, false);
      if (!difference.empty()) return "backward, " + setting + difference;
    }
  }
  return "";
}

// Steps to the nearest violation by the explicit engine, where brute force takes too long.
std::optional<std::size_t> depth_by_engine(const model::Program& program) {
  Env env;
  const auto result = PointerEngine().check(env, {program, model::fixed_thread_count(program), {}});
  EXPECT_NE(static_cast<int>(result.verdict), static_cast<int>(result::Verdict::Unknown));
  return result.run ? std::optional(result.run->steps.size()) : std::nullopt;
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

TEST(PointerAgreement, ExamplesAgreeInAllSettingsAndWithTheInterpreter) {
  std::size_t by_interpreter = 0;
  std::size_t all = 0;
  for (const test::Example& example : test::pointer_examples()) {
    for (std::uint32_t processes = std::max(2U, example.first_threads()); processes <= example.most_threads;
         ++processes) {
      const model::Program program = test::load_pointer(example.name(), processes);
      const Oracle oracle = brute_force(program, 4'000);
      const auto depth = oracle.complete ? oracle.depth : depth_by_engine(program);
      EXPECT_EQ(disagreement(program, depth, limits_of(example.name())), "")
          << example.name() << " with " << processes << " processes";
      by_interpreter += oracle.complete ? 1 : 0;
      ++all;
    }
  }
  EXPECT_GT(by_interpreter, 25U);
  EXPECT_GT(all, 50U);
}

TEST(PointerAgreement, CornersOfTheLanguage) {
  const std::string declarations = "process count = 3; global pointer g; local pointer p; local discrete x: -2..1;\n";
  const std::string start = "\ninitially g == NULL and (forall i: p[i] == NULL and x[i] == -1);\n";
  const std::vector<std::string> steps = {
      "when x < 1 may x = x + 1;",
      "when x == -1 may p = P; x = 0; when p != NULL may g = p->p; p->p->x = g->x / 2 - 1;",
      "when 1 / (x + 1) == 1 may ;",
      "when x > 5 and 1 / (x + 1) == 1 may ;",
      "when x > 5 && 1 / (x + 1) == 1 may ; when x == -1 may x = -2;",
      "when g != P may g = P; p = g - 1;",
      "when x[P] == -1 may x[P - 1] = 1;",
      "when exists i: i->p == NULL may p = NULL; g = P; x = 0; when forall i: x[i] == 0 may p = g->p->p;",
      "when g == NULL || g->x < 1 may g = P; P->x = g->x + 1;",
      "when x == -1 may x = true; x = x * -2;",
      "when P->(x == -1) may p = P->P; x = p->(x + 1); when x == 0 may g = p->g; x = g->(P - P);"};
  const std::vector<std::string> goals = {"risk exists i: x[i] == 1;", "safe forall i: p[i] == NULL or p[i]->x < 0;",
                                          "risk 4 / x[1] == -2;", "safe g == NULL => g->p != g;"};
  std::size_t unsafe = 0;
  std::size_t safe = 0;
  for (const std::string& step : steps) {
    for (const std::string& goal : goals) {
      const std::string text = declarations + "mode a true { " + step + " }" + start + goal;
      std::optional<model::Program> program;
      try {
        program = frontend::red::load(std::make_shared<SourceFile>("corner.red", text));
      } catch (const InputError&) {
        ADD_FAILURE() << text;
        continue;
      }
      for (const bool ignore_faults : {false, true}) {
        program->faults = ignore_faults ? model::FaultPolicy::Drop : model::FaultPolicy::Violation;
        const Oracle oracle = brute_force(*program, 4'000);
        ASSERT_TRUE(oracle.complete) << text;
        EXPECT_EQ(disagreement(*program, oracle.depth), "") << text;
        ++(oracle.depth ? unsafe : safe);
      }
    }
  }
  EXPECT_GT(unsafe, 20U);
  EXPECT_GT(safe, 10U);
}

TEST(PointerAgreement, RandomAlgorithms) {
  std::size_t compared = 0;
  std::size_t unsafe = 0;
  for (std::uint64_t seed = 1; seed <= 90; ++seed) {
    const auto processes = static_cast<std::uint32_t>(2 + seed % 3);
    const std::string text = RandomAlgorithm(seed).text(processes);
    using frontend::red::Faults;
    const bool apart = seed % 2 == 0;
    for (const Faults faults : {apart ? Faults::Guards : Faults::Report, apart ? Faults::Actions : Faults::Ignore}) {
      const model::Program program =
          frontend::red::load(std::make_shared<SourceFile>("random.red", text), {.faults = faults});
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
