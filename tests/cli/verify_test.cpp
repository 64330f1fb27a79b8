#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/run_program.hpp"

namespace cohort::test {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;

class Verify : public ::testing::Test {
 protected:
  std::string safe() const { return scratch_.write("safe.bp", safe_program); }
  std::string unsafe() const { return scratch_.write("unsafe.bp", unsafe_program); }

  Scratch scratch_;
};

TEST_F(Verify, SaysSafeForABound) {
  const Outcome outcome = run_program({"verify", safe(), "--threads", "3"});
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_EQ(outcome.out, "SAFE for up to 3 threads\n");
  EXPECT_THAT(outcome.err, IsEmpty());
}

TEST_F(Verify, SaysOneThreadForABoundOfOne) {
  EXPECT_EQ(run_program({"verify", safe(), "-n", "1"}).out, "SAFE for 1 thread\n");
}

TEST_F(Verify, SaysHowManyThreadsStartWhenTheBoundIsFilled) {
  const Outcome outcome = run_program({"verify", safe(), "--threads", "3", "--initial", "any"});
  EXPECT_EQ(outcome.first_line(), "SAFE for 3 threads");
}

TEST_F(Verify, ShowsTheInterleaving) {
  const std::string file = unsafe();
  const Outcome outcome = run_program({"verify", file, "--threads", "2"});
  EXPECT_EQ(outcome.exit_code, 10);
  EXPECT_EQ(outcome.first_line(), "UNSAFE with 2 threads: assertion failed at " + file + ":11:3");
  EXPECT_THAT(outcome.out, HasSubstr("violated: assert(!inside)\n"));
  EXPECT_THAT(outcome.out, HasSubstr("start: T0; lock = 0, inside = 0"));
  EXPECT_THAT(outcome.out, HasSubstr("creates T1"));
  EXPECT_THAT(outcome.out, HasSubstr("-- switch to T"));
  EXPECT_THAT(outcome.out, HasSubstr("unsafe.bp:10"));
  EXPECT_THAT(outcome.out, HasSubstr("lock = 1"));
  EXPECT_THAT(outcome.out, HasSubstr("assert(!inside)         violates the property\n"));
  EXPECT_THAT(outcome.err, IsEmpty());
}

TEST_F(Verify, QuietPrintsOnlyTheVerdict) {
  const Outcome outcome = run_program({"verify", unsafe(), "--threads", "2", "--quiet"});
  EXPECT_EQ(outcome.exit_code, 10);
  EXPECT_EQ(outcome.out, outcome.first_line() + "\n");
}

TEST_F(Verify, PrintsOneStatisticALine) {
  const Outcome outcome = run_program({"verify", safe(), "--threads", "2", "--stats"});
  EXPECT_THAT(outcome.out, HasSubstr("\nseconds: "));
  EXPECT_THAT(outcome.out, HasSubstr("\npeak_memory_mib: "));
  EXPECT_THAT(outcome.out, HasSubstr("\nstates: "));
}

TEST_F(Verify, ColoursOnRequestOnly) {
  const std::string file = safe();
  EXPECT_THAT(run_program({"verify", file, "-n", "2", "--color", "always"}).out,
              StartsWith("\033[1;32mSAFE\033[0m for"));
  EXPECT_THAT(run_program({"verify", file, "-n", "2"}).out, StartsWith("SAFE for"));
}

TEST_F(Verify, ReachingALabelIsAViolation) {
  const std::string file = scratch_.write("label.bp", "void main() begin\n  skip;\nBAD: skip;\nend\n");
  EXPECT_EQ(run_program({"verify", file, "-n", "1"}).exit_code, 0);
  const Outcome outcome = run_program({"verify", file, "-n", "1", "-l", "BAD"});
  EXPECT_EQ(outcome.exit_code, 10);
  EXPECT_THAT(outcome.first_line(), StartsWith("UNSAFE with 1 thread: error label reached at "));
}

TEST_F(Verify, UninitialisedVariablesAreFreeUnlessAskedOtherwise) {
  const std::string file = scratch_.write("free.bp", "decl x;\nvoid main() begin\n  assert(!x);\nend\n");
  EXPECT_EQ(run_program({"verify", file, "-n", "1"}).exit_code, 10);
  EXPECT_EQ(run_program({"verify", file, "-n", "1", "--zero-init"}).exit_code, 0);
}

TEST_F(Verify, SaysWhenThereIsNothingToCheckEvenIfQuiet) {
  const std::string file = scratch_.write("empty.bp", "void main() begin\n  skip;\nend\n");
  const Outcome outcome = run_program({"verify", file, "-n", "1"});
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_EQ(outcome.first_line(), "SAFE for 1 thread: there is nothing to check");
  EXPECT_EQ(run_program({"verify", file, "-n", "1", "-q"}).first_line(), outcome.first_line());
}

TEST_F(Verify, BadUsageIsOne) {
  const std::string file = safe();
  EXPECT_EQ(run_program({}).exit_code, 1);
  EXPECT_EQ(run_program({"frobnicate"}).exit_code, 1);
  EXPECT_EQ(run_program({"verify"}).exit_code, 1);
  EXPECT_EQ(run_program({"verify", file, "--no-such-option"}).exit_code, 1);
  EXPECT_EQ(run_program({"verify", file, "--threads", "0"}).exit_code, 1);
  EXPECT_EQ(run_program({"verify", file, "--threads", "two"}).exit_code, 1);
  EXPECT_EQ(run_program({"verify", file, "--threads", "2", "--unbounded"}).exit_code, 1);
  EXPECT_EQ(run_program({"verify", file, "--engine", "no-such-engine"}).exit_code, 1);
  EXPECT_EQ(run_program({"verify", file, "--initial", "0"}).exit_code, 1);
  for (const char* seconds : {"-1", "nan", "soon"}) {
    EXPECT_EQ(run_program({"verify", file, std::string("--time-limit=") + seconds}).exit_code, 1) << seconds;
  }
  EXPECT_EQ(run_program({"verify", file, "--initial", "3", "--threads", "2"}).exit_code, 1);
  EXPECT_EQ(run_program({"verify", file, "--init", "0|0"}).exit_code, 1);
  EXPECT_EQ(run_program({"verify", scratch_.write("a.xyz", "")}).exit_code, 1);
}

TEST_F(Verify, UsageErrorsGoToStandardErrorOnly) {
  const Outcome outcome = run_program({"verify", safe(), "--threads", "0"});
  EXPECT_THAT(outcome.out, IsEmpty());
  EXPECT_THAT(outcome.err, Not(IsEmpty()));
}

TEST_F(Verify, MalformedInputIsTwoWithPlaceAndLine) {
  const std::string file = scratch_.write("bad.bp", "void main() begin\n  x := ;\nend\n");
  const Outcome outcome = run_program({"verify", file});
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_THAT(outcome.out, IsEmpty());
  EXPECT_THAT(outcome.err, StartsWith(file + ":2:"));
  EXPECT_THAT(outcome.err, HasSubstr("  x := ;"));
  EXPECT_EQ(run_program({"verify", scratch_.path("missing.bp")}).exit_code, 2);
}

TEST_F(Verify, UnsupportedInputIsUnknownWithTheFeature) {
  const std::string file =
      scratch_.write("passive.bp", "void f() begin\n  decl a;\n  a$ := 0;\nend\nvoid main() begin\n  f();\nend\n");
  const Outcome outcome = run_program({"verify", file, "-n", "2"});
  EXPECT_EQ(outcome.exit_code, 5);
  EXPECT_THAT(outcome.first_line(), StartsWith("UNKNOWN for up to 2 threads: unsupported: "));
  EXPECT_THAT(outcome.first_line(), HasSubstr(file + ":"));
}

// What can influence the answer: y does not, and nobody comes behind the jump.
TEST_F(Verify, StatisticsSayHowMuchOfTheProgramIsLeft) {
  const std::string file = scratch_.write(
      "slice.bp",
      "decl x, y;\nvoid main() begin\n  x := 0;\n  y := 1;\n  assert(!x);\n  goto L;\n  x := 1;\nL: skip;\nend\n");
  const Outcome outcome = run_program({"verify", file, "--stats"});
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_THAT(outcome.out, HasSubstr("\nprogram_variables: 2\nslice_variables: 1\nprogram_steps: 8\nslice_steps: 7\n"));
  const Outcome whole = run_program({"verify", file, "--stats", "--no-simplify"});
  EXPECT_EQ(whole.out.find("slice_steps"), std::string::npos);
}

TEST_F(Verify, ATimeLimitEndsInUnknownWithStatistics) {
  const Outcome outcome = run_program({"verify", safe(), "--threads", "2", "--time-limit", "0", "--stats"});
  EXPECT_EQ(outcome.exit_code, 5);
  EXPECT_THAT(outcome.first_line(), StartsWith("UNKNOWN for up to 2 threads: time limit of 0 s reached"));
  EXPECT_THAT(outcome.out, HasSubstr("\nseconds: "));
}

TEST_F(Verify, ATimeLimitSaysWhatWasEstablished) {
  const std::string file = scratch_.write("endless.bp", endless_program());
  const Outcome outcome = run_program(
      {"verify", file, "--engine", "explicit", "--no-simplify", "--threads", "1", "--time-limit", "0.5", "--stats"});
  EXPECT_EQ(outcome.exit_code, 5);
  EXPECT_THAT(outcome.first_line(), HasSubstr("no violation"));
  EXPECT_THAT(outcome.out, HasSubstr("\nstates: "));
}

TEST_F(Verify, AMemoryLimitEndsInUnknown) {
  const std::string file = scratch_.write("endless.bp", endless_program());
  const Outcome outcome =
      run_program({"verify", file, "--engine", "explicit", "--no-simplify", "--threads", "1", "--memory-limit", "1"});
  EXPECT_EQ(outcome.exit_code, 5);
  EXPECT_THAT(outcome.first_line(), HasSubstr("memory limit of 1 MiB reached"));
}

TEST_F(Verify, SignalsEndInUnknownWithStatistics) {
  const std::string file = scratch_.write("endless.bp", endless_program());
  for (const int signal : {SIGINT, SIGTERM, SIGXCPU}) {
    Running running(
        {"verify", file, "--engine", "explicit", "--no-simplify", "--threads", "1", "--time-limit", "60", "--stats"});
    std::this_thread::sleep_for(std::chrono::milliseconds(500));
    running.send(signal);
    // The limit on processor time sends its signal again and again.
    if (signal == SIGXCPU) {
      std::this_thread::sleep_for(std::chrono::microseconds(100));
      running.send(signal);
    }
    const Outcome outcome = running.wait();
    EXPECT_EQ(outcome.exit_code, 5) << signal;
    EXPECT_THAT(outcome.first_line(), HasSubstr("interrupted"));
    EXPECT_THAT(outcome.out, HasSubstr("\nstates: "));
  }
}

// A bound that nobody asked for is not part of a verdict.
TEST_F(Verify, ABoundThatNobodyAskedForIsNoAnswer) {
  const std::string file = scratch_.write(
      "many.bp",
      "decl s := 0;\nvoid main() begin\nL: start_thread goto W;\n  goto L;\nW: s := 0;\n  assert(!s);\nend\n");
  const Outcome outcome = run_program({"verify", file, "--engine", "explicit"});
  EXPECT_EQ(outcome.exit_code, 5);
  EXPECT_THAT(outcome.first_line(),
              StartsWith("UNKNOWN for any number of threads: no violation with at most 3 threads"));
  EXPECT_THAT(outcome.out, HasSubstr("\ntry next: cohort verify " + file +
                                     " --engine explicit --threads 3   (asks for that many threads only)\n"));
  EXPECT_EQ(run_program({"verify", file, "--engine", "symbolic"}).exit_code, 5);
  EXPECT_EQ(run_program({"verify", file, "--engine", "explicit", "--threads", "3"}).exit_code, 0);
  EXPECT_EQ(run_program({"verify", file}).first_line(), "SAFE for any number of threads");
  EXPECT_EQ(run_program({"verify", safe(), "--engine", "explicit"}).exit_code, 0) << "it has no more threads";
  EXPECT_EQ(run_program({"verify", unsafe(), "--engine", "explicit"}).exit_code, 10) << "a violation needs no bound";
}

TEST_F(Verify, AnswersForAllThreadsByDefault) {
  const std::string file = unsafe();
  EXPECT_EQ(run_program({"verify", safe()}).first_line(), "SAFE for all threads that it can have (at most 2)");
  const Outcome outcome = run_program({"verify", file});
  EXPECT_EQ(outcome.exit_code, 10);
  EXPECT_EQ(outcome.first_line(), "UNSAFE with 2 threads: assertion failed at " + file + ":11:3");
}

TEST_F(Verify, SaysHowManyThreadsSuffice) {
  const std::string verdict = "SAFE for all threads that it can have (at most 2)\n";
  const std::string words = "every thread state that any number of threads reaches\n";
  const std::string cutoff = run_program({"cutoff", safe()}).out;
  EXPECT_EQ(run_program({"verify", safe(), "--engine", "karp-miller", "--no-simplify"}).out,
            verdict + cutoff.substr(0, cutoff.find('\n') + 1))
      << "the same as the cutoff";
  EXPECT_EQ(run_program({"verify", safe(), "--engine", "karp-miller", "--no-simplify", "-q"}).out, verdict);
  EXPECT_THAT(run_program({"verify", safe(), "--engine", "backward", "--no-simplify"}).out,
              AllOf(StartsWith(verdict), HasSubstr("ask `cohort cutoff`"), Not(HasSubstr(words))));
}

TEST_F(Verify, SwitchesImprovementsOffByName) {
  const std::vector<std::string> start = {"verify", unsafe(), "--unbounded", "--engine", "karp-miller"};
  const auto with = [&](const std::vector<std::string>& more) {
    std::vector<std::string> arguments = start;
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run_program(arguments);
  };
  EXPECT_EQ(with({"--km-off", "shared-first,index", "--km-off", "subtrees"}).exit_code, 10);
  EXPECT_EQ(with({"--whole-cover"}).first_line(), with({}).first_line());
  const Outcome outcome = with({"--km-off", "luck"});
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_THAT(outcome.err, HasSubstr("--km-off: 'luck' is none of shared-first, minimal-chains"));
}

TEST_F(Verify, ARefusedTaskIsUnknownWithTheReason) {
  const Outcome outcome = run_program({"verify", safe(), "--engine", "explicit", "--unbounded"});
  EXPECT_EQ(outcome.exit_code, 5);
  EXPECT_THAT(outcome.first_line(), StartsWith("UNKNOWN for all threads that it can have (at most 2): explicit: "));
}

TEST_F(Verify, FileNamesThatAreNoUtf8DoNoHarm) {
  const std::string file = scratch_.write("caf\xe9.bp", unsafe_program);
  const Outcome outcome = run_program({"verify", file, "-n", "2", "--format", "json"});
  EXPECT_EQ(outcome.exit_code, 10) << outcome.err;
  EXPECT_EQ(run_program({"replay", file, scratch_.write("trace.json", outcome.out)}).exit_code, 10);
}

TEST(Program, PrintsTheVersionFirst) {
  const Outcome outcome = run_program({"--version"});
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_THAT(outcome.first_line(), ::testing::MatchesRegex("[0-9]+\\.[0-9]+\\.[0-9]+"));
  for (const char* fact : {"\ncommit: ", "\ncompiler: ", "\nbuild: ", "\nclang: 19"})
    EXPECT_THAT(outcome.out, HasSubstr(fact));
  EXPECT_THAT(outcome.err, IsEmpty());
}

TEST(Program, HelpsWithEachCommand) {
  const Outcome all = run_program({"--help"});
  EXPECT_EQ(all.exit_code, 0);
  for (const char* command : {"verify", "reach", "replay", "simulate", "convert", "engines", "check-certificate"}) {
    EXPECT_THAT(all.out, HasSubstr(command));
    const Outcome outcome = run_program({command, "--help"});
    EXPECT_EQ(outcome.exit_code, 0);
    EXPECT_THAT(outcome.out, HasSubstr("Examples:\n  cohort "));
  }
}

// A proof that counts threads rests on there not being too many of them.
TEST(Program, SaysWhatAProofAssumes) {
  const Outcome any = run_program({"verify", "examples/counting/refcount.scpl", "--unbounded", "--engine", "modular"});
  EXPECT_EQ(any.exit_code, 0) << any.err;
  EXPECT_THAT(any.out, HasSubstr("assumed: at most 1073741824 threads exist at a time"));
  const Outcome few =
      run_program({"verify", "examples/counting/refcount.scpl", "--threads", "9", "--engine", "modular"});
  EXPECT_EQ(few.exit_code, 0) << few.err;
  EXPECT_THAT(few.out, Not(HasSubstr("threads exist at a time")));
}

TEST(Program, ListsTheEngines) {
  const Outcome outcome = run_program({"engines"});
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_THAT(outcome.out, HasSubstr("explicit\n"));
  EXPECT_THAT(outcome.out, HasSubstr(".bp"));
}

}  // namespace
}  // namespace cohort::test
