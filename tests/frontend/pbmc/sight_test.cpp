// Properties over locals and places of processes, and initial values for every index: what they become, and that on
// random programs they hold where brute force over the program without them says so.
#include <algorithm>
#include <functional>
#include <sstream>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "frontend/pbmc/pbmc_text.hpp"
#include "model/print.hpp"
#include "model/validate.hpp"
#include "support/explore.hpp"
#include "support/random_process.hpp"

namespace cohort::frontend::pbmc {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

std::string printed(const std::string& text) {
  const model::Program program = load_text(text);
  model::validate(program);
  return to_string(program);
}

bool is_violated(const std::string& text) {
  const model::Program program = load_text(text);
  model::validate(program);
  const test::Exploration found = test::explore(program, *model::fixed_thread_count(program));
  EXPECT_TRUE(found.complete);
  return found.violated.contains(model::PropertyId(0));
}

TEST(Sight, ALocalThatAPropertySpeaksOfIsShared) {
  const std::string text = printed(
      "processes 2;\nproperty P.l < 2;\nprocess P { int l = 1; l = l + 1; }\nprocess Q { int l = 5; l = 6; }\n");
  EXPECT_THAT(text, HasSubstr("shared P.l: int = 1\n"));
  EXPECT_THAT(text, HasSubstr("P.l := P.l + 1"));
  EXPECT_THAT(text, HasSubstr("local l: int = 5\n"));
}

TEST(Sight, StepsTellPlaces) {
  const std::string text = printed("int x = 0;\nprocesses 1;\nproperty !(P at b);\nprocess P { a: x = 1; b: skip; }\n");
  EXPECT_THAT(text, HasSubstr("shared P at b: bool = 0\n"));
  EXPECT_THAT(text, HasSubstr("x, P at b := 1, true"));
  EXPECT_THAT(text, HasSubstr("P at b := false"));
}

TEST(Sight, OfOneCopy) {
  const std::string text = printed(
      "int x = 0;\nprocesses 3;\nproperty P[1].l == 0 && P[1].c[1] == 8;\nprocess P[i] { int l = 0, c[2] = i + 7; l = "
      "c[0]; }\n");
  EXPECT_THAT(text, HasSubstr("shared P[1].l: int = 0\nshared P[1].c: int[2] = 8\n"));
  EXPECT_THAT(text, HasSubstr("P[1].l := P[1].c[0]"));
  EXPECT_THAT(text, HasSubstr("template P[2]() entry 0:line 4\n  local l: int = 0\n"));
  EXPECT_THAT(text, Not(HasSubstr("shared P[2]")));
}

TEST(Sight, PlacesOfAllKinds) {
  const auto reaches = [](const std::string& place, const std::string& body) {
    return is_violated("int x = 0;\nprocesses 1;\nproperty !(P at " + place + ");\nprocess P { " + body + " }\n");
  };
  EXPECT_TRUE(reaches("a", "a: skip;"));  // at the start
  EXPECT_TRUE(reaches("end", "a: skip;"));
  EXPECT_TRUE(reaches("end", ""));
  EXPECT_FALSE(reaches("end", "while (true) { }"));
  EXPECT_FALSE(reaches("end", "assume x == 1; end: skip;"));  // a label of that name is meant
  EXPECT_TRUE(reaches("l", "l: while (true) { x = 1; }"));
  EXPECT_FALSE(reaches("l", "if (x == 1) { l: skip; }"));
  EXPECT_TRUE(reaches("l", "if (x == 0) { l: skip; }"));
  // In the middle of a section; a section and its first step may both have a label.
  EXPECT_TRUE(reaches("m", "atomic { x = 1; m: x = 2; }"));
  EXPECT_TRUE(reaches("l", "skip; l: atomic { m: x = 1; }"));
  EXPECT_TRUE(reaches("m", "skip; l: atomic { m: x = 1; }"));
  // One without a step stands for what comes next.
  EXPECT_TRUE(reaches("l", "skip; l: atomic { }"));
  // The same label at two statements.
  EXPECT_TRUE(reaches("l", "if (x == 1) { l: skip; } else { l: skip; }"));
}

TEST(Sight, InAssumptionsOfTheHeader) {
  const std::string start = "bool p = true;\nproperty !(P at bad);\nprocesses 1;\n";
  const std::string process = "process P { bool l; if (l) { bad: skip; } }\n";
  EXPECT_TRUE(is_violated(start + process));
  EXPECT_TRUE(is_violated(start + "assume P.l == p;\n" + process));
  EXPECT_FALSE(is_violated(start + "assume P.l != p;\n" + process));
}

TEST(EveryIndex, HasItsInitialValue) {
  const std::string process = "processes 1;\nprocess P { }\n";
  EXPECT_THAT(printed("int B[4] = 10 + k for every k;\n" + process), HasSubstr("shared B: int[4] = 10, 11, 12, 13\n"));
  EXPECT_THAT(printed("const n = 3;\nint B[n], c;\ninit B[j] = n * j for every j, c = 1;\n" + process),
              HasSubstr("shared B: int[3] = 0, 3, 6\nshared c: int = 1\n"));
  EXPECT_THAT(printed("bool B[3] = k % 2 == 0 for every k;\n" + process), HasSubstr("shared B: bool[3] = 1, 0, 1\n"));
  EXPECT_THAT(printed("processes 2;\nprocess P[i] { int l[2] = i + k for every k; l[0] = i; }\n"),
              HasSubstr("local l: int[2] = 1, 2\n"));
}

// ---- random programs

// Each statement gets a label of its own, but for sections, which share a place with their first step; `count` says
// how many there are.
std::string labelled(const std::string& text, std::size_t& count) {
  std::istringstream lines(text);
  std::string result;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("property")) continue;
    const bool statement = line.starts_with("  ") && !line.starts_with("  int r") && !line.starts_with("  atomic");
    result += statement ? "  L" + std::to_string(count++) + ":" + line + "\n" : line + "\n";
  }
  return result;
}

struct Question {
  std::string process;
  std::string text;
  std::function<bool(const model::Program&, const model::ThreadState&)> holds;  // of the process
};

Question place_question(const std::string& process, std::size_t label) {
  const std::string name = "L" + std::to_string(label);
  return {process, process + " at " + name, [name](const model::Program& program, const model::ThreadState& thread) {
            return program.templ(thread.templ).locations[thread.location.value].label == name;
          }};
}

Question local_question(const std::string& process, model::Value value) {
  return {process, process + ".r == " + std::to_string(value),
          [value](const model::Program&, const model::ThreadState& thread) { return thread.locals.at(0) == value; }};
}

// Copies that do not use their number are one template, in which all can do what one can.
bool some_state_meets(const model::Program& program, const test::Exploration& all, const Question& question) {
  const std::string family = question.process.substr(0, question.process.find('['));
  return std::any_of(all.states.begin(), all.states.end(), [&](const model::State& state) {
    return std::any_of(state.threads.begin(), state.threads.end(), [&](const auto& thread) {
      const std::string& name = program.templ(thread->templ).name;
      return (name == question.process || name == family) && question.holds(program, *thread);
    });
  });
}

TEST(Sight, AgreesWithBruteForceOnRandomPrograms) {
  std::size_t met = 0;
  std::size_t asked = 0;
  for (std::uint64_t seed = 1; seed <= 120; ++seed) {
    std::size_t labels = 0;
    const std::string text = labelled(test::random_process_program(seed), labels);
    const bool copies = text.find("P[i]") != std::string::npos;
    const model::Program program = load_text(text);
    const std::uint32_t threads = *model::fixed_thread_count(program);
    const test::Exploration all = test::explore(program, threads, 3000);
    if (!all.complete) continue;
    const std::string process = copies ? "P[1]" : "P0";
    std::vector<Question> questions{local_question(process, 1), local_question(process, -1)};
    // The labels of another process are not to be had.
    const std::size_t own = copies ? labels : 1;
    for (std::size_t label = 0; label < own; ++label) questions.push_back(place_question(process, label));
    for (const Question& question : questions) {
      SCOPED_TRACE(question.text + "\n" + text);
      const model::Program asking = load_text("property !(" + question.text + ");\n" + text);
      model::validate(asking);
      const test::Exploration found = test::explore(asking, threads, 100'000);
      ASSERT_TRUE(found.complete);
      const bool wanted = some_state_meets(program, all, question);
      ASSERT_EQ(found.violated.contains(model::PropertyId(0)), wanted);
      ++asked;
      if (wanted) ++met;
    }
  }
  EXPECT_GT(met, asked / 5);
  EXPECT_LT(met, asked - asked / 5);
}

}  // namespace
}  // namespace cohort::frontend::pbmc
