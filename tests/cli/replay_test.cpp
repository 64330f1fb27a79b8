#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "cli/run_program.hpp"

namespace cohort::test {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class Replay : public ::testing::Test {
 protected:
  Replay() : file_(scratch_.write("unsafe.bp", unsafe_program)) {
    const Outcome outcome = run_program({"verify", file_, "--threads", "2", "--format", "json"});
    EXPECT_EQ(outcome.exit_code, 10);
    EXPECT_THAT(outcome.err, IsEmpty());
    document_ = json::parse(outcome.out);
  }

  Outcome replay(const json& document) const {
    return run_program({"replay", file_, scratch_.write("trace.json", document.dump())});
  }

  void expect_refused(const json& document, const std::string& reason) const {
    const Outcome outcome = replay(document);
    EXPECT_EQ(outcome.exit_code, 2) << outcome.out;
    EXPECT_THAT(outcome.out, IsEmpty());
    EXPECT_THAT(outcome.err, HasSubstr(reason));
  }

  json& step(std::size_t index) { return document_["trace"]["steps"][index]; }

  Scratch scratch_;
  std::string file_;
  json document_;
};

TEST_F(Replay, TheDocumentHasTheDocumentedMembers) {
  EXPECT_EQ(document_["schema"], "cohort-result-1");
  EXPECT_EQ(document_["verdict"], "UNSAFE");
  EXPECT_EQ(document_["tool"]["name"], "cohort");
  EXPECT_EQ(document_["tool"]["version"], document_["version"]);
  EXPECT_EQ(document_["scope"], json({{"threads", 2}, {"words", "with 2 threads"}}));
  EXPECT_EQ(document_["engine"], "explicit");
  EXPECT_EQ(document_["property"], json({{"kind", "assertion"},
                                         {"class", "assertion"},
                                         {"cwe", {617}},
                                         {"text", "assert(!inside)"},
                                         {"file", file_},
                                         {"line", 11},
                                         {"column", 3}}));
  EXPECT_TRUE(document_["reason"].is_null());
  EXPECT_TRUE(document_["statistics"]["seconds"].is_number());
  EXPECT_EQ(document_["task"]["threads"], 2);
  EXPECT_EQ(document_["trace"]["initial"]["shared"], json({{"lock", 0}, {"inside", 0}}));
  EXPECT_EQ(document_["trace"]["initial"]["threads"].size(), 1U);
}

TEST_F(Replay, EveryStepSaysWhoAndWhere) {
  for (const json& one : document_["trace"]["steps"]) {
    for (const char* name : {"thread", "file", "line", "column", "statement", "edge", "changes"}) {
      EXPECT_TRUE(one.contains(name)) << name << " in " << one;
    }
  }
}

TEST_F(Replay, SafeAndUnknownDocumentsHaveTheSameMembers) {
  const std::string safe = scratch_.write("safe.bp", safe_program);
  for (const std::string limit : {"60", "0"}) {
    const Outcome outcome = run_program({"verify", safe, "-n", "2", "--format", "json", "--time-limit", limit});
    const json document = json::parse(outcome.out);
    for (const auto& [name, value] : document_.items()) EXPECT_TRUE(document.contains(name)) << name;
    EXPECT_EQ(document["verdict"], limit == "0" ? "UNKNOWN" : "SAFE");
    EXPECT_EQ(document["reason"].is_string(), limit == "0");
    EXPECT_TRUE(document["trace"].is_null());
    const Outcome refused = run_program({"replay", safe, scratch_.write("no-trace.json", outcome.out)});
    EXPECT_EQ(refused.exit_code, 2);
  }
}

TEST_F(Replay, GivesTheSameTextAsVerify) {
  const Outcome verified = run_program({"verify", file_, "--threads", "2"});
  const Outcome replayed = replay(document_);
  EXPECT_EQ(replayed.exit_code, 10);
  EXPECT_EQ(replayed.out, verified.out);
}

TEST_F(Replay, TakesTheOptionsFromTheDocument) {
  const std::string file = scratch_.write("label.bp", "decl x;\nvoid main() begin\n  assume(x);\nBAD: skip;\nend\n");
  const Outcome verified =
      run_program({"verify", file, "-n", "2", "--initial", "any", "-l", "BAD", "--format", "json"});
  EXPECT_EQ(verified.exit_code, 10);
  const Outcome replayed = run_program({"replay", file, scratch_.write("trace.json", verified.out)});
  EXPECT_EQ(replayed.exit_code, 10);
  EXPECT_THAT(replayed.first_line(), HasSubstr("error label reached"));
}

TEST_F(Replay, RefusesAChangedValue) {
  for (json& one : document_["trace"]["steps"]) {
    if (!one["changes"]["shared"].contains("lock")) continue;
    one["changes"]["shared"]["lock"] = 0;
    return expect_refused(document_, "cannot take this step here");
  }
  FAIL() << "no step changes the lock";
}

TEST_F(Replay, RefusesAChangeThatIsLeftOut) {
  for (json& one : document_["trace"]["steps"]) {
    if (!one["changes"]["shared"].contains("lock")) continue;
    one["changes"]["shared"].erase("lock");
    return expect_refused(document_, "cannot take this step here");
  }
  FAIL() << "no step changes the lock";
}

TEST_F(Replay, RefusesAThreadThatIsNotAlive) {
  step(0)["thread"] = "T7";
  expect_refused(document_, "step 1 of the trace: no thread T7 is alive");
}

TEST_F(Replay, RefusesAnEdgeThatIsNotThere) {
  step(0)["edge"]["index"] = 100000;
  expect_refused(document_, "step 1 of the trace: main has no edge 100000");
  step(0)["edge"]["template"] = "nobody";
  expect_refused(document_, "no thread body \"nobody\"");
}

TEST_F(Replay, RefusesAnotherStatement) {
  step(0)["statement"] = "skip";
  expect_refused(document_, "the trace belongs to another program");
}

TEST_F(Replay, RefusesAnotherStart) {
  document_["trace"]["initial"]["shared"]["lock"] = 1;
  expect_refused(document_, "the program does not start like this");
}

TEST_F(Replay, RefusesValuesThatAVariableCannotHave) {
  document_["trace"]["initial"]["shared"]["lock"] = 2;
  expect_refused(document_, "lock cannot be 2");
  document_["trace"]["initial"]["shared"]["lock"] = "free";
  expect_refused(document_, "the value of lock is no integer");
  document_["trace"]["initial"]["shared"].erase("lock");
  expect_refused(document_, "the value of lock is missing");
}

TEST_F(Replay, RefusesATraceThatIsCutOff) {
  document_["trace"]["steps"].erase(document_["trace"]["steps"].size() - 1);
  expect_refused(document_, "the run ends without a violation");
}

TEST_F(Replay, RefusesATraceUnderASmallerBound) {
  document_["task"]["threads"] = 1;
  expect_refused(document_, "cannot take this step here");
}

TEST_F(Replay, RefusesWhatIsNoTrace) {
  expect_refused(json::array(), "expected a document with the schema \"cohort-result-1\"");
  json without = document_;
  without.erase("task");
  expect_refused(without, "the member \"task\" is missing");
  without = document_;
  without["trace"].erase("steps");
  expect_refused(without, "the member \"steps\" is missing");
  without["trace"]["steps"] = 3;
  expect_refused(without, "the member \"steps\" is a number");
  const Outcome outcome = run_program({"replay", file_, scratch_.write("trace.json", "{\n  \"schema\": }")});
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_THAT(outcome.err, HasSubstr("trace.json:2:13: error: this is not JSON"));
}

// Any one member taken away, or any one value changed, must never crash the reader.
TEST_F(Replay, SurvivesDamage) {
  const json flat = document_["trace"].flatten();
  int refused = 0;
  for (const auto& [path, value] : flat.items()) {
    json damaged = document_;
    const json::json_pointer pointer("/trace" + path);
    damaged[pointer] = value.is_number() ? json("x") : json(-1);
    const int code = replay(damaged).exit_code;
    EXPECT_TRUE(code == 2 || code == 10) << path;
    refused += code == 2 ? 1 : 0;
  }
  EXPECT_GT(refused, 10);
}

}  // namespace
}  // namespace cohort::test
