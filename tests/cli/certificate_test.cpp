#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "cli/run_program.hpp"

namespace cohort::test {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

class CheckCertificate : public ::testing::Test {
 protected:
  CheckCertificate() : file_(scratch_.write("safe.bp", safe_program)) {
    const Outcome outcome = run_program(
        {"verify", file_, "--threads", "3", "--engine", "explicit", "--certificate", scratch_.path("proof.json")});
    EXPECT_EQ(outcome.exit_code, 0);
    proof_ = json::parse(read_whole(scratch_.path("proof.json")));
  }

  Outcome check(const json& proof) const {
    return run_program({"check-certificate", file_, scratch_.write("changed.json", proof.dump())});
  }

  void expect_refused(const json& proof, const std::string& reason) const {
    const Outcome outcome = check(proof);
    EXPECT_EQ(outcome.exit_code, 2) << outcome.out;
    EXPECT_THAT(outcome.out, IsEmpty());
    EXPECT_THAT(outcome.err, HasSubstr(reason));
  }

  Scratch scratch_;
  std::string file_;
  json proof_;
};

TEST_F(CheckCertificate, AcceptsWhatVerifyWrote) {
  EXPECT_EQ(proof_["schema"], "cohort-certificate-1");
  const Outcome outcome = check(proof_);
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_THAT(outcome.first_line(), StartsWith("SAFE: "));
  EXPECT_THAT(outcome.first_line(), HasSubstr("up to 3 threads"));
  EXPECT_THAT(outcome.out, HasSubstr("\nprogram: " + file_ + "\n"));
}

TEST_F(CheckCertificate, RefusesASetWithAStateMissing) {
  const std::size_t count = proof_["certificate"]["states"].size();
  ASSERT_GT(count, 3U);
  for (const std::size_t index : {std::size_t{0}, count / 2, count - 1}) {
    json damaged = proof_;
    damaged["certificate"]["states"].erase(index);
    expect_refused(damaged, "missing from the set");
  }
}

TEST_F(CheckCertificate, RefusesAnotherBound) {
  proof_["certificate"]["threads"] = 1;
  expect_refused(proof_, "the certificate does not hold: ");
  proof_["certificate"]["threads"] = 0;
  expect_refused(proof_, "the certificate does not hold: ");
}

TEST_F(CheckCertificate, ClaimsOfTheTaskCountForNothing) {
  proof_["task"]["threads"] = 100;
  const Outcome outcome = check(proof_);
  EXPECT_THAT(outcome.first_line(), HasSubstr("up to 3 threads"));
}

TEST_F(CheckCertificate, RefusesAnUnsafeProgram) {
  scratch_.write("safe.bp", unsafe_program);
  EXPECT_EQ(check(proof_).exit_code, 2);
}

TEST_F(CheckCertificate, RefusesWhatIsNoCertificate) {
  proof_["certificate"]["kind"] = "wish";
  expect_refused(proof_, "no checker for certificates of kind 'wish'");
  proof_["certificate"].erase("kind");
  expect_refused(proof_, "it has no kind");
  proof_.erase("certificate");
  expect_refused(proof_, "the member \"certificate\" is missing");
  expect_refused(json::object(), "expected a document with the schema");
}

TEST_F(CheckCertificate, StopsAtALimit) {
  const Outcome outcome = run_program({"check-certificate", file_, scratch_.path("proof.json"), "--time-limit", "0"});
  EXPECT_TRUE(outcome.exit_code == 0 || outcome.exit_code == 5);
}

TEST_F(CheckCertificate, AcceptsAProofForAnyNumberOfThreads) {
  const Outcome verified = run_program(
      {"verify", file_, "--unbounded", "--engine", "karp-miller", "--certificate", scratch_.path("proof.json")});
  EXPECT_EQ(verified.first_line(), "SAFE for any number of threads");
  const Outcome outcome = run_program({"check-certificate", file_, scratch_.path("proof.json")});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  scratch_.write("safe.bp", unsafe_program);
  EXPECT_EQ(run_program({"check-certificate", file_, scratch_.path("proof.json")}).exit_code, 2);
}

// Any one value changed may be harmless, but must never crash the checker.
class DamagedCertificate : public CheckCertificate, public ::testing::WithParamInterface<std::vector<std::string>> {};

TEST_P(DamagedCertificate, IsRefusedOrStillHolds) {
  std::vector<std::string> arguments = {"verify", file_, "--certificate", scratch_.path("proof.json")};
  arguments.insert(arguments.end(), GetParam().begin(), GetParam().end());
  ASSERT_EQ(run_program(arguments).exit_code, 0);
  proof_ = json::parse(read_whole(scratch_.path("proof.json")));
  const json flat = proof_["certificate"].flatten();
  int index = 0;
  for (const auto& [path, value] : flat.items()) {
    if (++index % 7 != 0) continue;
    for (const json& wrong : {json("x"), json(-1), json(1000000), json(0)}) {
      json damaged = proof_;
      damaged[json::json_pointer("/certificate" + path)] = wrong;
      const int code = check(damaged).exit_code;
      EXPECT_TRUE(code == 2 || code == 0) << path << " = " << wrong;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Engines, DamagedCertificate,
                         ::testing::Values(std::vector<std::string>{"--engine", "explicit", "-n", "3"},
                                           std::vector<std::string>{"--engine", "symbolic", "-n", "3"},
                                           std::vector<std::string>{"--engine", "karp-miller", "--unbounded"},
                                           std::vector<std::string>{"--km", "symbolic", "--unbounded", "--engine",
                                                                    "karp-miller"},
                                           std::vector<std::string>{"--engine", "backward", "--unbounded"}));

TEST_F(CheckCertificate, SaysWhenTheFileCannotBeWritten) {
  const Outcome outcome =
      run_program({"verify", file_, "-n", "2", "--certificate", scratch_.path("no/such/folder.json")});
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_THAT(outcome.err, HasSubstr("cannot write"));
}

}  // namespace
}  // namespace cohort::test
