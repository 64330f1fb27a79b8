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

class CheckCertificate : public ::testing::Test {
 protected:
  CheckCertificate() : file_(scratch_.write("safe.bp", safe_program)) {
    const Outcome outcome = run_program(
        {"verify", file_, "--threads", "3", "--engine", "explicit", "--certificate", scratch_.path("proof.json")});
    EXPECT_EQ(outcome.exit_code, 0);
    proof_ = json::parse(read_whole(scratch_.path("proof.json")));
  }

  Outcome check(const json& proof) const {
    std::vector<std::string> arguments = {"check-certificate", file_, scratch_.write("changed.json", proof.dump())};
    arguments.insert(arguments.end(), question_.begin(), question_.end());
    return run_program(arguments);
  }

  void expect_refused(const json& proof, const std::string& reason) const {
    const Outcome outcome = check(proof);
    EXPECT_EQ(outcome.exit_code, 2) << outcome.out;
    EXPECT_THAT(outcome.out, IsEmpty());
    EXPECT_THAT(outcome.err, HasSubstr(reason));
  }

  Scratch scratch_;
  std::string file_;
  std::vector<std::string> question_ = {"--threads", "3"};
  json proof_;
};

TEST_F(CheckCertificate, AcceptsWhatVerifyWrote) {
  EXPECT_EQ(proof_["schema"], "cohort-certificate-1");
  const Outcome outcome = check(proof_);
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_THAT(outcome.first_line(), StartsWith("SAFE: "));
  EXPECT_THAT(outcome.first_line(), HasSubstr("up to 3 threads"));
  EXPECT_THAT(outcome.out, HasSubstr("\nprogram: " + file_ + " --threads 3\nproperty: assertion\n"));
}

// Of two members of one name, another reader takes the other one.
TEST_F(CheckCertificate, RefusesMembersThatAreThereTwice) {
  const std::string text = proof_.dump();
  for (const auto& [member, twice] : {std::pair<std::string, std::string>{"\"certificate\":", "\"certificate\":null,"},
                                      {"\"kind\":\"counter-set\"", "\"kind\":\"control-flow\","}}) {
    const std::size_t at = text.find(member);
    ASSERT_NE(at, std::string::npos) << member;
    const std::string damaged = text.substr(0, at) + twice + text.substr(at);
    const Outcome outcome =
        run_program({"check-certificate", file_, scratch_.write("twice.json", damaged), "--threads", "3"});
    EXPECT_EQ(outcome.exit_code, 2) << outcome.out;
    EXPECT_THAT(outcome.err, HasSubstr("is there twice"));
  }
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

TEST_F(CheckCertificate, RefusesAnotherQuestionAndShowsBoth) {
  question_ = {"--threads", "4"};
  expect_refused(proof_, "threads: asked 4, the certificate was made for 3");
  question_ = {};
  expect_refused(proof_, "threads: asked null, the certificate was made for 3");
  question_ = {"--threads", "3", "--zero-init"};
  expect_refused(proof_, "zero_init: asked true, the certificate was made for false");
  question_ = {"--threads", "3", "-l", "WORK"};
  expect_refused(proof_, "error_labels: asked [\"WORK\"], the certificate was made for []");
  question_ = {"--threads", "3", "--initial", "any"};
  expect_refused(proof_, "initial: asked \"any\", the certificate was made for null");
  question_ = {"--threads", "3"};
  proof_["assumptions"] = {"the moon is made of cheese"};
  expect_refused(proof_, "assumptions: asked [], the certificate was made for [\"the moon is made of cheese\"]");
}

// The bound of the task says nothing of the set.
TEST_F(CheckCertificate, ClaimsOfTheTaskCountForNothing) {
  proof_["task"]["threads"] = 4;
  question_ = {"--threads", "4"};
  expect_refused(proof_, "the set is for up to 3 threads, asked is for up to 4");
  // Without a bound the same set is closed, too: there are never more than two threads.
  proof_["task"]["threads"] = nullptr;
  question_ = {};
  const Outcome outcome = check(proof_);
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_THAT(outcome.first_line(), HasSubstr("without a bound on the threads"));
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
  const Outcome outcome =
      run_program({"check-certificate", file_, scratch_.path("proof.json"), "-n", "3", "--time-limit", "0"});
  EXPECT_EQ(outcome.exit_code, 5);
  EXPECT_EQ(outcome.out, "UNKNOWN: time limit of 0 s reached\n");
}

TEST_F(CheckCertificate, AcceptsAProofForAnyNumberOfThreads) {
  const Outcome verified = run_program(
      {"verify", file_, "--unbounded", "--engine", "karp-miller", "--certificate", scratch_.path("proof.json")});
  EXPECT_EQ(verified.first_line(), "SAFE for all threads that it can have (at most 2)");
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
  question_ = proof_["task"]["threads"].is_null() ? std::vector<std::string>{} : std::vector<std::string>{"-n", "3"};
  ASSERT_EQ(check(proof_).exit_code, 0);
  const json flat = proof_["certificate"].flatten();
  int index = 0;
  for (const auto& [path, value] : flat.items()) {
    if (++index % 7 != 0) continue;
    for (const json& wrong : {json("x"), json(-1), json(1000000), json(0)}) {
      json damaged = proof_;
      damaged[json::json_pointer("/certificate" + path)] = wrong;
      const int code = check(damaged).exit_code;
      EXPECT_TRUE(code == 2 || code == 5 || code == 0) << path << " = " << wrong;
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

// Two threads that lock two mutexes in opposite orders: no assertion fails, and both wait for ever.
constexpr const char* opposite_orders = R"(#include <assert.h>
#include <pthread.h>
pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER;
pthread_mutex_t b = PTHREAD_MUTEX_INITIALIZER;
int x;
void *one(void *arg) {
  pthread_mutex_lock(&a);
  pthread_mutex_lock(&b);
  x = 1;
  assert(x == 1);
  pthread_mutex_unlock(&b);
  pthread_mutex_unlock(&a);
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, one, 0);
  pthread_mutex_lock(&b);
  pthread_mutex_lock(&a);
  x = 1;
  pthread_mutex_unlock(&a);
  pthread_mutex_unlock(&b);
  return 0;
}
)";

// A certificate for assertions says nothing of deadlocks, whatever its task is changed to.
TEST(CertificateForAnotherProperty, IsNoProofOfIt) {
  const Scratch scratch;
  const std::string file = scratch.write("locks.c", opposite_orders);
  for (const char* engine : {"karp-miller", "backward"}) {
    const std::string proof = scratch.path("proof.json");
    const Outcome verified = run_program({"verify", file, "--unbounded", "--engine", engine, "--certificate", proof});
    ASSERT_EQ(verified.exit_code, 0) << verified.out << verified.err;
    json document = json::parse(read_whole(proof));
    EXPECT_EQ(run_program({"check-certificate", file, proof}).exit_code, 0);
    const Outcome other = run_program({"check-certificate", file, proof, "--property", "deadlock"});
    EXPECT_EQ(other.exit_code, 2);
    EXPECT_THAT(other.err,
                HasSubstr("c.properties: asked [\"deadlock\"], the certificate was made for [\"assertions\"]"));
    document["task"]["c"]["properties"] = {"deadlock"};
    document["properties"] = {{{"kind", "deadlock"}, {"text", "all threads wait for each other"}}};
    const std::string forged = scratch.write("forged.json", document.dump());
    EXPECT_EQ(run_program({"check-certificate", file, forged}).exit_code, 2) << "asked for assertions";
    const Outcome outcome = run_program({"check-certificate", file, forged, "--property", "deadlock"});
    EXPECT_NE(outcome.exit_code, 0) << outcome.out;
    EXPECT_THAT(outcome.out + outcome.err, Not(HasSubstr("SAFE")));
  }
}

// Ends in undefined behaviour, before and after the bounds of the front end in the list of properties, are not asked
// for.
TEST(CertificateOfAProgramWithUndefinedEnds, IsAccepted) {
  const Scratch scratch;
  const std::string file = scratch.write(
      "objects.c",
      "#include <assert.h>\n#include <stdlib.h>\nint main(void) {\n  int *p;\n"
      "  for (int i = 0; i < 8; i++) { p = malloc(sizeof *p); *p = i + 1; }\n  assert(*p == 8);\n  return 0;\n}\n");
  const std::string proof = scratch.path("proof.json");
  const Outcome verified = run_program({"verify", file, "--heap-pool", "16", "--certificate", proof});
  ASSERT_EQ(verified.exit_code, 0) << verified.out << verified.err;
  const Outcome outcome = run_program({"check-certificate", file, proof, "--heap-pool", "16"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_NE(run_program({"check-certificate", file, proof, "--heap-pool", "8"}).exit_code, 0);
}

TEST_F(CheckCertificate, SaysWhenTheFileCannotBeWritten) {
  const Outcome outcome =
      run_program({"verify", file_, "-n", "2", "--certificate", scratch_.path("no/such/folder.json")});
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_THAT(outcome.err, HasSubstr("cannot write"));
}

}  // namespace
}  // namespace cohort::test
