#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "cli/run_program.hpp"

namespace cohort::test {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;

class Simulate : public ::testing::Test {
 protected:
  Scratch scratch_;
  std::string safe_ = scratch_.write("safe.bp", safe_program);
  std::string unsafe_ = scratch_.write("unsafe.bp", unsafe_program);
};

TEST_F(Simulate, TheSameSeedGivesTheSameWalk) {
  const Outcome first = run_program({"simulate", safe_, "--threads", "2", "--seed", "5", "--steps", "20"});
  const Outcome second = run_program({"simulate", safe_, "--threads", "2", "--seed", "5", "--steps", "20"});
  EXPECT_EQ(first.exit_code, 0);
  EXPECT_EQ(first.out, second.out);
  EXPECT_THAT(first.out, HasSubstr("start: T0"));
}

TEST_F(Simulate, SomeSeedFindsTheViolation) {
  int found = 0;
  for (int seed = 1; seed <= 60 && found == 0; ++seed) {
    const Outcome outcome = run_program({"simulate", unsafe_, "--threads", "2", "--seed", std::to_string(seed)});
    if (outcome.exit_code != 10) continue;
    ++found;
    EXPECT_THAT(outcome.out, HasSubstr("UNSAFE with 2 threads: assertion failed at " + unsafe_));
  }
  EXPECT_EQ(found, 1);
}

TEST_F(Simulate, StopsAfterTheSteps) {
  const std::string file = scratch_.write("loop.bp", "void main() begin\nL: skip; goto L;\nend\n");
  const Outcome outcome = run_program({"simulate", file, "--threads", "1", "--steps", "7"});
  EXPECT_THAT(outcome.out, HasSubstr("stopped after 7 steps\n"));
  const Outcome as_json = run_program({"simulate", file, "--threads", "1", "--steps", "7", "--format", "json"});
  const json document = json::parse(as_json.out);
  EXPECT_EQ(document["schema"], "cohort-walk-1");
  EXPECT_EQ(document["violates"], false);
  EXPECT_EQ(document["trace"]["steps"].size(), 7U);
}

TEST_F(Simulate, SaysWhenNothingCanMove) {
  const std::string file = scratch_.write("stuck.bp", "void main() begin\n  assume(0);\nend\n");
  EXPECT_THAT(run_program({"simulate", file}).out, HasSubstr("no step is possible\n"));
}

TEST_F(Simulate, ByHandOffersTakesAndUndoesSteps) {
  const Outcome outcome = run_program({"simulate", safe_, "--threads", "2", "--interactive"}, "1\n1\nu\n99\nr\nq\n");
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_THAT(outcome.out, HasSubstr("after 0 steps, possible now:\n    1  T0  safe.bp:5"));
  EXPECT_THAT(outcome.out, HasSubstr("after 2 steps"));
  EXPECT_THAT(outcome.out, HasSubstr("'99' is none of these\n"));
  EXPECT_THAT(outcome.out, HasSubstr("stopped after 2 steps\n"));
  EXPECT_THAT(outcome.err, IsEmpty());
}

TEST_F(Simulate, ByHandEndsWithTheInput) {
  const Outcome outcome = run_program({"simulate", safe_, "--interactive"}, "");
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_THAT(outcome.out, HasSubstr("stopped after 0 steps\n"));
}

class Reach : public Simulate {};

TEST(Cutoff, SaysHowManyThreadsReachEverything) {
  const Outcome outcome = run_program({"cutoff", COHORT_SOURCE_DIR "/examples/bp/cutoff_3.bp", "--initial", "any"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_THAT(outcome.first_line(), ::testing::StartsWith("3 threads reach every thread state"));
  const Outcome as_json =
      run_program({"cutoff", COHORT_SOURCE_DIR "/examples/bp/cutoff_3.bp", "--initial", "any", "--format", "json"});
  const json document = json::parse(as_json.out);
  EXPECT_EQ(document["schema"], "cohort-cutoff-1");
  EXPECT_EQ(document["threads"], 3);
}

TEST_F(Reach, ListsTheLocations) {
  const std::string file = scratch_.write("reach.bp", R"(decl x := 0;
void main() begin
HERE: skip;
  assume(x);
THERE: skip;
end
)");
  const Outcome outcome = run_program({"reach", file, "--threads", "2"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("main: HERE"));
  EXPECT_THAT(outcome.out, Not(HasSubstr("THERE")));
}

TEST_F(Reach, ShowsVariablesAtALocation) {
  const std::string file = scratch_.write("values.bp", R"(decl x := 0;
decl y := 0;
void main() begin
  decl z := 0;
  x, z := *, 1;
AFTER: skip;
end
)");
  const Outcome outcome = run_program({"reach", file, "-n", "1", "--location", "AFTER", "--show", "x,y,z"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(outcome.out,
            "main: AFTER (line 6)  x = 0  y = 0  z = 1\n"
            "main: AFTER (line 6)  x = 1  y = 0  z = 1\n");
  const Outcome hidden =
      run_program({"reach", file, "-n", "1", "--location", "AFTER", "--show", "y", "--no-locations"});
  EXPECT_EQ(hidden.out, "main:  y = 0\n");
}

TEST_F(Reach, GivesJson) {
  const Outcome outcome =
      run_program({"reach", safe_, "--threads", "2", "--location", "WORK", "--show", "lock", "--format", "json"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  const json document = json::parse(outcome.out);
  EXPECT_EQ(document["schema"], "cohort-reach-1");
  ASSERT_EQ(document["states"].size(), 2U);
  EXPECT_EQ(document["states"][0]["location"]["label"], "WORK");
  EXPECT_EQ(document["states"][0]["values"], json({{"lock", 0}}));
  EXPECT_EQ(document["states"][1]["values"], json({{"lock", 1}}));
}

TEST_F(Reach, ListsWhatAnyNumberOfThreadsReaches) {
  const std::string file = COHORT_SOURCE_DIR "/examples/bp/cutoff_3.bp";
  const auto reach = [&](std::vector<std::string> threads) {
    threads.insert(threads.begin(), {"reach", file, "--initial", "any"});
    return run_program(threads);
  };
  const Outcome all = reach({"--unbounded"});
  EXPECT_EQ(all.exit_code, 0) << all.err;
  EXPECT_EQ(all.out, reach({"--threads", "3"}).out);
  EXPECT_NE(all.out, reach({"--threads", "2"}).out);
  EXPECT_EQ(reach({"--unbounded", "--threads", "2"}).exit_code, 1);
}

TEST_F(Reach, GoesOnBehindViolations) {
  EXPECT_EQ(run_program({"reach", unsafe_, "--threads", "2"}).exit_code, 0);
}

TEST_F(Reach, RefusesUnknownNames) {
  EXPECT_EQ(run_program({"reach", safe_, "--show", "nothing"}).exit_code, 1);
  EXPECT_EQ(run_program({"reach", safe_, "--location", "NOWHERE"}).exit_code, 1);
}

TEST_F(Reach, StopsAtALimit) {
  const Outcome outcome = run_program({"reach", safe_, "--time-limit", "0"});
  EXPECT_EQ(outcome.exit_code, 5);
  EXPECT_THAT(outcome.out, StartsWith("UNKNOWN: time limit of 0 s reached"));
}

}  // namespace
}  // namespace cohort::test
