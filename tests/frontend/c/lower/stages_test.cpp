// The pipeline of lowering, stage by stage: what each one is there for, seen in the flat form before and after it.
#include "frontend/c/lower/stages.hpp"

#include <fstream>
#include <map>
#include <sstream>
#include <string>

#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/contract.hpp"
#include "frontend/c/c.hpp"
#include "frontend/c/lower/print.hpp"

namespace cohort::frontend::c::lower {
namespace {

using testing::HasSubstr;
using testing::Not;

const std::string header = R"(
typedef unsigned long pthread_t;
typedef struct { int x; } pthread_attr_t;
typedef struct { int x; } pthread_mutex_t;
int pthread_create(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
int pthread_join(pthread_t, void **);
pthread_t pthread_self(void);
void *malloc(unsigned long);
void assert(int);
int nondet_int(void);
)";

// The flat form after the stage of this name.
std::string after(std::string_view stage, const std::string& source, const Options& options = {},
                  const std::set<InstId>& spread = {}) {
  ir::Unit unit = read({std::make_shared<const SourceFile>("test.c", header + source)}, {});
  Pipeline pipeline(unit, options, spread);
  pipeline.run(stage);
  return to_string(pipeline.flat);
}

// The stage before it in the table.
std::string_view before(std::string_view stage) {
  for (std::size_t i = 1; i < stages().size(); ++i) {
    if (stages()[i].name == stage) return stages()[i - 1].name;
  }
  COHORT_UNREACHABLE("the stage is in the table and not the first");
}

TEST(Stages, HaveNamesOfTheirOwnAndPurposes) {
  std::set<std::string_view> names;
  for (const Stage& stage : stages()) {
    EXPECT_TRUE(names.insert(stage.name).second) << stage.name;
    EXPECT_FALSE(stage.purpose.empty());
    EXPECT_NE(stage.run, nullptr);
  }
  EXPECT_EQ(stages().front().name, "inline");
}

TEST(Stages, AreInTheDocument) {
  std::ifstream file(std::string(COHORT_SOURCE_DIR) + "/docs/c.md");
  std::stringstream text;
  text << file.rdbuf();
  std::string table;
  for (const Stage& stage : stages()) {
    table += fmt::format("| `{}` | {} | {} |\n", stage.name, stage.purpose, stage.optimises ? "yes" : "");
  }
  EXPECT_THAT(text.str(), HasSubstr(table)) << "docs/c.md has another table of stages";
}

TEST(Stages, UnknownOnesAreNotRun) {
  EXPECT_THROW(after("no-such-stage", "int main() {}"), InternalError);
}

TEST(Stages, OptimisingOnesAreLeftOutOnRequest) {
  const std::string source = "int x; int main() { int t = x; int u = t; x = u + 1; x = 2; assert(x); }";
  const std::string needed = after("constants", source, {.simplify = false});
  EXPECT_EQ(after("choices", source, {.simplify = false}), needed);
  EXPECT_NE(after("choices", source), needed);
}

TEST(Stages, InlineCopiesCalleesAndFindsThreads) {
  const std::string source = R"(
int x; void set(int v) { x = v; }
void *work(void *p) { set(1); return 0; }
int main() { pthread_t t; pthread_create(&t, 0, work, 0); set(2); })";
  const std::string text = after("inline", source);
  EXPECT_THAT(text, HasSubstr("main entry"));
  EXPECT_THAT(text, HasSubstr("work entry"));
  EXPECT_THAT(text, HasSubstr("x := 1"));
  EXPECT_THAT(text, HasSubstr("x := 2"));
  EXPECT_THAT(text, Not(HasSubstr("set")));
}

TEST(Stages, WaitingLoopsAreMarkedForDeadlocks) {
  const std::string source = "int x; int main() { while (!x); }";
  EXPECT_THAT(after("waiting-loops", source, {.properties = {Wrong::Deadlock}}), HasSubstr("[waits]"));
  EXPECT_THAT(after("waiting-loops", source), Not(HasSubstr("[waits]")));
}

TEST(Stages, EpilogueEndsTheProcessEarly) {
  const std::string source = R"(
int x; void *work(void *p) { assert(!x); return 0; }
int main() { pthread_t t; pthread_create(&t, 0, work, 0); x = 1; pthread_join(t, 0); })";
  EXPECT_THAT(after(before("epilogue"), source), HasSubstr("begin when"));
  EXPECT_THAT(after("epilogue", source), Not(HasSubstr("begin when")));
  EXPECT_THAT(after("epilogue", source, {.properties = {Wrong::Assertion, Wrong::Fault}}), HasSubstr("begin when"));
}

TEST(Stages, HandlesAreLookedFor) {
  const auto reads = [](const std::string& body) {
    ir::Unit unit = read({std::make_shared<const SourceFile>("test.c", header + body)}, {});
    Pipeline pipeline(unit, {}, {});
    pipeline.run("handles");
    return pipeline.reads_handles;
  };
  const std::string creation = R"(
void *work(void *p) { return 0; } int x;
int main() { pthread_t t[2]; for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, work, 0); )";
  EXPECT_FALSE(reads(creation + "assert(x == 0); }"));
  EXPECT_TRUE(reads(creation + "assert(t[0] != t[1]); }"));
}

const std::string joined = R"(
int x; void *work(void *p) { x++; return 0; }
int main() {
  pthread_t t[2];
  for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, work, 0);
  for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
  assert(x == 2);
})";

TEST(Stages, IdleLooksDisappear) {
  // Joining looks twice: at whether the handle is one, and in the wait.
  EXPECT_LE(after("idle-looks", joined).size(), after(before("idle-looks"), joined).size());
  EXPECT_EQ(after("idle-looks", joined, {.late_naming = false}), after(before("idle-looks"), joined));
}

TEST(Stages, ThreadGroupsShareANumber) {
  const auto groups = [](const Options& options) {
    ir::Unit unit = read({std::make_shared<const SourceFile>("test.c", header + joined)}, {});
    Pipeline pipeline(unit, options, {});
    pipeline.run("thread-groups");
    return pipeline.groups.size();
  };
  EXPECT_EQ(groups({}), 1U);
  EXPECT_EQ(groups({.late_naming = false}), 0U);
  EXPECT_EQ(groups({.simplify = false}), 0U);
}

TEST(Stages, NumberThreadsTakesResultsFromSpawns) {
  EXPECT_THAT(after(before("number-threads"), joined), HasSubstr(":= spawn"));
  EXPECT_THAT(after("number-threads", joined), Not(HasSubstr(":= spawn")));
  EXPECT_THAT(after("number-threads", joined), HasSubstr("spawn &work"));
}

TEST(Stages, SpreadObjectsAreElementsOfArrays) {
  const std::string source = R"(
int *shared; void *work(void *p) { int own = 1; shared = &own; own = 2; return 0; }
int main() { pthread_t t; for (;;) pthread_create(&t, 0, work, 0); })";
  ir::Unit unit = read({std::make_shared<const SourceFile>("test.c", header + source)}, {});
  const std::set<InstId> none;
  Pipeline first(unit, {}, none);
  first.run("inline");
  std::set<InstId> spread;
  for (std::size_t i = 0; i < first.flat.insts.size(); ++i) {
    if (first.flat.insts[i].name == "own") spread.insert(InstId(i));
  }
  ASSERT_EQ(spread.size(), 1U);
  EXPECT_THAT(after(before("spread"), source, {}, spread), HasSubstr("own := 2"));
  EXPECT_THAT(after("spread", source, {}, spread), HasSubstr("own[thread number] := 2"));
}

TEST(Stages, UntouchedObjectsAreTheirInitialValues) {
  const std::string source = "int size = 8, x; int main() { int *p = malloc(size); *p = size; assert(*p); }";
  EXPECT_THAT(after(before("untouched-objects"), source), HasSubstr("size"));
  EXPECT_THAT(after("untouched-objects", source), Not(HasSubstr("size")));
}

TEST(Stages, AllocationsBecomeObjects) {
  const std::string source = "int main() { int *p = malloc(4); *p = 1; assert(*p); }";
  EXPECT_THAT(after(before("allocations"), source), HasSubstr("allocate"));
  EXPECT_THAT(after("allocations", source), Not(HasSubstr("allocate")));
  EXPECT_THAT(after("allocations", source), HasSubstr("&heap1"));
}

TEST(Stages, ConstantsReachThroughKnownPointers) {
  const std::string source = "int main() { int *p = malloc(4); *p = 1; assert(*p); }";
  EXPECT_THAT(after(before("constants"), source), HasSubstr("(*"));
  EXPECT_THAT(after("constants", source), Not(HasSubstr("(*")));
}

TEST(Stages, FixedCellsAreConstants) {
  const std::string source = R"(
struct { int fixed, free; } s = {7, 1}; int *p, x;
int main() { p = &s.free; *p = nondet_int(); x = s.fixed; assert(x); })";
  EXPECT_THAT(after(before("fixed-cells"), source), Not(HasSubstr("x := 7")));
  EXPECT_THAT(after("fixed-cells", source), HasSubstr("x := 7"));
}

TEST(Stages, TemporariesDisappearIntoTheirUse) {
  const std::string source = "int y; int main() { y = nondet_int(); assert(y); }";
  EXPECT_THAT(after(before("temporaries"), source), HasSubstr("condition := y"));
  EXPECT_THAT(after("settle", source), HasSubstr("branch y"));
  EXPECT_THAT(after("settle", source, {.properties = {Wrong::Assertion, Wrong::Race}}), HasSubstr("condition := y"));
}

TEST(Stages, ChoicesAreThoseThatMakeADifference) {
  const std::string source =
      "int x; int main() { int n = nondet_int(); if (n == 3) x = 1; if (n > 7) x++; assert(x); }";
  EXPECT_THAT(after(before("choices"), source), HasSubstr("n := *"));
  EXPECT_THAT(after(before("choices"), source), Not(HasSubstr("*{")));
  EXPECT_THAT(after("choices", source), HasSubstr("n := *{0,3,4,8}"));
}

}  // namespace
}  // namespace cohort::frontend::c::lower
