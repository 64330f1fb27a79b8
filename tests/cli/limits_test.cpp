// Limits and signals hold wherever the time goes: each of these once ran far beyond its limit, or ended in a crash.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "cli/run_program.hpp"

namespace cohort::test {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

std::string repeated(const std::string& text, int count) {
  std::string result;
  for (int i = 0; i < count; ++i) result += text;
  return result;
}

// A step with millions of outcomes; no engine for numbers could enumerate them within the limit.
TEST(Limits, HoldInsideAStepWithMillionsOfOutcomes) {
  const Scratch scratch;
  const std::string c = scratch.write("wide.c", R"(#include <stdlib.h>
#include <assert.h>
#include <pthread.h>
int x;
void *f(void *a) { x = rand(); return 0; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  int y = rand();
  int z = rand();
  x = y + z;
  pthread_join(t, 0);
  assert(x != 12345 || y == 7);
  return 0;
}
)");
  const Outcome outcome = run_program({"verify", c, "--engine", "explicit", "-n", "2", "--time-limit", "1"});
  EXPECT_NE(outcome.exit_code, 6) << outcome.err;
  EXPECT_GE(outcome.exit_code, 0);
}

TEST(Limits, HoldForACertificateWithAHugeBound) {
  const Scratch scratch;
  const std::string file = scratch.write("safe.bp", safe_program);
  const std::string proof = scratch.path("proof.json");
  ASSERT_EQ(run_program({"verify", file, "--initial", "any", "-n", "3", "--engine", "explicit", "--certificate", proof})
                .exit_code,
            0);
  nlohmann::json document = nlohmann::json::parse(read_whole(proof));
  document["task"]["threads"] = 1048576U;
  document["certificate"]["threads"] = 1048576U;
  const std::string huge = scratch.write("huge.json", document.dump());
  const Outcome outcome =
      run_program({"check-certificate", file, huge, "--initial", "any", "-n", "1048576", "--time-limit", "5"});
  EXPECT_TRUE(outcome.exit_code == 2 || outcome.exit_code == 5) << outcome.out << outcome.err;
}

class Transfer : public ::testing::TestWithParam<int> {};

TEST_P(Transfer, IntoALargeTargetEndsBackwards) {
  const Scratch scratch;
  const std::string file = scratch.write(
      "transfer.spec",
      "vars a b c\nrules\na>=1 -> a'=a-1, b'=b+1;\nb>=1 -> c'=c+b, b'=0;\ninit a=1, b=0, c=0\ntarget c>=" +
          std::to_string(GetParam()) + "\n");
  const Outcome outcome = run_program({"verify", file, "--engine", "backward", "--unbounded", "--time-limit", "5"});
  EXPECT_TRUE(outcome.exit_code == 0 || outcome.exit_code == 5) << outcome.exit_code << outcome.err;
}

INSTANTIATE_TEST_SUITE_P(Targets, Transfer, ::testing::Values(2, 1000, 65536));

TEST(DeepInput, OfUnarySignsIsRead) {
  const Scratch scratch;
  const std::string file =
      scratch.write("signs.c", "#include <assert.h>\nint main(void) { int x = 1; int y = " + repeated("- ", 2000) +
                                   "x; assert(y == 1); return 0; }\n");
  const Outcome outcome = run_program({"verify", file});
  EXPECT_TRUE(outcome.exit_code == 0 || outcome.exit_code == 5) << outcome.exit_code << outcome.err;
}

TEST(DeepInput, OfCallsIsInlined) {
  const Scratch scratch;
  std::string text;
  const int depth = 20000;
  for (int i = depth; i > 0; --i) {
    text += "void f" + std::to_string(i) + "() begin " +
            (i == depth ? std::string("skip;") : "f" + std::to_string(i + 1) + "();") + " end\n";
  }
  const Outcome outcome = run_program(
      {"verify", scratch.write("deep.bp", "decl x := 0;\n" + text + "void main() begin f1(); assert(!x); end\n"), "-n",
       "1", "--time-limit", "5"});
  EXPECT_TRUE(outcome.exit_code == 0 || outcome.exit_code == 5) << outcome.exit_code << outcome.err;
}

TEST(HugeMarking, IsRefusedOrCounted) {
  const Scratch scratch;
  const auto net = [&](const std::string& tokens) {
    return scratch.write("net.pnml", R"(<?xml version="1.0"?>
<pnml xmlns="http://www.pnml.org/version-2009/grammar/pnml">
<net id="n" type="http://www.pnml.org/version-2009/grammar/ptnet"><page id="g">
<place id="p"><initialMarking><text>)" + tokens +
                                         R"(</text></initialMarking></place><place id="q"/>
<transition id="t"/><arc id="a" source="p" target="t"/><arc id="b" source="t" target="q"/>
</page></net></pnml>)");
  };
  EXPECT_EQ(run_program({"verify", net("3"), "--target", "q"}).exit_code, 10);
  for (const char* tokens : {"4294967295", "4294967294"}) {
    const Outcome outcome =
        run_program({"verify", net(tokens), "--target", "q", "--time-limit", "2", "--memory-limit", "500"});
    EXPECT_TRUE(outcome.exit_code == 5 || outcome.exit_code == 2) << tokens << ": " << outcome.exit_code << outcome.err;
  }
}

// Sets of states that are split over and over without a diagram ever growing.
TEST(Limits, HoldBetweenOperationsOnDiagrams) {
  const Scratch scratch;
  std::string locals;
  std::string body;
  for (int i = 0; i < 21; ++i) {
    const std::string here = "l" + std::to_string(i);
    locals += (i == 0 ? "" : ", ") + here;
    body += "  if (" + here + " & s) then l" + std::to_string((i + 1) % 21) + " := !l" + std::to_string((i + 2) % 21) +
            "; else s := " + here + "; fi;\n";
  }
  const std::string file =
      scratch.write("free.bp", "decl s := 0;\nvoid main() begin\n  decl " + locals + ";\n  start_thread goto W;\nW:\n" +
                                   body + "  assert(s | !s);\n  goto W;\nend\n");
  Running running({"verify", file, "--engine", "symbolic", "-n", "3", "--time-limit", "600"});
  std::this_thread::sleep_for(std::chrono::milliseconds(1500));
  running.send(SIGTERM);
  const Outcome outcome = running.wait();
  EXPECT_EQ(outcome.exit_code, 5);
  EXPECT_THAT(outcome.out, HasSubstr("interrupted"));
}

// Z3 used to take every second SIGINT for itself.
TEST(Signals, EndTheSolverEachTime) {
  const std::string file = COHORT_SOURCE_DIR "/examples/pbmc/indexer.pbmc";
  for (int i = 0; i < 4; ++i) {
    Running running({"verify", file, "--engine", "bmc", "--no-projection", "--depth", "60", "--time-limit", "300"});
    std::this_thread::sleep_for(std::chrono::milliseconds(1500));
    running.send(SIGINT);
    const Outcome outcome = running.wait();
    EXPECT_TRUE(outcome.exit_code == 5 || outcome.exit_code == 0) << outcome.exit_code;
  }
}

// Clang's parser, and what follows it, ask nobody: an expression of so many operators takes them many minutes.
class LongExpressions : public ::testing::TestWithParam<const char*> {
 protected:
  std::string write(const Scratch& scratch) const {
    return scratch.write("long.c", "void assert(int); int x; int main(void) { int y = (" +
                                       repeated("x" + std::string(GetParam()), 200'000) + "x); assert(y == 0); }\n");
  }
};

TEST_P(LongExpressions, EndAtTheTimeLimit) {
  const Scratch scratch;
  const Outcome outcome = run_program({"verify", write(scratch), "--time-limit", "1"});
  EXPECT_EQ(outcome.exit_code, 5) << outcome.err;
  EXPECT_THAT(outcome.out, StartsWith("UNKNOWN"));
  EXPECT_THAT(outcome.out, HasSubstr("time limit of 1 s reached"));
}

TEST_P(LongExpressions, EndAtASignal) {
  const Scratch scratch;
  Running running({"verify", write(scratch), "--time-limit", "3000", "--format", "json"});
  std::this_thread::sleep_for(std::chrono::milliseconds(1500));
  running.send(SIGTERM);
  const Outcome outcome = running.wait();
  EXPECT_EQ(outcome.exit_code, 5) << outcome.err;
  EXPECT_EQ(nlohmann::json::parse(outcome.out)["verdict"], "UNKNOWN") << outcome.out;
}

INSTANTIATE_TEST_SUITE_P(OfManyOperators, LongExpressions, ::testing::Values(",", "+"));

// A vector that grows to twice its size at the wrong moment used to pass the limit by half.
class MemoryLimit : public ::testing::TestWithParam<std::vector<std::string>> {};

TEST_P(MemoryLimit, IsPassedByLittle) {
  const Scratch scratch;
  // Threads without end, each with a counter of its own in bits: labels and states grow and grow.
  std::string text = "decl s := 0;\nvoid main() begin\nAGAIN:\n start_thread goto WORK;\n goto AGAIN;\nWORK:\n";
  for (int i = 0; i < 12; ++i) {
    const std::string here = "P" + std::to_string(i);
    text += here + ": if (*) then s := !s; goto P" + std::to_string((i * 5 + 3) % 12) + "; else skip; fi;\n";
  }
  std::vector<std::string> arguments = {"verify", scratch.write("grows.bp", text + " goto P0;\n assert(0);\nend\n")};
  arguments.insert(arguments.end(), GetParam().begin(), GetParam().end());
  arguments.insert(arguments.end(), {"--memory-limit", "40", "--time-limit", "120", "--format", "json"});
  const Outcome outcome = run_program(arguments);
  EXPECT_THAT(outcome.exit_code, ::testing::AnyOf(0, 5)) << outcome.err;
  const auto document = nlohmann::json::parse(outcome.out);
  EXPECT_LE(document["statistics"]["peak_memory_mib"].get<double>(), 42) << outcome.out;
}

INSTANTIATE_TEST_SUITE_P(
    Engines, MemoryLimit,
    ::testing::Values(std::vector<std::string>{"--engine", "explicit", "-n", "9", "--no-symmetry", "--no-simplify"},
                      std::vector<std::string>{"--engine", "explicit", "-n", "40", "--no-simplify"}));

// Every command that reads programs, not only the one that most people call.
class DeafReading : public ::testing::TestWithParam<std::vector<std::string>> {
 protected:
  // The command with its files: a program that Clang needs minutes for, and what else the command wants.
  std::vector<std::string> command_line(const Scratch& scratch) const {
    std::string sum = "x";
    for (int i = 0; i < 200'000; ++i) sum += "+x";
    const std::string program = "void assert(int); int x; int main(void) { int y = %; assert(y == 1); }\n";
    const auto with = [&](const std::string& value) {
      std::string text = program;
      return text.replace(text.find('%'), 1, value);
    };
    const Outcome answer = run_program({"verify", scratch.write("small.c", with("x")), "--format", "json"});
    EXPECT_EQ(answer.exit_code, 10) << answer.err;
    std::vector<std::string> arguments = {GetParam().front(), scratch.write("long.c", with(sum))};
    if (GetParam().front() == "replay") arguments.push_back(scratch.write("trace.json", answer.out));
    if (GetParam().front() == "convert") arguments.insert(arguments.end(), {"-o", scratch.path("out.dot")});
    arguments.insert(arguments.end(), GetParam().begin() + 1, GetParam().end());
    return arguments;
  }
};

TEST_P(DeafReading, EndsAtTheTimeLimit) {
  const Scratch scratch;
  std::vector<std::string> arguments = command_line(scratch);
  arguments.insert(arguments.end(), {"--time-limit", "1"});
  const Outcome outcome = run_program(arguments);
  EXPECT_EQ(outcome.exit_code, 5) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("time limit of 1 s reached"));
}

TEST_P(DeafReading, EndsAtASignal) {
  const Scratch scratch;
  Running running(command_line(scratch));
  std::this_thread::sleep_for(std::chrono::milliseconds(1000));
  running.send(SIGINT);
  const Outcome outcome = running.wait();
  EXPECT_EQ(outcome.exit_code, 5) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("interrupted"));
}

INSTANTIATE_TEST_SUITE_P(OfEveryCommand, DeafReading,
                         ::testing::Values(std::vector<std::string>{"reach", "--format", "json"},
                                           std::vector<std::string>{"cutoff"}, std::vector<std::string>{"cover"},
                                           std::vector<std::string>{"invariants"}, std::vector<std::string>{"abstract"},
                                           std::vector<std::string>{"convert"},
                                           std::vector<std::string>{"simulate", "--random"},
                                           std::vector<std::string>{"replay"}),
                         [](const auto& tested) { return tested.param.front(); });

TEST(Limits, OfNoTimeAtAllHoldForEveryFormat) {
  const Scratch scratch;
  const std::vector<std::string> files = {
      scratch.write("a.bp", safe_program),
      scratch.write("a.c", "int main(void) { return 0; }\n"),
      scratch.write("a.tts", "2 2\n0 0 -> 1 1\n"),
      scratch.write("a.spec", "vars a\nrules\na>=1 -> a'=a-1;\ninit a=1\ntarget a>=2\n"),
      COHORT_SOURCE_DIR "/examples/pbmc/peterson.pbmc",
      COHORT_SOURCE_DIR "/examples/red/ring.red",
  };
  for (const std::string& file : files) {
    const Outcome outcome = run_program({"verify", file, "--time-limit", "0", "--stats"});
    EXPECT_EQ(outcome.exit_code, 5) << file << outcome.err;
    EXPECT_THAT(outcome.out, HasSubstr("time limit of 0 s reached")) << file;
    EXPECT_THAT(outcome.out, HasSubstr("seconds: ")) << file << ": the statistics are there";
  }
}

}  // namespace
}  // namespace cohort::test
