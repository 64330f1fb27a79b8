// Property files, task definitions and witnesses on the command line.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/run_program.hpp"

namespace cohort::test {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;

constexpr const char* program = R"(extern void reach_error(void);
typedef unsigned long pthread_t;
extern int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
int x;
long wide;
void *writer(void *argument) {
  x = 1;
  return argument;
}
int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, writer, 0);
  if (x == 1) reach_error();
  if (sizeof(wide) == 4) x = 5 / (x - x);
  return 0;
}
)";

class SpecificationFile : public ::testing::Test {
 protected:
  std::string property(const std::string& name, const std::string& formula) const {
    return scratch_.write(name, "CHECK( init(main()), LTL(" + formula + ") )\n");
  }

  Scratch scratch_;
  std::string file_ = scratch_.write("p.c", program);
  std::string reach_ = property("unreach-call.prp", "G ! call(reach_error())");
};

TEST_F(SpecificationFile, AsksForWhatItSays) {
  const Outcome reach = run_program({"verify", file_, "--property", reach_});
  EXPECT_EQ(reach.exit_code, 10);
  EXPECT_THAT(reach.out, EndsWith("\nVERDICT: FALSE(unreach-call)\n"));
  const Outcome race = run_program({"verify", file_, "--property", property("r.prp", "G ! data-race")});
  EXPECT_EQ(race.exit_code, 10);
  EXPECT_THAT(race.out, EndsWith("\nVERDICT: FALSE(no-data-race)\n"));
  const Outcome overflow = run_program({"verify", file_, "--property", property("o.prp", "G ! overflow")});
  EXPECT_EQ(overflow.exit_code, 0);
  EXPECT_THAT(overflow.out, EndsWith("\nVERDICT: TRUE\n"));
}

TEST_F(SpecificationFile, SaysUnknownForWhatIsNotLookedFor) {
  const Outcome outcome = run_program({"verify", file_, "--property", property("t.prp", "F end")});
  EXPECT_EQ(outcome.exit_code, 5);
  EXPECT_THAT(outcome.err, HasSubstr("F end"));
}

// A proof for some threads is not one of the program, as competitions ask for it.
TEST_F(SpecificationFile, ClaimsNoMoreThanWasProved) {
  const Outcome outcome =
      run_program({"verify", file_, "--property", property("o.prp", "G ! overflow"), "--threads", "2"});
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_THAT(outcome.out, HasSubstr("VERDICT: UNKNOWN(safe for a bounded number of threads)"));
}

// A failing assertion of the library is no call of reach_error.
TEST_F(SpecificationFile, IsNotViolatedBySomethingElse) {
  const std::string asserting =
      scratch_.write("a.c", "#include <assert.h>\nint x;\nint main(void) { assert(x == 1); return 0; }\n");
  const Outcome outcome = run_program({"verify", asserting, "--property", reach_});
  EXPECT_EQ(outcome.exit_code, 5);
  EXPECT_THAT(outcome.out, HasSubstr("not of the property asked for"));
  EXPECT_EQ(run_program({"verify", asserting}).exit_code, 10);
  const std::string dividing = scratch_.write("d.c", "int x;\nint main(void) { return 1 / x; }\n");
  EXPECT_EQ(run_program({"verify", dividing, "--property", property("m.prp", "G valid-deref")}).exit_code, 5);
  EXPECT_EQ(run_program({"verify", dividing, "--property", "faults"}).exit_code, 10);
}

// A macro of the program's own by that name is the program's business.
TEST_F(SpecificationFile, KnowsAssertionsThatAreCallsOfTheError) {
  const std::string own = scratch_.write("o.c",
                                         "extern void reach_error(void);\n#define assert(c) if (!(c)) "
                                         "reach_error()\nint x;\nint main(void) { assert(x == 1); return 0; }\n");
  EXPECT_EQ(run_program({"verify", own, "--property", reach_}).exit_code, 10);
}

TEST_F(SpecificationFile, MayBeNamedByATask) {
  const std::string task =
      scratch_.write("t.yml",
                     "format_version: '2.0'\ninput_files: p.c\nproperties:\n  - property_file: end.prp\n  - "
                     "property_file: unreach-call.prp\noptions: {language: C, data_model: ILP32}\n");
  property("end.prp", "F end");
  const Outcome outcome = run_program({"verify", task});
  EXPECT_EQ(outcome.exit_code, 10);
  EXPECT_THAT(outcome.out, EndsWith("\nVERDICT: FALSE(unreach-call)\n"));
  // Its widths hold, unless somebody says otherwise; and so do its properties.
  EXPECT_EQ(run_program({"verify", task, "--property", "faults"}).exit_code, 10);
  EXPECT_EQ(run_program({"verify", task, "--property", "faults", "--64"}).exit_code, 0);
}

TEST_F(SpecificationFile, OfATestOfAnotherToolNamesTheQuestion) {
  // One thread cannot be in 1 twice, many can.
  scratch_.write("main.tts", "2 2\n0 0 -> 0 1\n");
  scratch_.write("main.prop", "0|1,1\n");
  const std::string many = scratch_.write("many.desc", "CORE\nmain.tts\n--target main.prop --prj-all\n^EXIT=10$\n");
  const std::string one = scratch_.write("one.desc", "CORE\nmain.tts\n--target main.prop --init \"0|0\"\n^EXIT=0$\n");
  EXPECT_EQ(run_program({"verify", many}).exit_code, 10);
  EXPECT_EQ(run_program({"verify", one}).exit_code, 0);
  // The command line goes before.
  EXPECT_EQ(run_program({"verify", one, "--init", "0|0,0"}).exit_code, 10);
  EXPECT_EQ(run_program({"verify", many, "--target", "1|"}).exit_code, 0);
  EXPECT_EQ(run_program({"verify", "--each-file", one, one}).exit_code, 0);
  const std::string proof = scratch_.path("proof.json");
  EXPECT_EQ(run_program({"verify", one, "--unbounded", "--certificate", proof}).exit_code, 0);
  EXPECT_EQ(run_program({"check-certificate", one, proof}).exit_code, 0);
}

TEST_F(SpecificationFile, MayBeMissing) {
  const Outcome outcome = run_program({"verify", file_, "--property", scratch_.path("none.prp")});
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_THAT(outcome.err, HasSubstr("none.prp"));
  const Outcome task = run_program({"verify", scratch_.write("t.yml", "format_version: '2.0'\ninput_files: none.c\n")});
  EXPECT_EQ(task.exit_code, 2);
  EXPECT_THAT(task.err, HasSubstr("none.c"));
}

TEST_F(SpecificationFile, MeansNothingForOtherLanguages) {
  const std::string bp = scratch_.write("s.bp", safe_program);
  EXPECT_EQ(run_program({"verify", bp, "--property", reach_}).exit_code, 1);
  EXPECT_EQ(run_program({"verify", bp, "--32"}).exit_code, 1);
}

using WitnessFile = SpecificationFile;

TEST_F(WitnessFile, IsFollowedWhoeverWroteIt) {
  const std::string foreign = scratch_.write("w.yml", R"yaml(- entry_type: violation_sequence
  metadata:
    format_version: "2.0"
    task: {input_files: [p.c], input_file_hashes: {p.c: "0"}, specification: "G ! call(reach_error())", data_model: LP64}
  content:
  - segment:
    - waypoint: {type: assumption, action: follow, location: {file_name: elsewhere/p.c, line: 13}, constraint: {value: "x == 1 && unknown == 3", format: c_expression}}
  - segment:
    - waypoint: {type: target, action: follow, location: {file_name: p.c, line: 13}}
)yaml");
  const Outcome outcome = run_program({"replay", file_, foreign});
  EXPECT_EQ(outcome.exit_code, 10) << outcome.err;
  EXPECT_THAT(outcome.out, StartsWith("UNSAFE with 2 threads"));
  EXPECT_THAT(outcome.err, HasSubstr("another version"));
  EXPECT_THAT(outcome.err, HasSubstr("is not heeded"));
}

TEST_F(WitnessFile, IsRefusedWhereNoRunFollowsIt) {
  const std::string path = scratch_.path("w.yml");
  ASSERT_EQ(run_program({"verify", file_, "--property", reach_, "--witness", path}).exit_code, 10);
  EXPECT_EQ(run_program({"replay", file_, path}).exit_code, 10);
  std::string text = read_whole(path);
  const std::size_t at = text.rfind("line: 13");
  ASSERT_NE(at, std::string::npos);
  const std::string wrong = scratch_.write("wrong.yml", text.replace(at, 8, "line: 14"));
  const Outcome outcome = run_program({"replay", file_, wrong});
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_THAT(outcome.err, HasSubstr("no run follows the witness"));
  EXPECT_EQ(run_program({"replay", file_, wrong, "--time-limit", "0"}).exit_code, 5);
}

TEST_F(WitnessFile, NamesAViolationThatNothingComesBefore) {
  const std::string at_once = scratch_.write(
      "once.c", "#include <assert.h>\nint main(void) {\n  int x = 1;\n  assert(x == 2);\n  return 0;\n}\n");
  const std::string path = scratch_.path("w.yml");
  EXPECT_EQ(run_program({"verify", at_once, "--witness", path}).exit_code, 10);
  EXPECT_THAT(read_whole(path), HasSubstr("type: target"));
  EXPECT_THAT(read_whole(path), HasSubstr("line: 4"));
  EXPECT_EQ(run_program({"replay", at_once, path}).exit_code, 10);
}

TEST_F(WitnessFile, IsNotWrittenForWhatWasNotDecided) {
  const std::string path = scratch_.path("w.yml");
  const Outcome unknown = run_program({"verify", file_, "--witness", path, "--time-limit", "0"});
  EXPECT_EQ(unknown.exit_code, 5);
  EXPECT_THAT(unknown.err, HasSubstr("no witness"));
  EXPECT_THAT(read_whole(path), IsEmpty());
  const Outcome bounded = run_program({"verify", file_, "--property", "overflow", "--witness", path, "-n", "2"});
  EXPECT_EQ(bounded.exit_code, 0);
  EXPECT_THAT(bounded.err, HasSubstr("not about all executions"));
  EXPECT_EQ(run_program({"verify", file_, "--property", "overflow", "--witness", path}).exit_code, 0);
  EXPECT_THAT(read_whole(path), HasSubstr("invariant_set"));
}

// Before any work is done.
TEST_F(WitnessFile, MustBeOneThatCanBeWritten) {
  for (const std::string option : {"--witness", "--sarif", "--events"}) {
    const Outcome outcome = run_program({"verify", file_, option, scratch_.path("no/folder/w.yml")});
    EXPECT_EQ(outcome.exit_code, 1) << option;
    EXPECT_THAT(outcome.out, IsEmpty());
  }
  EXPECT_EQ(run_program({"verify", file_, "--witness", scratch_.path("w.txt")}).exit_code, 1);
  const std::string bp = scratch_.write("s.bp", safe_program);
  EXPECT_EQ(run_program({"verify", bp, "--witness", scratch_.path("w.yml")}).exit_code, 1);
}

TEST_F(WitnessFile, IsNoTraceAndATraceTakesNoOptions) {
  const std::string trace = scratch_.write("t.json", run_program({"verify", file_, "--format", "json"}).out);
  EXPECT_EQ(run_program({"replay", file_, trace}).exit_code, 10);
  const Outcome outcome = run_program({"replay", file_, trace, "--32"});
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_THAT(outcome.err, HasSubstr("says itself"));
}

}  // namespace
}  // namespace cohort::test
