#include "engine/symbolic/engine.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "engine/symbolic/brute_force.hpp"
#include "engine/symbolic/random_boolean.hpp"
#include "frontend/bp/bp.hpp"
#include "model/passes/inline.hpp"
#include "result/certificate.hpp"
#include "result/replay.hpp"

namespace cohort::engine::symbolic {
namespace {

using result::Verdict;

model::Program program_of(const std::string& text) {
  return model::inline_calls(frontend::bp::load(std::make_shared<const SourceFile>("test.bp", text)));
}

result::Result check(const model::Program& program, std::uint32_t bound, EngineOptions options, Env& env) {
  const Task task{program, bound, options};
  EXPECT_EQ(SymbolicEngine().refuses(task), std::nullopt);
  return SymbolicEngine().check(env, task);
}

// With the reduction on, with and without symmetry.
void expect_with_reduction(const std::string& text, std::uint32_t bound, Verdict verdict) {
  const model::Program program = program_of(text);
  for (const bool symmetry : {true, false}) {
    Env env;
    EngineOptions options;
    options.symmetry = symmetry;
    options.partial_order = true;
    const result::Result result = check(program, bound, options, env);
    EXPECT_EQ(result.verdict, verdict) << "symmetry " << symmetry;
    if (!result.run) continue;
    EXPECT_TRUE(result::replay(program, bound, *result.run).succeeded);
  }
}

TEST(Reduction, AnAssumeMayDisableOthers) {
  // BOOM, listing 1: were the first thread run to its end alone, the second could not get past its assume.
  expect_with_reduction(R"(
    decl s;
    void main() begin
      s := *;
      start_thread goto P2;
      P1: assume(s);
      end_thread;
      P2: assume(!s);
      assert(F);
    end)",
                        2, Verdict::Unsafe);
}

TEST(Reduction, AssertionsAreVisibleToTheFuture) {
  // BOOM, listing 2: the assertion must be tried before the other thread's later write.
  expect_with_reduction(R"(
    decl s;
    void main() begin
      decl l;
      s := T;
      start_thread goto P2;
      P1: l := T;
      s := F;
      end_thread;
      P2: assert(s);
    end)",
                        2, Verdict::Unsafe);
}

TEST(Reduction, AnInvisibleLoopDoesNotStarveOthers) {
  // Without a cycle proviso the loop would be expanded alone for ever.
  expect_with_reduction(R"(
    void main() begin
      decl l;
      start_thread goto P2;
      P1: l := !l;
      goto P1;
      P2: assert(F);
    end)",
                        2, Verdict::Unsafe);
}

TEST(Reduction, ThreadsThatReplaceThemselvesAreALoop) {
  expect_with_reduction(R"(
    void main() begin
      start_thread goto P1;
      goto P2;
      P1: start_thread goto P1;
      end_thread;
      P2: skip;
      assert(F);
    end)",
                        3, Verdict::Unsafe);
}

TEST(Reduction, BlockedStatesThatOthersCanTellApartAreKept) {
  // a and b are tied; the thread that assumes a would drop the states with b = F, in which the other fails.
  expect_with_reduction(R"(
    decl a, b;
    void main() begin
      a := *;
      b := a;
      start_thread goto P2;
      P1: assume(a);
      end_thread;
      P2: assert(b);
    end)",
                        2, Verdict::Unsafe);
}

TEST(Reduction, SavesWorkWhereThreadsComputeOnTheirOwn) {
  const model::Program program = program_of(R"(
    void main() begin
      decl a, b;
      start_thread goto L;
      start_thread goto L;
      L: a := *;
      b := a;
      a := !b;
      b := *;
      assume(a | b);
    end)");
  std::uint64_t states[2] = {0, 0};
  for (const bool reduced : {false, true}) {
    Env env;
    EngineOptions options;
    options.partial_order = reduced;
    EXPECT_EQ(check(program, 3, options, env).verdict, Verdict::Safe);
    states[reduced ? 1 : 0] = std::get<std::uint64_t>(*env.statistics.find("symbolic_states"));
  }
  EXPECT_LT(2 * states[1], states[0]);
}

// Threads that an atomic section makes wait until it ends; then all walk through their local steps, more in number than
// an atomic section is passed at once.
std::string crowd(const std::string& last) {
  std::string text = "decl s, t; void main() begin decl a, b; atomic_begin; s := T; a, b := F, F;\n";
  for (int i = 0; i < 14; ++i) text += "start_thread goto P; ";
  text += "s := F; atomic_end; P: ";
  for (int i = 0; i < 8; ++i) text += "a, b := !b, a; ";
  return text + last + " end";
}

TEST(Reduction, LocalStepsOfManyThreadsArePassedAtOnce) {
  // After eight turns a and b are F and F again.
  expect_with_reduction(crowd("assert(!a & !b & !s);"), 5, Verdict::Safe);
  const model::Program safe = program_of(crowd("t := a; assert(!t & !s);"));
  const model::Program unsafe = program_of(crowd("t := !t; assert(!t | s);"));
  for (const bool is_safe : {true, false}) {
    Env env;
    EngineOptions options;
    options.partial_order = true;
    const model::Program& program = is_safe ? safe : unsafe;
    const result::Result result = check(program, 15, options, env);
    EXPECT_EQ(result.verdict, is_safe ? Verdict::Safe : Verdict::Unsafe);
    EXPECT_LT(std::get<std::uint64_t>(*env.statistics.find("symbolic_states")), 1000U);
    if (!is_safe) {
      ASSERT_TRUE(result.run);
      const result::Replay replay = result::replay(program, 15, *result.run);
      EXPECT_TRUE(replay.succeeded) << replay.message;
    }
  }
}

TEST(SymbolicEngine, CertificatesOfRandomProgramsHold) {
  std::size_t certified = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    const model::Program program = testing::RandomBoolean(seed, {}).make();
    if (!testing::explore(program, 4, 500).complete) continue;
    for (const auto& [symmetry, reduced] : {std::pair(true, false), {true, true}, {false, false}, {false, true}}) {
      Env env;
      EngineOptions options;
      options.certificate = true;
      options.symmetry = symmetry;
      options.partial_order = reduced;
      const result::Result result = check(program, 4, options, env);
      if (result.verdict != Verdict::Safe) continue;
      ASSERT_NE(result.certificate, nullptr);
      nlohmann::json json = result.certificate->to_json(program);
      const auto answer = result::check_certificate(env, program, 4, json);
      EXPECT_TRUE(answer.valid) << "seed " << seed << " reduced " << reduced << ": " << answer.message;
      ++certified;
      // A set with a state taken out is not closed any more, unless others represent that state too.
      if (json["states"].size() != 1) continue;
      json["states"].clear();
      EXPECT_FALSE(result::check_certificate(env, program, 4, json).valid);
    }
  }
  EXPECT_GT(certified, 40U);
}

TEST(SymbolicEngine, RefusesWhatIsNotBoolean) {
  model::Program program;
  program.add_shared({.name = "n", .type = model::Type::fixed(8, false)});
  EXPECT_EQ(SymbolicEngine().refuses({program, 1, {}}), "variable n is not Boolean");
  EXPECT_TRUE(SymbolicEngine().refuses({model::Program(), std::nullopt, {}}).has_value());
}

// Many variables that all depend on each other in a way that no order makes small.
std::string hard_program() {
  std::string text = "decl a0";
  for (int i = 1; i < 24; ++i) text += fmt::format(", a{}, b{}", i, i);
  text += ", b0;\nvoid main() begin\n decl ok; ok := T;\n";
  for (int i = 0; i < 24; ++i) text += fmt::format(" b{} := a{};\n", (i * 7 + 5) % 24, i);
  return text + " assert(ok);\nend";
}

// Each of a number of shared variables is equal to another that is far from it in the order of declaration.
std::string pairs_program(int pairs) {
  std::string first;
  std::string second;
  std::string steps;
  for (int i = 0; i < pairs; ++i) {
    first += fmt::format("{}a{}", i == 0 ? "" : ", ", i);
    second += fmt::format(", b{}", i);
    steps += fmt::format("  a{} := *; b{} := a{};\n", i, i, i);
  }
  return "decl " + first + second + ";\nvoid main() begin\n" + steps + "  assert(a1 = b1);\nend";
}

TEST(SymbolicEngine, ReorderingOnRequestKeepsTheVerdict) {
  const model::Program program = program_of(pairs_program(13));
  for (const bool symmetry : {true, false}) {
    Env env;
    EngineOptions options;
    options.symmetry = symmetry;
    options.reorder = true;
    EXPECT_EQ(check(program, 1, options, env).verdict, Verdict::Safe);
    EXPECT_GT(std::get<std::uint64_t>(*env.statistics.find("reorderings")), 0U);
  }
}

TEST(SymbolicEngine, AMemoryLimitGivesUnknown) {
  const model::Program program = program_of(hard_program());
  for (const bool symmetry : {true, false}) {
    Env env;
    env.limits.set_memory_limit(resident_memory() + (std::uint64_t{6} << 20U));
    EngineOptions options;
    options.symmetry = symmetry;
    const result::Result result = check(program, 2, options, env);
    EXPECT_EQ(result.verdict, Verdict::Unknown);
    EXPECT_FALSE(result.reason.empty());
  }
}

TEST(SymbolicEngine, ATimeLimitGivesUnknown) {
  const model::Program program = program_of(hard_program());
  Env env;
  env.limits.set_time_limit(0.02);
  EXPECT_EQ(check(program, 2, {}, env).verdict, Verdict::Unknown);
}

}  // namespace
}  // namespace cohort::engine::symbolic
