// `cohort cover`, `cohort cutoff` and targets by values on the command line.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "cli/run_program.hpp"

namespace cohort::test {
namespace {

using nlohmann::json;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

class Cover : public ::testing::Test {
 protected:
  // The third thread is told by a broadcast of nobody; shared state 2 needs two threads in place 1.
  std::string system() {
    return scratch_.write("system.tts",
                          "3 3\n"
                          "0 0 -> 1 1\n"
                          "1 0 -> 2 1\n"
                          "2 1 -> 2 2\n");
  }

  Scratch scratch_;
};

TEST_F(Cover, ListsTheMinimalCover) {
  const Outcome outcome = run_program({"cover", system(), "--init", "0/0"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(outcome.out,
            "shared=0 | 0: omega\n"
            "shared=1 | 0: omega, 1: 1\n"
            "shared=2 | 0: omega, 1: 2\n"
            "shared=2 | 0: omega, 1: 1, 2: 1\n"
            "shared=2 | 0: omega, 2: 2\n");
}

TEST_F(Cover, ShowsTheTree) {
  const Outcome text = run_program({"cover", system(), "--init", "0/0", "--tree"});
  EXPECT_EQ(text.exit_code, 0) << text.err;
  EXPECT_THAT(text.out, StartsWith("shared=0 | 0: omega  (in the cover)\n"
                                   "  [0 0 -> 1 1] shared=1 | 0: omega, 1: 1  (in the cover)\n"
                                   "    [1 0 -> 2 1] shared=2 | 0: omega, 1: 2  (in the cover)\n"));
  const Outcome dot = run_program({"cover", system(), "--init", "0/0", "--tree", "--format", "dot"});
  EXPECT_EQ(dot.exit_code, 0) << dot.err;
  EXPECT_THAT(dot.out, AllOf(StartsWith("digraph karp_miller {\n"), HasSubstr("n0 -> n1 [label=\"0 0 -> 1 1\"];"),
                             HasSubstr("n1 [label=\"shared=1 | 0: omega, 1: 1\", style=bold];")));
  EXPECT_EQ(run_program({"cover", system(), "--format", "dot"}).exit_code, 1) << "a graph needs a tree";
}

TEST_F(Cover, GivesJson) {
  const Outcome outcome = run_program({"cover", system(), "--init", "0/0", "--format", "json"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const json document = json::parse(outcome.out);
  EXPECT_EQ(document["schema"], "cohort-cover-1");
  ASSERT_EQ(document["cover"].size(), 5U);
  EXPECT_EQ(document["cover"][1]["shared"], json({{"shared", 1}}));
  EXPECT_EQ(document["cover"][1]["threads"][0]["count"], "omega");
  EXPECT_EQ(document["cover"][1]["threads"][1]["count"], 1);
  const json tree = json::parse(run_program({"cover", system(), "--tree", "--classic", "--format", "json"}).out);
  EXPECT_EQ(tree["tree"][0]["parent"], nullptr);
  EXPECT_EQ(tree["tree"][1]["parent"], 0);
}

TEST_F(Cover, IsThatOfUnsafeProgramsToo) {
  const std::string file =
      scratch_.write("wrong.bp", "decl x := 0;\nvoid main() begin\n  x := 1;\n  assert(0);\nend\n");
  const Outcome outcome = run_program({"cover", file, "--initial", "any"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("x=1 | "));
  EXPECT_EQ(run_program({"reach", file, "--initial", "any", "--unbounded"}).exit_code, 0);
}

TEST_F(Cover, StopsAtItsLimits) {
  const Outcome outcome = run_program({"cover", system(), "--stop-at", "karp-miller"});
  EXPECT_EQ(outcome.exit_code, 5);
  EXPECT_THAT(outcome.err, HasSubstr("not complete"));
}

TEST_F(Cover, CutoffSaysWhichStartItAssumed) {
  const std::string file = COHORT_SOURCE_DIR "/examples/bp/cutoff_3.bp";
  EXPECT_THAT(run_program({"cutoff", file}).out, HasSubstr("start: 1 thread of main (assumed without --initial)\n"));
  EXPECT_THAT(run_program({"cutoff", file, "--initial", "any"}).out,
              HasSubstr("start: any number of threads of main\n"));
  EXPECT_THAT(run_program({"cutoff", system()}).out,
              HasSubstr("start: any number of threads of thread (assumed without --init)\n"));
}

TEST_F(Cover, TargetsByValuesAreAskedInEveryLanguage) {
  const std::string program = scratch_.write(
      "a.bp", "decl s := 0;\nvoid main() begin\n  decl l := 0;\n  l := 1;\n  assume(s);\n  assert(0);\nend\n");
  const auto ask = [&](const std::string& file, const std::string& target) {
    return run_program({"verify", file, "--target", target});
  };
  EXPECT_EQ(ask(program, "s == 0 && l == 1").exit_code, 10);
  EXPECT_THAT(ask(program, "s == 0 && l == 1").out, HasSubstr("the target is reached"));
  EXPECT_EQ(ask(program, "s == 1 && l == 1").exit_code, 0) << "nobody sets s";
  EXPECT_EQ(ask(program, "q == 1").exit_code, 2);
  EXPECT_EQ(ask(system(), "shared == 2 && at 2").exit_code, 10);
  EXPECT_EQ(ask(system(), "shared == 1 && at 2").exit_code, 0);
  EXPECT_EQ(ask(system(), "2|2,2").exit_code, 10) << "the format's own notation";
  const std::string c = scratch_.write("a.c", R"(#include <pthread.h>
int s, unread;
void *f(void *p) { s = 1; unread = 1; return s == 5 ? p : 0; }
int main() { pthread_t t; pthread_create(&t, 0, f, 0); return 0; }
)");
  EXPECT_EQ(ask(c, "s == 1").exit_code, 10);
  EXPECT_EQ(ask(c, "s == 2").exit_code, 0);
  EXPECT_THAT(ask(c, "unread == 1").exit_code, ::testing::AnyOf(2, 5)) << "refused, never answered";
  const std::string process =
      scratch_.write("a.pbmc", "int x = 0;\nprocesses 1;\nprocess P[i] {\n  x = 1;\n  x = 2;\n}\n");
  EXPECT_EQ(ask(process, "x == 1").exit_code, 10);
}

}  // namespace
}  // namespace cohort::test
