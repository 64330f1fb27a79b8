#include "cli/several_files.hpp"

#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "cli/run_program.hpp"

namespace cohort::test {
namespace {

using nlohmann::json;
using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;

class SeveralFiles : public ::testing::Test {
 protected:
  SeveralFiles() {
    std::filesystem::create_directories(folder_ + "/inner");
    std::filesystem::create_directories(folder_ + "/.hidden");
    scratch_.write("all/a.bp", safe_program);
    scratch_.write("all/inner/b.bp", unsafe_program);
    scratch_.write("all/.hidden/c.bp", unsafe_program);
    scratch_.write("all/notes.txt", "none of ours");
  }

  Outcome verify(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), "verify");
    for (const char* more : {"--threads", "2"}) arguments.emplace_back(more);
    return run_program(arguments);
  }

  Scratch scratch_;
  std::string folder_ = scratch_.path("all");
};

TEST_F(SeveralFiles, AreThoseOfAFolder) {
  const Outcome outcome = verify({folder_});
  EXPECT_EQ(outcome.exit_code, 10);
  EXPECT_THAT(outcome.err, IsEmpty());
  EXPECT_THAT(outcome.out, StartsWith("SAFE "));
  EXPECT_THAT(outcome.out, HasSubstr("all/inner/b.bp  with 2 threads: assert(!inside) at "));
  EXPECT_THAT(outcome.out, HasSubstr("\n2 files: 1 SAFE, 1 UNSAFE, 0 UNKNOWN, 0 with errors; "));
  EXPECT_THAT(outcome.out, Not(HasSubstr("c.bp")));
}

TEST_F(SeveralFiles, GiveTheExitCodeOfTheWorst) {
  const std::string safe = folder_ + "/a.bp";
  const std::string broken = scratch_.write("broken.bp", "decl ;");
  EXPECT_EQ(verify({"--each-file", safe}).exit_code, 0);
  EXPECT_EQ(verify({"--each-file", safe, broken}).exit_code, 2);
  EXPECT_EQ(verify({"--each-file", safe, broken, folder_ + "/inner/b.bp"}).exit_code, 10);
  EXPECT_EQ(verify({"--each-file", safe, safe, "--time-limit", "0"}).exit_code, 5);
  EXPECT_EQ(verify({"--each-file", safe, scratch_.path("not-there.bp")}).exit_code, 2);
}

// Several C files are one program, as for a compiler, unless it is said otherwise.
TEST_F(SeveralFiles, OfCAreOneProgramUnlessSaidOtherwise) {
  const std::string main = scratch_.write("m.c", "int f(void); int main(void) { return f(); }\n");
  const std::string other = scratch_.write("f.c", "int f(void) { return 0; }\nint main2(void) { return 1; }\n");
  EXPECT_THAT(run_program({"verify", main, other}).first_line(), StartsWith("SAFE"));
  EXPECT_THAT(run_program({"verify", "--each-file", main, other}).out, HasSubstr("2 files: "));
}

// SAFE in a table means no more than SAFE alone.
TEST_F(SeveralFiles, SayUpToWhereTheyAreSafe) {
  const std::string ends =
      scratch_.write("ends.c", "#include <assert.h>\nint d;\nint main(void) { d = 1 / d; assert(d == 0); }\n");
  const std::string empty = scratch_.write("empty.c", "int main(void) { return 0; }\n");
  const std::string out = run_program({"verify", "--each-file", ends, empty, "--property", "assertions"}).out;
  EXPECT_THAT(out, HasSubstr(", up to undefined behaviour at "));
  EXPECT_THAT(out, HasSubstr(": there is nothing to check\n"));
}

TEST_F(SeveralFiles, AreOneDocument) {
  const std::string broken = scratch_.write("all/z.bp", "decl ;");
  const Outcome outcome = verify({folder_, "--format", "json", "-j", "2"});
  EXPECT_EQ(outcome.exit_code, 10);
  const json document = json::parse(outcome.out);
  EXPECT_EQ(document["schema"], "cohort-summary-1");
  EXPECT_EQ(document["safe"], 1);
  EXPECT_EQ(document["unsafe"], 1);
  EXPECT_EQ(document["errors"], 1);
  ASSERT_EQ(document["files"].size(), 3U);
  EXPECT_EQ(document["files"][0]["document"]["schema"], "cohort-result-1");
  EXPECT_EQ(document["files"][1]["document"]["trace"]["steps"].empty(), false);
  EXPECT_EQ(document["files"][2]["file"], broken);
  EXPECT_EQ(document["files"][2]["document"]["schema"], "cohort-error-1");
  EXPECT_EQ(document["files"][2]["exit_code"], 2);
}

TEST_F(SeveralFiles, AreReportedToBuildServersAndCodeScanners) {
  scratch_.write("all/<&\">\x01.bp", unsafe_program);
  scratch_.write("all/z.bp", "decl ;");
  const std::string junit = scratch_.path("j.xml");
  const std::string sarif = scratch_.path("s.sarif");
  EXPECT_EQ(verify({folder_, "--junit", junit, "--sarif=" + sarif, "-q"}).exit_code, 10);
  const std::string xml = read_whole(junit);
  EXPECT_THAT(xml, HasSubstr("tests=\"4\" failures=\"2\" errors=\"1\" skipped=\"0\""));
  EXPECT_THAT(xml, HasSubstr("&#60;&#38;&#34;&#62;?.bp"));
  const json log = json::parse(read_whole(sarif));
  ASSERT_EQ(log["runs"].size(), 1U);
  EXPECT_EQ(log["runs"][0]["results"].size(), 2U);
  EXPECT_EQ(log["runs"][0]["artifacts"].size(), 3U);
  EXPECT_EQ(log["runs"][0]["invocations"][0]["exitCode"], 10);
  EXPECT_EQ(log["runs"][0]["invocations"][0]["executionSuccessful"], false);
  for (const json& result : log["runs"][0]["results"]) {
    const json& place = result["locations"][0]["physicalLocation"]["artifactLocation"];
    EXPECT_EQ(log["runs"][0]["artifacts"][place["index"].get<std::size_t>()]["location"]["uri"], place["uri"]);
  }
}

TEST_F(SeveralFiles, TakeNoOptionsThatAreForOne) {
  for (const char* option : {"--witness", "--events", "--certificate", "--report"})
    EXPECT_EQ(verify({folder_, option, scratch_.path("out.yml")}).exit_code, 1) << option;
  EXPECT_EQ(verify({folder_ + "/a.bp", "--junit", scratch_.path("j.xml")}).exit_code, 1);
  EXPECT_EQ(verify({folder_, "--junit", scratch_.path("no/j.xml")}).exit_code, 1);
  std::filesystem::create_directories(scratch_.path("empty"));
  const Outcome outcome = verify({scratch_.path("empty")});
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_THAT(outcome.err, HasSubstr("no file"));
}

// Whoever stops the whole is told what each file came to.
TEST_F(SeveralFiles, EndWithASummaryWhenInterrupted) {
  const std::string endless = scratch_.write("endless.bp", endless_program());
  Running running({"verify", "--each-file", endless, endless, endless, "-j", "1", "--engine", "explicit",
                   "--no-simplify", "--threads", "2"});
  std::this_thread::sleep_for(std::chrono::milliseconds(600));
  running.send(SIGTERM);
  const Outcome outcome = running.wait();
  EXPECT_EQ(outcome.exit_code, 5);
  EXPECT_THAT(outcome.out, HasSubstr("3 files: 0 SAFE, 0 UNSAFE, 3 UNKNOWN"));
  EXPECT_THAT(outcome.out, HasSubstr("not begun"));
}

TEST(ArgumentsForEach, AreThoseThatAreNotAboutAll) {
  EXPECT_THAT(cli::arguments_for_each({"a.c", "--each-file", "-j4", "--sarif", "s", "--format=json", "-j", "2", "b.c",
                                       "-q", "--property", "races", "-I", "dir"},
                                      {"a.c", "b.c"}),
              ElementsAre("--property", "races", "-I", "dir"));
}

}  // namespace
}  // namespace cohort::test
