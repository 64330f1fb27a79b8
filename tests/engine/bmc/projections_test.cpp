#include "engine/projections.hpp"

#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "frontend/pbmc/pbmc.hpp"
#include "model/interpreter.hpp"

namespace cohort::engine {
namespace {

using ::testing::UnorderedElementsAre;

struct Listed {
  std::vector<std::string> texts;      // "P1 a = 1; P3 x = B[a]; ..."
  std::set<std::int64_t> last_values;  // of the first variable at their ends
  std::string others;
};

Listed list(const std::string& text, const std::vector<std::string>& names, std::uint32_t depth,
            std::size_t most = 100) {
  const model::Program program = frontend::pbmc::load(std::make_shared<const SourceFile>("t.pbmc", text));
  std::uint32_t threads = 0;
  for (const model::InitialThreads& group : program.initial) threads += group.count.value_or(0);
  const Task task{program, threads, {}};
  EXPECT_EQ(projections_refuse(task), std::nullopt);
  ProjectionQuery query{{}, depth, most};
  for (const std::string& name : names) {
    for (std::size_t i = 0; i < program.shared.size(); ++i) {
      if (program.shared[i].name == name) query.variables.emplace_back(i);
    }
  }
  Env env;
  const Projections found = list_projections(env, task, query);
  Listed result{{}, {}, found.others};
  for (const model::Run& run : found.runs) {
    std::string words;
    for (const model::Transition& step : run.steps) {
      const model::Edge& edge = program.edge(step.edge);
      words += (words.empty() ? "" : "; ") + program.templ(step.edge.templ).name + " " + edge.actions[0].text;
    }
    result.texts.push_back(words);
    result.last_values.insert(run.last().shared[program.shared[query.variables[0].value].slot]);
  }
  return result;
}

const std::string figure1 =
    "int a = 0, b = 1, x = 0, y = 0; int B[2] = {10, 11}; processes 3; property true;"
    "process P1 { l1: a = 1; } process P2 { l2: B[b] = 5; } process P3 { l3: x = B[a]; l4: y = x + 7; }";

TEST(Projections, ThoseOfThePapersFirstFigure) {
  const Listed found = list(figure1, {"y"}, 4);
  EXPECT_EQ(found.others, "");
  ASSERT_EQ(found.texts.size(), 3U);
  EXPECT_EQ(found.last_values, (std::set<std::int64_t>{17, 18, 12}));
  std::set<std::size_t> lengths;
  for (const std::string& text : found.texts)
    lengths.insert(static_cast<std::size_t>(std::count(text.begin(), text.end(), ';') + 1));
  EXPECT_EQ(lengths, (std::set<std::size_t>{2, 3, 4}));
  // Fewer steps leave fewer.
  EXPECT_EQ(list(figure1, {"y"}, 3).texts.size(), 2U);
  EXPECT_EQ(list(figure1, {"y"}, 1).texts.size(), 0U);
}

TEST(Projections, OfOtherVariablesAndUpToANumber) {
  EXPECT_THAT(list(figure1, {"a"}, 4).texts, UnorderedElementsAre("P1 a = 1"));
  EXPECT_THAT(list(figure1, {"x"}, 4).last_values, ::testing::ElementsAre(5, 10, 11));
  EXPECT_EQ(list(figure1, {"B"}, 4).texts.size(), 1U);
  // Of two variables: what influences the one or the other.
  EXPECT_EQ(list(figure1, {"a", "B"}, 4).texts.size(), 3U);
  const Listed cut = list(figure1, {"y"}, 4, 2);
  EXPECT_EQ(cut.texts.size(), 2U);
  EXPECT_EQ(cut.others, "more than 2");
}

TEST(Projections, ReachEveryValueThatExecutionsReach) {
  // Loops, choices, and a step that would fault.
  const std::string text =
      "int x = 0, y = 3, z = 0; processes 2; property true;"
      "process P { while (x < 3) { x = x + 1; z = 7; } } process Q { y = x * 10; y = y / x; if (*) { y = y + 1; } }";
  const model::Program program = frontend::pbmc::load(std::make_shared<const SourceFile>("t.pbmc", text));
  const model::Interpreter interpreter(program, 2);
  std::set<std::int64_t> reached;
  std::vector<model::State> layer = interpreter.initial_states();
  const std::uint32_t depth = 9;
  for (std::uint32_t i = 0; i < depth; ++i) {
    std::vector<model::State> next;
    for (const model::State& state : layer) {
      for (const model::Transition& step : interpreter.successors(state)) {
        if (step.fault) continue;
        reached.insert(step.target.shared[1]);
        next.push_back(step.target);
      }
    }
    std::sort(next.begin(), next.end());
    next.erase(std::unique(next.begin(), next.end()), next.end());
    layer = std::move(next);
  }
  std::set<std::int64_t> listed = list(text, {"y"}, depth, 10000).last_values;
  listed.insert(3);  // of the empty projection
  EXPECT_EQ(listed, reached);
}

}  // namespace
}  // namespace cohort::engine
