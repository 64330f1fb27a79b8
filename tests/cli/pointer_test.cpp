// Pointer algorithms on the command line.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/run_program.hpp"

namespace cohort::test {
namespace {

using ::testing::HasSubstr;

const std::string through_null =
    "process count = 2;\n"
    "global pointer g; local discrete x;\n"
    "mode a true { when g != P may g = P; when true may x = g->x; }\n"
    "initially g == NULL and (forall i: x[i] == 0);\n"
    "risk exists i: x[i] == 1;\n";

class PointerPrograms : public ::testing::Test {
 protected:
  std::string faulty() const { return scratch_.write("faulty.red", through_null); }

  Scratch scratch_;
};

TEST_F(PointerPrograms, AreDecidedForTheProcessesTheyHave) {
  EXPECT_EQ(run_program({"verify", "examples/red/mcs.red"}).out, "SAFE for 2 threads\n");
  EXPECT_EQ(run_program({"verify", "examples/red/mcs.red", "--processes", "3"}).out, "SAFE for 3 threads\n");
  EXPECT_EQ(run_program({"verify", "examples/red/mcs.red", "--engine", "pointer-symbolic"}).out,
            "SAFE for 2 threads\n");
  EXPECT_EQ(run_program({"verify", "examples/red/mcs.red", "--engine", "pointer-backward"}).out,
            "SAFE for 2 threads\n");
}

TEST_F(PointerPrograms, AreDecidedForAnyNumberOfProcesses) {
  for (const std::string lock : {"mcs", "clh_once"}) {
    const Outcome safe = run_program({"verify", "examples/red/" + lock + ".red", "--processes", "any"});
    EXPECT_EQ(safe.exit_code, 0);
    EXPECT_EQ(safe.first_line(), "SAFE for any number of threads");
    EXPECT_THAT(safe.out, HasSubstr("the order in which they were enqueued"));
  }
  for (const std::string lock : {"mcs_open_door", "clh_once_late", "mcs_swap_usurped"}) {
    const Outcome unsafe = run_program({"verify", "examples/red/" + lock + ".red", "--processes", "any"});
    EXPECT_EQ(unsafe.exit_code, 10);
  }
  EXPECT_EQ(run_program({"verify", "examples/red/mcs.red", "--processes", "any", "--threads", "3"}).first_line(),
            "SAFE for 3 threads");
  const Outcome certified = run_program(
      {"verify", "examples/red/clh_once.red", "--processes", "any", "--certificate", scratch_.path("proof.json")});
  EXPECT_EQ(certified.exit_code, 5);
  EXPECT_THAT(certified.out, HasSubstr("of the pointer engines only pointer writes certificates"));
}

TEST_F(PointerPrograms, AreCertifiedByStatesWithNames) {
  const std::string proof = scratch_.path("proof.json");
  EXPECT_EQ(run_program({"verify", "examples/red/mcs.red", "--certificate", proof}).out, "SAFE for 2 threads\n");
  const Outcome checked = run_program({"check-certificate", "examples/red/mcs.red", proof});
  EXPECT_EQ(checked.exit_code, 0) << checked.err;
  EXPECT_THAT(checked.out, HasSubstr("states with named threads hold every initial state"));
  EXPECT_EQ(run_program({"check-certificate", "examples/red/mcs.red", proof, "--processes", "3"}).exit_code, 2);
}

// What each process can be and see, whatever the others are called.
TEST_F(PointerPrograms, SayWhatIsReached) {
  EXPECT_EQ(run_program({"reach", "examples/red/forest.red", "--processes", "2", "--show", "parent"}).out,
            "process: root (line 9)  parent = 0\n"
            "process: asking (line 13)  parent = 0\n"
            "process: child (line 14)  parent = 1\n"
            "process: child (line 14)  parent = 2\n");
  const Outcome unbounded = run_program({"reach", "examples/red/forest.red", "--unbounded"});
  EXPECT_EQ(unbounded.exit_code, 5);
}

TEST_F(PointerPrograms, OfAnyNumberAreNotNamed) {
  const Outcome named = run_program({"verify", "examples/red/clh.red", "--processes", "any"});
  EXPECT_EQ(named.exit_code, 2);
  EXPECT_THAT(named.err, HasSubstr("where there is any number of processes, none can be named"));
  const std::string next = scratch_.write("next.red", "local pointer p; mode a true { when true may p = P + 1; }");
  const Outcome calculated = run_program({"verify", next, "--processes", "any"});
  EXPECT_EQ(calculated.exit_code, 2);
  EXPECT_THAT(calculated.err, HasSubstr("none can be calculated"));
  EXPECT_EQ(run_program({"verify", "examples/red/mcs.red", "--processes", "3000000000"}).exit_code, 5);
}

TEST_F(PointerPrograms, ReportFaultsWithTheirPlace) {
  const std::string file = faulty();
  for (const std::string engine : {"pointer", "pointer-symbolic"}) {
    const Outcome outcome = run_program({"verify", file, "--engine", engine});
    EXPECT_EQ(outcome.exit_code, 10);
    EXPECT_EQ(outcome.first_line(), "UNSAFE with 2 threads: access through NULL at " + file + ":3:52");
    EXPECT_THAT(outcome.out, HasSubstr("x = g->x"));
  }
  EXPECT_EQ(run_program({"verify", file, "--faults", "ignore"}).out, "SAFE for 2 threads\n");
  EXPECT_EQ(run_program({"verify", file, "--faults", "perhaps"}).exit_code, 1);
}

TEST_F(PointerPrograms, TracesCarryTheNumberOfProcessesAlong) {
  const std::string program = "examples/red/treiber_aba.red";
  const Outcome found = run_program({"verify", program, "--processes", "3", "--format", "json"});
  EXPECT_EQ(found.exit_code, 10);
  const std::string trace = scratch_.write("trace.json", found.out);
  const Outcome replayed = run_program({"replay", program, trace});
  EXPECT_EQ(replayed.exit_code, 10) << replayed.err;
  const Outcome ignoring =
      run_program({"verify", program, "--processes", "3", "--faults", "ignore", "--format", "json"});
  EXPECT_THAT(ignoring.out, HasSubstr("\"faults\": \"ignore\""));
}

TEST_F(PointerPrograms, OptionsOfOtherFormatsAreRefused) {
  const std::string boolean = scratch_.write("p.bp", "void main() begin skip; end\n");
  const Outcome outcome = run_program({"verify", boolean, "--processes", "3"});
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_THAT(outcome.err, HasSubstr("--processes means nothing for .bp files"));
  EXPECT_EQ(run_program({"verify", "examples/red/mcs.red", "--zero-init"}).exit_code, 1);
}

// As the paper has them: processes are counted from 1, and are in modes.
TEST_F(PointerPrograms, TracesShowModesAndTheNumbersOfProcesses) {
  const Outcome outcome = run_program({"verify", "examples/red/mcs_open_door.red"});
  EXPECT_THAT(outcome.out, HasSubstr("start: P1 in zero, P2 in zero; L = NULL"));
  EXPECT_THAT(outcome.out, HasSubstr("next = NULL"));
  EXPECT_THAT(outcome.out, HasSubstr("goes to one"));
  EXPECT_THAT(outcome.out, HasSubstr("L = P1"));
  EXPECT_THAT(outcome.out, HasSubstr("-- switch to P2 --"));
  EXPECT_THAT(outcome.out, ::testing::Not(HasSubstr("T0")));
}

}  // namespace
}  // namespace cohort::test
