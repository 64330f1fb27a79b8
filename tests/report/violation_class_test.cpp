#include "report/violation_class.hpp"

#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>

#include <gtest/gtest.h>

namespace cohort::report {
namespace {

std::string_view id_of(const model::Property& property) {
  return class_of({.mistake = model::mistake_of(property)}).id;
}

TEST(ViolationClass, TellsMistakesApart) {
  using Kind = model::Property::Kind;
  const auto called = [](std::string words) { return id_of({.kind = Kind::Assertion, .words = std::move(words)}); };
  EXPECT_EQ(id_of({.kind = Kind::Assertion, .text = "assert(x == 1)"}), "assertion");
  // What the user wrote in an assertion is nobody's name.
  EXPECT_EQ(id_of({.kind = Kind::Assertion, .text = "division by zero"}), "assertion");
  EXPECT_EQ(id_of({.kind = Kind::ErrorLabel}), "error-label");
  EXPECT_EQ(id_of({.kind = Kind::Cover, .words = "data race on x"}), "data-race");
  EXPECT_EQ(id_of({.kind = Kind::Cover, .text = "0|1,1"}), "unsafe-state");
  EXPECT_EQ(id_of({.kind = Kind::Condition}), "unsafe-state");
  EXPECT_EQ(id_of({.kind = Kind::Deadlock}), "deadlock");
  EXPECT_EQ(called("an object is freed twice"), "double-free");
  EXPECT_EQ(called("an object is freed twice on *p"), "double-free");
  EXPECT_EQ(called("a mutex is unlocked by a thread that does not hold it"), "unlock-not-held");
  EXPECT_EQ(called("a mutex is locked again by the thread that holds it"), "double-lock");
  EXPECT_EQ(called("a mutex that nobody has initialised is used"), "uninitialised-lock");
  EXPECT_EQ(called("abort is called"), "abort");
  EXPECT_EQ(called("what nobody has sorted"), "undefined-behaviour");
}

TEST(ViolationClass, FaultsOfTheModelAreMistakes) {
  using model::FaultKind;
  for (const FaultKind kind : {FaultKind::DivisionByZero, FaultKind::NullReference, FaultKind::IndexOutOfBounds,
                               FaultKind::OutOfRange, FaultKind::Overflow}) {
    EXPECT_TRUE(model::mistake_called(to_string(kind))) << to_string(kind);
  }
  EXPECT_EQ(model::object_of_mistake("data race on queue[1]"), "queue[1]");
  EXPECT_EQ(model::object_of_mistake("division by zero"), "");
}

TEST(ViolationClass, HasEachRuleOnce) {
  std::set<std::string_view> ids;
  for (const ViolationClass& one : violation_classes()) {
    EXPECT_TRUE(ids.insert(one.id).second) << one.id;
    EXPECT_FALSE(one.title.empty());
  }
}

std::string read(const std::filesystem::path& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

// The table of docs/exchange.md is this one.
TEST(ViolationClass, IsDocumented) {
  const std::string document = read(COHORT_SOURCE_DIR "/docs/exchange.md");
  for (const ViolationClass& one : violation_classes()) {
    std::string cwes;
    for (const int cwe : one.cwes) cwes += (cwes.empty() ? "" : ", ") + std::to_string(cwe);
    const std::string row = "| `" + std::string(one.id) + "` | " + cwes;
    EXPECT_NE(document.find(row), std::string::npos) << row;
  }
}

// Whatever the C front end and its models call a mistake is in the table.
TEST(ViolationClass, KnowsEveryMistakeOfCPrograms) {
  const std::regex pattern(
      R"re((?:__cohort_violation\("(?:lock|abort|fault|overflow)",|COHORT_LINUX_CHECK\([^"]*|fault\(|said\("fault"\), said\(|Wrong::Fault,|Wrong::Overflow,|Wrong::Fault,\s*\.message =)\s*"([^" ]+ [^"]+)")re");
  std::set<std::string> messages;
  for (const char* folder : {COHORT_SOURCE_DIR "/src/frontend/c/library", COHORT_SOURCE_DIR "/src/frontend/c/lower",
                             COHORT_SOURCE_DIR "/src/frontend/c/parse"}) {
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
      const std::string text = read(entry.path());
      for (std::sregex_iterator it(text.begin(), text.end(), pattern), end; it != end; ++it) messages.insert((*it)[1]);
    }
  }
  EXPECT_GT(messages.size(), 15U);
  for (const std::string& message : messages) {
    EXPECT_TRUE(model::mistake_called(message)) << message;
  }
}

}  // namespace
}  // namespace cohort::report
