#include "frontend/tts/tts.hpp"

#include <algorithm>
#include <random>
#include <set>

#include <gtest/gtest.h>

#include "model/interpreter.hpp"
#include "support/benchmarks.hpp"
#include "support/diagnostics.hpp"
#include "support/mutate.hpp"

namespace cohort::frontend::tts {
namespace {

using test::diagnostic;
using test::text_file;

model::Program parse(const std::string& text, Options options = {}) {
  return load(text_file("a.tts", text), options);
}
std::string error(const std::string& text, Options options = {}) {
  return diagnostic([&] { parse(text, options); });
}

// The local states of a state's threads as the file numbers them, sorted, after the shared state: "1: 0 0 2".
std::string show(const model::Program& program, const model::State& state) {
  std::vector<std::string> labels;
  for (const auto& thread : state.threads) {
    if (thread && thread->templ.value == 0)
      labels.push_back(program.templ(thread->templ).locations[thread->location.value].label);
  }
  std::sort(labels.begin(), labels.end());
  std::string text = std::to_string(state.shared[0]) + ":";
  for (const std::string& label : labels) text += " " + label;
  return text;
}

std::set<std::string> successors(const std::string& text, const std::string& init) {
  const model::Program program = parse(text, {.init = init, .target = {}, .property = {}});
  const model::Interpreter interpreter(program, std::nullopt);
  std::set<std::string> shown;
  for (const model::State& state : interpreter.initial_states()) {
    for (const model::Transition& step : interpreter.successors(state)) shown.insert(show(program, step.target));
  }
  return shown;
}

using Shown = std::set<std::string>;

TEST(Tts, MovesOneThread) {
  EXPECT_EQ(successors("2 3\n0 1 -> 1 2\n", "0|1,1"), (Shown{"1: 1 2"}));
}

TEST(Tts, NeedsTheSharedStateAndAThread) {
  EXPECT_EQ(successors("2 3\n0 1 -> 1 2\n", "1|1"), Shown{});
  EXPECT_EQ(successors("2 3\n0 1 -> 1 2\n", "0|2"), Shown{});
}

TEST(Tts, CreatesAThreadAndKeepsTheCreator) {
  EXPECT_EQ(successors("2 3\n0 1 +> 1 2\n", "0|1"), (Shown{"1: 1 2"}));
}

TEST(Tts, PassiveThreadsChooseOnTheirOwnAndTheActiveOneIsNoneOfThem) {
  EXPECT_EQ(successors("1 4\n0 0 -> 0 1 0 ~> 2 0 ~> 3\n", "0|0,0,0"), (Shown{"0: 1 2 2", "0: 1 2 3", "0: 1 3 3"}));
}

TEST(Tts, PassiveThreadsNotListedStay) {
  EXPECT_EQ(successors("1 4\n0 0 -> 0 1 2 ~> 3\n", "0|0,1,2,2"), (Shown{"0: 1 1 3 3"}));
}

TEST(Tts, KeepsASelfLoopThatMovesOthers) {
  EXPECT_EQ(successors("1 4\n0 0 -> 0 0 2 ~> 3\n", "0|0,2"), (Shown{"0: 0 3"}));
}

TEST(Tts, LeavesOutASelfLoopThatDoesNothing) {
  EXPECT_TRUE(parse("1 1\n0 0 -> 0 0\n").templates[0].edges.empty());
}

TEST(Tts, TransfersAllThreadsWithoutAnActiveOne) {
  EXPECT_EQ(successors("2 3\n0 1 ~> 1 2\n", "0|0,1,1"), (Shown{"1: 0 2 2"}));
  EXPECT_EQ(successors("2 3\n0 1 ~> 1 2\n", "0|0"), (Shown{"1: 0"}));
}

TEST(Tts, TransitionsThatDifferOnlyInTheirPassiveListsAreBothKept) {
  EXPECT_EQ(successors("1 4\n0 0 -> 0 1 2 ~> 3\n0 0 -> 0 1\n", "0|0,2"), (Shown{"0: 1 3", "0: 1 2"}));
}

TEST(Tts, TakesCommentsBlankLinesCarriageReturnsAndTightTokens) {
  const model::Program program = parse("# head\n\r\n 2 2 # states\r\n\n0 0->1 1#x\r\n0 1 +>1 0");
  ASSERT_EQ(program.templates[0].edges.size(), 2u);
  EXPECT_EQ(program.templates[0].edges[1].actions[0].spawns.size(), 1u);
  EXPECT_EQ(program.templates[0].edges[0].actions[0].span.line, 5u);
}

TEST(Tts, MakesLocationsOnlyOfStatesThatOccur) {
  const model::Program program = parse("148033 524289\n5 524288 -> 148032 7\n");
  EXPECT_EQ(program.templates[0].locations.size(), 3u) << "the two that occur, and the initial 0";
}

TEST(Tts, StartsWithAnyNumberOfThreadsInLocalStateZero) {
  const model::Program program = parse("1 1\n");
  ASSERT_EQ(program.initial.size(), 1u);
  EXPECT_FALSE(program.initial[0].count);
  EXPECT_EQ(program.shared[0].initial, std::vector<model::Value>{0});
}

TEST(Tts, ReadsInitialConfigurationsInBothNotations) {
  for (const char* init : {"1|2,0,2/1,3", "1B2,0,2U1,3"}) {
    const model::Program program = parse("2 4\n", {.init = init, .target = {}, .property = {}});
    EXPECT_EQ(program.shared[0].initial, std::vector<model::Value>{1});
    ASSERT_EQ(program.initial.size(), 4u) << init;
    EXPECT_EQ(program.initial[0].count, 2u);
    EXPECT_EQ(program.initial[1].count, 1u);
    EXPECT_FALSE(program.initial[2].count);
    EXPECT_FALSE(program.initial[3].count);
  }
  EXPECT_EQ(parse("1 5\n", {.init = "0BU0,4", .target = {}, .property = {}}).initial.size(), 2u);
  EXPECT_TRUE(parse("1 5\n", {.init = "0|", .target = {}, .property = {}}).initial.empty());
}

TEST(Tts, TakesTheTargetFromOptionFileOrProperty) {
  const std::string inside = "2 3\n1|2,2\n";
  EXPECT_EQ(parse(inside).properties.at(0).text, "1|2,2");
  EXPECT_EQ(parse(inside).properties.at(0).threads.size(), 2u);
  EXPECT_EQ(parse(inside, {.init = {}, .target = "0|1", .property = {}}).properties.at(0).text, "0|1");
  EXPECT_EQ(parse("2 3\n", {.init = {}, .target = {}, .property = text_file("a.prop", "1|0\n")}).properties.at(0).text,
            "1|0");
  EXPECT_TRUE(parse("2 3\n").properties.empty());
  EXPECT_TRUE(parse("2 3\n1|\n").properties.at(0).threads.empty()) << "a shared state alone";
}

TEST(Tts, ATargetMayNameALocalStateThatNoThreadIsEverIn) {
  const model::Program program = parse("1 1\n", {.init = {}, .target = "0|7", .property = {}});
  EXPECT_EQ(program.properties.at(0).threads.size(), 1u);
}

TEST(Tts, RefusesWithThePlace) {
  EXPECT_EQ(error(""), "a.tts:1:1: error: expected the number of shared states, found the end of the text\n  \n  ^");
  EXPECT_EQ(error("0 1\n"), "a.tts:1:1: error: there must be at least one shared state\n  0 1\n  ^");
  EXPECT_EQ(error("1 0\n"), "a.tts:1:3: error: there must be at least one local state\n  1 0\n    ^");
  EXPECT_EQ(
      error("1 1 1\n"),
      "a.tts:1:5: error: expected the end of the line after the two numbers of states, found '1'\n  1 1 1\n      ^");
  EXPECT_EQ(error("1 1\n0 0 => 0 0\n"),
            "a.tts:2:5: error: expected '->', '+>' or '~>', found '='\n  0 0 => 0 0\n      ^");
  EXPECT_EQ(error("1 1\n1 0 -> 0 0\n"),
            "a.tts:2:1: error: shared state 1 is not below 1, the number of shared states\n  1 0 -> 0 0\n  ^");
  EXPECT_EQ(error("1 1\n0 0 -> 0 9\n"),
            "a.tts:2:10: error: local state 9 is not below 1, the number of local states\n  0 0 -> 0 9\n           ^");
  EXPECT_EQ(error("1 2\n0 0 +> 0 1 0 ~> 1\n"),
            "a.tts:2:12: error: expected the end of the line after a thread creation, found '0'\n  0 0 +> 0 1 0 ~> 1\n "
            "            ^");
  EXPECT_EQ(error("1 2\n0 0 -> 0 1 0 -> 1\n"),
            "a.tts:2:14: error: expected '~>' in a passive update, found '-'\n  0 0 -> 0 1 0 -> 1\n               ^");
  EXPECT_EQ(error("1 2\n0 0 -> 0\n"),
            "a.tts:2:9: error: expected a local state, found the end of the line\n  0 0 -> 0\n          ^");
  EXPECT_EQ(error("1 1\n0|0\n0|0\n"), "a.tts:3:2: error: a second target line in the same file\n  0|0\n   ^");
  EXPECT_EQ(error("1 1\n2|0\n"),
            "a.tts:2:1: error: shared state 2 is not below 1, the number of shared states\n  2|0\n  ^");
  EXPECT_EQ(error("1 99999999999\n"),
            "a.tts:1:3: error: the number of local states is larger than 4294967294\n  1 99999999999\n    ^");
}

TEST(Tts, RefusesInitialConfigurationsAndTargetsWithThePlace) {
  const auto init_error = [](const std::string& init) {
    return error("2 4\n", {.init = init, .target = {}, .property = {}});
  };
  EXPECT_EQ(init_error("0"),
            "--init:1:2: error: expected '|' or '/' after the shared state, found the end of the text\n  0\n   ^");
  EXPECT_EQ(init_error("2/0"),
            "--init:1:1: error: shared state 2 is not below 2, the number of shared states\n  2/0\n  ^");
  EXPECT_EQ(init_error("0|1/1"),
            "--init:1:5: error: local state 1 has both a fixed and any number of threads\n  0|1/1\n      ^");
  EXPECT_EQ(init_error("0/1,1"), "--init:1:5: error: local state 1 is listed twice\n  0/1,1\n      ^");
  EXPECT_EQ(init_error("0|1,"),
            "--init:1:5: error: expected a local state, found the end of the text\n  0|1,\n      ^");
  EXPECT_EQ(init_error("0/1|2"),
            "--init:1:4: error: expected ',', '/' or the end of the initial configuration, found '|'\n  0/1|2\n     ^");
  const auto target_error = [](const std::string& target) {
    return error("2 4\n", {.init = {}, .target = target, .property = {}});
  };
  EXPECT_EQ(target_error("0/1"), "--target:1:2: error: expected '|' after the shared state, found '/'\n  0/1\n   ^");
  EXPECT_EQ(target_error("0|1;"),
            "--target:1:4: error: expected ',' or the end of the target, found ';'\n  0|1;\n     ^");
  EXPECT_EQ(init_error("0|4"),
            "--init:1:3: error: local state 4 is not below 4, the number of local states\n  0|4\n    ^");
  EXPECT_EQ(error("1 1\n", {.init = {}, .target = {}, .property = text_file("a.prop", "0|0\n0|0\n")}),
            "a.prop:2:1: error: expected ',' or the end of the target, found '0'\n  0|0\n  ^");
}

TEST(Tts, SurvivesDamagedText) {
  const std::string seed = "# c\n3 4\n0 0 -> 1 1 2 ~> 3 2 ~> 2\n1 1 +> 2 2\n2 2 ~> 0 3\n0 0 -> 0 0\n1|2,2\n";
  std::mt19937_64 random(7);
  int accepted = 0;
  int refused = 0;
  for (int i = 0; i < 20000; ++i) {
    const std::string verdict = error(test::mutate(seed, random));
    (verdict == "accepted" ? accepted : refused) += 1;
    if (verdict != "accepted") {
      EXPECT_NE(verdict.find(": error: "), std::string::npos) << verdict;
    }
  }
  EXPECT_GT(accepted, 500);
  EXPECT_GT(refused, 500);
}

TEST(Tts, ReadsEveryBenchmark) {
  COHORT_NEED_BENCHMARKS(folder);
  std::size_t count = 0;
  for (const auto& path : test::files_below(*folder, ".tts")) {
    const model::Program program = load(read_source_file(path.string()), {});
    EXPECT_EQ(program.properties.size(), 1u) << path;
    ++count;
  }
  EXPECT_GE(count, 100u);
}

}  // namespace
}  // namespace cohort::frontend::tts
