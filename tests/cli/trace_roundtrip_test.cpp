// Random walks through all example programs, written as JSON and read back.
#include <filesystem>
#include <memory>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "cli/input_arguments.hpp"
#include "cli/walk.hpp"
#include "report/trace_json.hpp"
#include "report/trace_view.hpp"
#include "result/replay.hpp"

namespace cohort::test {
namespace {

std::vector<std::string> example_files() {
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(COHORT_SOURCE_DIR "/examples/bp")) {
    if (entry.path().extension() == ".bp") files.push_back(entry.path().string());
  }
  std::sort(files.begin(), files.end());
  return files;
}

model::Program load(const std::string& file, bool fill) {
  cli::InputArguments input;
  input.file = file;
  if (fill) input.options.initial = load::InitialCount{};
  Env env;
  return input.load_flat(env, [](const std::string&) {});
}

void walk_on(cli::Walk& walk, std::mt19937_64& random) {
  while (!walk.choices().empty() && walk.run().steps.size() < 40) walk.take(random() % walk.choices().size());
}

TEST(TraceRoundtrip, RandomWalksComeBackUnchanged) {
  const auto file = std::make_shared<const SourceFile>("walk.json", "");
  const auto files = example_files();
  ASSERT_GE(files.size(), 25U);
  std::size_t steps = 0;
  for (std::size_t i = 0; i < files.size() * 4; ++i) {
    const model::Program program = load(files[i / 4], i % 2 == 0);
    std::mt19937_64 random(i);
    cli::Walk walk(program, 3, random);
    walk_on(walk, random);
    const nlohmann::json trace = nlohmann::json::parse(report::trace_to_json(program, walk.run()).dump());
    const model::Run back = report::trace_from_json(program, 3, trace, file);
    EXPECT_EQ(back.initial, walk.run().initial) << files[i / 4];
    EXPECT_EQ(back.steps, walk.run().steps) << files[i / 4];
    steps += back.steps.size();
  }
  EXPECT_GT(steps, 1000U);
}

TEST(TraceRoundtrip, ThreadsKeepTheirNamesAndNoNameIsUsedTwice) {
  for (const std::string& file : example_files()) {
    const model::Program program = load(file, false);
    std::mt19937_64 random(7);
    cli::Walk walk(program, 3, random);
    walk_on(walk, random);
    const report::TraceView view = report::view_of(program, walk.run());
    const auto numbers = result::thread_names(walk.run());
    std::set<std::string> alive;
    std::set<std::string> used;
    for (const report::ThreadView& thread : view.threads) used.insert(thread.name);
    alive = used;
    for (std::size_t i = 0; i < view.steps.size(); ++i) {
      const report::StepView& step = view.steps[i];
      EXPECT_TRUE(alive.contains(step.thread)) << file;
      EXPECT_EQ(step.thread, report::thread_name(program, numbers[i][walk.run().steps[i].thread]));
      for (const report::ThreadView& thread : step.created) {
        EXPECT_TRUE(used.insert(thread.name).second) << file;
        alive.insert(thread.name);
      }
      for (const std::string& name : step.ended) EXPECT_EQ(alive.erase(name), 1U) << file;
    }
    EXPECT_EQ(alive.size(), walk.run().last().alive()) << file;
  }
}

TEST(Walk, UndoGoesBackToTheStart) {
  const model::Program program = load(COHORT_SOURCE_DIR "/examples/bp/worker_pool.bp", false);
  std::mt19937_64 random(3);
  cli::Walk walk(program, 3, random);
  const auto choices = walk.choices();
  walk_on(walk, random);
  const std::size_t length = walk.run().steps.size();
  ASSERT_GT(length, 3U);
  for (std::size_t i = 0; i < length; ++i) walk.undo();
  EXPECT_TRUE(walk.run().steps.empty());
  EXPECT_EQ(walk.choices(), choices);
  walk.undo();
  EXPECT_EQ(walk.choices(), choices);
}

}  // namespace
}  // namespace cohort::test
