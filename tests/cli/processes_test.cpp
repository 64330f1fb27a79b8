// Engines at work in processes of their own, as users meet them: limits, signals, and what is left behind.
#include <signal.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <set>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "cli/run_program.hpp"

namespace cohort::test {
namespace {

using ::testing::HasSubstr;

// No engine comes to an end on it: numbers that grow, in any number of threads, and a violation that is far away.
const char* const endless =
    "#include <pthread.h>\nvoid assert(int);\nunsigned a, b;\n"
    "void *w(void *p) { for (;;) { a = a * 1103515245u + b + 12345u; b = b * 69069u + a; assert(a != 77 || b != 4711); "
    "} }\n"
    "int main(void) { pthread_t t; for (;;) pthread_create(&t, 0, w, 0); }\n";

// Of all of its threads: the work is not done by the first one.
std::set<pid_t> children_of(pid_t parent) {
  std::set<pid_t> children;
  std::error_code gone;
  for (const auto& task : std::filesystem::directory_iterator("/proc/" + std::to_string(parent) + "/task", gone)) {
    std::ifstream in(task.path() / "children");
    for (pid_t child = 0; in >> child;) children.insert(child);
  }
  return children;
}

// Gone, or waiting for whoever inherits it to take notice.
bool is_gone(pid_t process) {
  std::ifstream in("/proc/" + std::to_string(process) + "/stat");
  std::string id, name, state;
  return !(in >> id >> name >> state) || state == "Z" || state == "X";
}

template <class Condition>
bool comes_true(const Condition& condition) {
  for (int i = 0; i < 3000; ++i) {
    if (condition()) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return false;
}

class Processes : public ::testing::Test {
 protected:
  std::string program() const { return scratch_.write("a.c", endless); }

  std::set<pid_t> await_children(const Running& running) const {
    std::set<pid_t> children;
    EXPECT_TRUE(comes_true([&] {
      children = children_of(running.id());
      return children.size() >= 2;
    }));
    return children;
  }

  static void expect_gone(const std::set<pid_t>& children) {
    for (const pid_t child : children) EXPECT_TRUE(comes_true([&] { return is_gone(child); })) << child;
  }

  Scratch scratch_;
};

TEST_F(Processes, NoneOutlivesAParentThatIsKilled) {
  Running running({"verify", program(), "--jobs", "2"});
  const auto children = await_children(running);
  running.send(SIGKILL);
  EXPECT_EQ(running.wait().exit_code, -SIGKILL);
  expect_gone(children);
}

TEST_F(Processes, ASignalEndsAllAndLeavesWhatWasEstablished) {
  for (const int signal : {SIGINT, SIGTERM}) {
    Running running({"verify", program(), "--jobs", "2"});
    const auto children = await_children(running);
    running.send(signal);
    const Outcome outcome = running.wait();
    EXPECT_EQ(outcome.exit_code, 5);
    EXPECT_THAT(outcome.first_line(), HasSubstr("UNKNOWN"));
    EXPECT_THAT(outcome.first_line(), HasSubstr("interrupted"));
    EXPECT_THAT(outcome.out, HasSubstr("\ntried: "));
    expect_gone(children);
  }
}

TEST_F(Processes, UnknownSaysInThreeLinesWhatWasTriedAndWhatMayHelp) {
  const Outcome outcome = run_program({"verify", program(), "--time-limit", "2"});
  EXPECT_EQ(outcome.exit_code, 5);
  std::istringstream lines(outcome.out);
  std::string verdict, tried, help, rest;
  std::getline(lines, verdict);
  std::getline(lines, tried);
  std::getline(lines, help);
  std::getline(lines, rest);
  EXPECT_THAT(verdict, HasSubstr("UNKNOWN for any number of threads: time limit of 2 s reached"));
  EXPECT_THAT(tried, ::testing::StartsWith("tried: "));
  EXPECT_THAT(tried, HasSubstr("explicit"));
  EXPECT_THAT(help, ::testing::MatchesRegex(
                        "try next: cohort verify .* --(threads|time-limit|memory-limit) [0-9]+   \\(.*\\)"));
  EXPECT_EQ(rest, "") << "figures are for those who ask";
  const Outcome verbose = run_program({"verify", program(), "--time-limit", "2", "--verbose"});
  EXPECT_THAT(verbose.out, HasSubstr("\n  explicit, 3 threads: "));
}

TEST_F(Processes, TheMemoryLimitHoldsForAllTogether) {
  const Outcome outcome =
      run_program({"verify", program(), "--time-limit", "6", "--memory-limit", "200", "--format", "json"});
  EXPECT_EQ(outcome.exit_code, 5);
  const auto document = nlohmann::json::parse(outcome.out);
  EXPECT_LT(document["statistics"]["peak_memory_mib"], 300);
}

}  // namespace
}  // namespace cohort::test
