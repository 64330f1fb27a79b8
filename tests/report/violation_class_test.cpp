#include "report/violation_class.hpp"

#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>

#include <gtest/gtest.h>

namespace cohort::report {
namespace {

std::string_view id_of(std::string_view kind, const std::string& words, const std::string& text) {
  return class_of({kind, words, text, {}}).id;
}

TEST(ViolationClass, TellsMistakesApart) {
  EXPECT_EQ(id_of("assertion", "assertion failed", "assert(x == 1)"), "assertion");
  EXPECT_EQ(id_of("error-label", "error label reached", "ERROR"), "error-label");
  EXPECT_EQ(id_of("cover", "target covered", "data race: x = 1 and y = x at f.c:3:1"), "data-race");
  EXPECT_EQ(id_of("cover", "target covered", "0|1,1"), "unsafe-state");
  EXPECT_EQ(id_of("condition", "bad state reached", "x > 1"), "unsafe-state");
  EXPECT_EQ(id_of("deadlock", "deadlock", "threads wait for ever"), "deadlock");
  EXPECT_EQ(id_of("assertion", "", "an object is freed twice: free(p)"), "double-free");
  EXPECT_EQ(id_of("assertion", "", "a mutex is unlocked by a thread that does not hold it: unlock(&m)"),
            "unlock-not-held");
  EXPECT_EQ(id_of("assertion", "", "a mutex is locked again by the thread that holds it: lock(&m)"), "double-lock");
  EXPECT_EQ(id_of("assertion", "", "a mutex that nobody has initialised is used: lock(&m)"), "uninitialised-lock");
  EXPECT_EQ(id_of("fault", "access through NULL", "x := p.next"), "null-dereference");
  EXPECT_EQ(id_of("fault", "division by zero", "x := 1 / y"), "division-by-zero");
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

// Whatever the C front end and its models call a mistake has a class that is no mere assertion.
TEST(ViolationClass, KnowsEveryMistakeOfCPrograms) {
  const std::regex pattern(
      R"re((?:__cohort_violation\("lock",|COHORT_LINUX_CHECK\([^"]*|"fault",|"overflow",|Wrong::Fault,|Wrong::Overflow,)\s*"([^" ]+ [^"]+)")re");
  std::set<std::string> messages;
  for (const char* folder : {COHORT_SOURCE_DIR "/src/frontend/c/library", COHORT_SOURCE_DIR "/src/frontend/c/lower"}) {
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
      const std::string text = read(entry.path());
      for (std::sregex_iterator it(text.begin(), text.end(), pattern), end; it != end; ++it) messages.insert((*it)[1]);
    }
  }
  EXPECT_GT(messages.size(), 15U);
  for (const std::string& message : messages) {
    EXPECT_NE(id_of("assertion", "assertion failed", message + ": statement"), "assertion") << message;
  }
}

}  // namespace
}  // namespace cohort::report
