// What the program shows on a terminal: a live progress line, wiped before the verdict, and colours.
#include <fcntl.h>
#include <pty.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/run_program.hpp"

namespace cohort::test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

// All output of the program, with all three streams on one terminal.
std::string run_on_terminal(const std::vector<std::string>& arguments, unsigned short columns = 80) {
  int terminal = -1;
  struct winsize size = {.ws_row = 40, .ws_col = columns, .ws_xpixel = 0, .ws_ypixel = 0};
  const pid_t child = forkpty(&terminal, nullptr, nullptr, &size);
  if (child < 0) throw std::runtime_error("no terminal");
  if (child == 0) {
    unsetenv("NO_COLOR");
    std::vector<std::string> copies = arguments;
    copies.insert(copies.begin(), COHORT_PROGRAM);
    std::vector<char*> argv;
    for (std::string& argument : copies) argv.push_back(argument.data());
    argv.push_back(nullptr);
    execv(argv[0], argv.data());
    _exit(99);
  }
  std::string text;
  std::array<char, 4096> buffer{};
  for (ssize_t count = 0; (count = read(terminal, buffer.data(), buffer.size())) > 0;) {
    text.append(buffer.data(), static_cast<std::size_t>(count));
  }
  int status = 0;
  waitpid(child, &status, 0);
  close(terminal);
  return text;
}

TEST(Terminal, ShowsProgressAndWipesIt) {
  const Scratch scratch;
  const std::string file = scratch.write("endless.bp", endless_program());
  const std::vector<std::string> arguments = {"verify",    file, "--engine",     "explicit", "--no-simplify",
                                              "--threads", "1",  "--time-limit", "0.5"};
  const std::string text = run_on_terminal(arguments);
  EXPECT_THAT(text, StartsWith("\r\033[K"));
  EXPECT_THAT(text, HasSubstr(" states, "));
  // With the time since the start, and who is at work.
  EXPECT_THAT(text, ::testing::ContainsRegex("0\\.[0-9] s  explicit: [0-9]+ states"));
  EXPECT_THAT(text, HasSubstr("\r\033[K\033[1;33mUNKNOWN\033[0m for 1 thread"));
}

TEST(Terminal, EachEngineAtWorkIsNamed) {
  const Scratch scratch;
  // Numbers that wander through all of 32 bits: nobody is done with it in two seconds.
  const std::string file = scratch.write("wander.c", R"(#include <assert.h>
#include <pthread.h>
unsigned x = 1;
void *worker(void *arg) {
  for (;;) x = x * 1103515245u + 12345u;
  return arg;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, worker, 0);
  for (;;) {
    x = x * 5u + 3u;
    assert(x != 77u);
  }
}
)");
  const std::string text = run_on_terminal({"verify", file, "--time-limit", "2"});
  EXPECT_THAT(text, ::testing::ContainsRegex("[0-9]\\.[0-9] s  [^\r]*(explicit|engines at work)"));
  // Whatever was shown is gone before the answer.
  EXPECT_THAT(text, HasSubstr("\033[K\033[1;33mUNKNOWN\033[0m"));
}

TEST(Terminal, WideOnesGiveEachThreadAColumn) {
  const Scratch scratch;
  const std::string file = scratch.write("a.c", R"(#include <assert.h>
#include <pthread.h>
int x;
void *worker(void *arg) { x = 1; return arg; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, worker, 0);
  pthread_join(t, 0);
  assert(x == 0);
  return 0;
}
)");
  EXPECT_THAT(run_on_terminal({"verify", file}, 160), ::testing::ContainsRegex("\n +T0 +T1\r"));
  EXPECT_THAT(run_on_terminal({"verify", file}, 60), HasSubstr("-- switch to T1 --"));
}

TEST(Terminal, QuietShowsNoProgress) {
  const Scratch scratch;
  const std::string file = scratch.write("endless.bp", endless_program());
  const std::string text = run_on_terminal(
      {"verify", file, "--engine", "explicit", "--no-simplify", "--threads", "1", "--time-limit", "0.5", "--quiet"});
  EXPECT_THAT(text, Not(HasSubstr("\033[K")));
}

TEST(Terminal, ThereIsNoProgressWithoutOne) {
  const Scratch scratch;
  const std::string file = scratch.write("endless.bp", endless_program());
  const Outcome outcome =
      run_program({"verify", file, "--engine", "explicit", "--no-simplify", "--threads", "1", "--time-limit", "0.5"});
  EXPECT_EQ(outcome.err, "");
  EXPECT_THAT(outcome.out, StartsWith("UNKNOWN for 1 thread"));
}

}  // namespace
}  // namespace cohort::test
