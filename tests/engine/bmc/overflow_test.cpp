// Mathematical integers have no bounds, and Cohort's have 64 bits: a violation within them is found wherever others
// leave them, and nothing is proved where some execution does.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/bmc/bmc_engine.hpp"
#include "frontend/pbmc/pbmc.hpp"
#include "result/replay.hpp"

namespace cohort::engine::bmc {
namespace {

using result::Verdict;

result::Result check(const std::string& text, std::optional<std::uint32_t> depth = {},
                     IntegerMode integers = IntegerMode::Bits) {
  const model::Program program = frontend::pbmc::load(std::make_shared<const SourceFile>("t.pbmc", text));
  std::uint32_t threads = 0;
  for (const model::InitialThreads& group : program.initial) threads += group.count.value_or(0);
  Task task{program, threads, {}};
  task.options.bmc.integers = integers;
  task.options.bmc.depths.first = task.options.bmc.depths.last = depth;
  Env env;
  result::Result result = BmcEngine().check(env, task);
  if (result.run) {
    const result::Replay replay = result::replay(program, threads, *result.run);
    EXPECT_TRUE(replay.succeeded) << replay.message;
  }
  return result;
}

TEST(Overflow, ViolationsWithin64BitsAreFoundBesideIt) {
  for (const IntegerMode integers : {IntegerMode::Bits, IntegerMode::Math}) {
    for (const std::optional<std::uint32_t> depth : {std::optional<std::uint32_t>(), {1U}, {4U}}) {
      EXPECT_EQ(check("int x; processes 1; property x != 5; process P { x = x + 1; }", depth, integers).verdict,
                Verdict::Unsafe);
      EXPECT_EQ(check("int x; processes 1; property x + 1 != 5; process P { x = x + 1; }", depth, integers).verdict,
                Verdict::Unsafe);
    }
    EXPECT_EQ(
        check("int x = 0; processes 1; property x != 40; process P { while (true) { x = x + 20; } }", {}, integers)
            .verdict,
        Verdict::Unsafe);
  }
}

TEST(Overflow, TheFirstFigureOfThePaperWithoutInitialValues) {
  const std::string head = "int a, b, x, y; int B[2]; processes 3; property y != 12; ";
  const std::string body = "process P1 { a = 1; } process P2 { B[b] = 5; } process P3 { x = B[a]; y = x + 7; }";
  EXPECT_EQ(check(head + body).verdict, Verdict::Unsafe);
  EXPECT_EQ(check(head + "faults block; " + body).verdict, Verdict::Unsafe);
  EXPECT_EQ(check(head + "faults block; " + body, 4U, IntegerMode::Math).verdict, Verdict::Unsafe);
}

TEST(Overflow, NothingIsProvedWhereSomeExecutionOverflows) {
  const std::string text = "int x; processes 1; property x * 0 == 0; process P { skip; x = x + 1; }";
  const result::Result all = check(text);
  EXPECT_EQ(all.verdict, Verdict::Unknown);
  EXPECT_EQ(all.reason,
            "the value of an integer leaves 64 bits at t.pbmc:1:60; no violation within 64 bits up to depth 2");
  // Nobody has looked so far.
  EXPECT_EQ(check(text, 1U).reason, "no violation up to depth 1");
  // In a property, and in one that is looked at after a step.
  EXPECT_EQ(check("int x; processes 1; property x + 1 != x; process P { skip; }").verdict, Verdict::Unknown);
  EXPECT_EQ(check("int x = 9; processes 1; property x + 1 != x; process P { x = x + 1; }").verdict, Verdict::Safe);
}

}  // namespace
}  // namespace cohort::engine::bmc
