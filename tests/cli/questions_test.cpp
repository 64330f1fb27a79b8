// Each property for itself: `--each`, `--only`, `--list-properties`.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "cli/run_program.hpp"

namespace cohort::test {
namespace {

using ::testing::HasSubstr;
using ::testing::MatchesRegex;

constexpr const char* two = R"(#include <assert.h>
#include <pthread.h>
int x;
static void check(int limit) {
  assert(x <= limit);
}
void *worker(void *arg) {
  x++;
  return arg;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, worker, 0);
  check(1);
  check(2);
  pthread_join(t, 0);
  assert(x == 2);
  return 0;
}
)";

class EachProperty : public ::testing::Test {
 protected:
  Scratch scratch_;
  std::string c_ = scratch_.write("two.c", two);
};

TEST_F(EachProperty, IsListed) {
  const Outcome outcome = run_program({"verify", c_, "--list-properties"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(outcome.out, c_ + ":5:3  assert(x <= limit)\n" + c_ + ":17:3  assert(x == 2)\n");
}

TEST_F(EachProperty, HasItsOwnVerdict) {
  const Outcome outcome = run_program({"verify", c_, "--each"});
  EXPECT_EQ(outcome.exit_code, 10) << outcome.err;
  EXPECT_THAT(outcome.out,
              MatchesRegex("SAFE .*two.c:5:3 .*\nUNSAFE .*two.c:17:3 .*\n2 properties: 1 SAFE, 1 UNSAFE, .*\n"));
}

TEST_F(EachProperty, CanBeAskedForAlone) {
  EXPECT_EQ(run_program({"verify", c_, "--only", c_ + ":5"}).exit_code, 0);
  EXPECT_EQ(run_program({"verify", c_, "--only", c_ + ":17:3"}).exit_code, 10);
  const Outcome none = run_program({"verify", c_, "--only", c_ + ":6"});
  EXPECT_EQ(none.exit_code, 1);
  EXPECT_THAT(none.err, HasSubstr("there is no such property"));
}

TEST_F(EachProperty, TracesOfOneReplay) {
  const Outcome found = run_program({"verify", c_, "--only", c_ + ":17", "--format", "json"});
  ASSERT_EQ(found.exit_code, 10);
  EXPECT_EQ(run_program({"replay", c_, scratch_.write("trace.json", found.out)}).exit_code, 10);
}

// A proof of one property says nothing about another.
TEST_F(EachProperty, CertificatesOfOneHoldForThatOne) {
  const std::string proof = scratch_.path("proof.json");
  ASSERT_EQ(run_program({"verify", c_, "--only", c_ + ":5", "--certificate", proof}).exit_code, 0);
  EXPECT_EQ(run_program({"check-certificate", c_, proof, "--only", c_ + ":5"}).exit_code, 0);
  EXPECT_NE(run_program({"check-certificate", c_, proof}).exit_code, 0);
}

TEST_F(EachProperty, IsThereInEveryLanguage) {
  const std::string processes = scratch_.write("list.pbmc",
                                               "int x = 0;\nint y = 0;\nproperty x <= 1;\nproperty y <= 0;\n"
                                               "processes 1;\nprocess P[i] { x = 1; y = 1; }\n");
  const Outcome outcome = run_program({"verify", processes, "--each", "--format", "json"});
  EXPECT_EQ(outcome.exit_code, 10) << outcome.out << outcome.err;
  const auto summary = nlohmann::json::parse(outcome.out);
  EXPECT_EQ(summary["safe"], 1);
  EXPECT_EQ(summary["unsafe"], 1);
  const std::string boolean = scratch_.write("b.bp",
                                             "decl x;\nvoid main() begin\n  x := 0;\n  assert(!x);\n  x := 1;\n"
                                             "  assert(!x);\nend\n");
  EXPECT_THAT(run_program({"verify", boolean, "--each", "--threads", "1"}).out,
              HasSubstr("2 properties: 1 SAFE, 1 UNSAFE"));
}

TEST_F(EachProperty, WritesAReportForBuildServers) {
  const std::string junit = scratch_.path("out.xml");
  EXPECT_EQ(run_program({"verify", c_, "--each", "--junit", junit}).exit_code, 10);
  EXPECT_THAT(read_whole(junit), HasSubstr("two.c:17:3"));
  EXPECT_EQ(run_program({"verify", c_, "--each", "--witness", scratch_.path("w.yml")}).exit_code, 1);
}

}  // namespace
}  // namespace cohort::test
