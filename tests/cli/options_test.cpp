// Options with owners, as users meet them: every option of every table is on the command line and in help, is refused
// by name where it means nothing, and is written down in one place of the sources only.
#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "cli/run_program.hpp"
#include "engine/engine.hpp"
#include "load/load.hpp"

namespace cohort::test {
namespace {

using ::testing::HasSubstr;

const std::string example = COHORT_SOURCE_DIR "/examples/bp/test_then_set.bp";

// The option as it could stand on a command line.
std::vector<std::string> on_the_command_line(const option::Reference& option) {
  const std::string name = option.descriptor().long_name();
  if (option.descriptor().kind == option::Kind::Switch) return {name};
  for (const char* value :
       {"1", "32", "bfs", "bits", "classic", "index", "report", "statement", "assertions", "c1", "off", "x"}) {
    try {
      option.parse(value);
      return {name, value};
    } catch (const option::Refused&) {
      continue;
    }
  }
  ADD_FAILURE() << "no value for " << name;
  return {};
}

std::vector<std::string> with(std::vector<std::string> arguments, const std::vector<std::string>& more) {
  arguments.insert(arguments.end(), more.begin(), more.end());
  return arguments;
}

TEST(Options, OfEnginesAreRefusedByThoseThatDoNotKnowThem) {
  std::size_t refused = 0;
  for (const auto& engine : engine::engines()) {
    engine::EngineOptions options;
    for (const option::Reference& option : option::options_of(options)) {
      if (engine->knows(options).contain(option)) continue;
      const auto given = on_the_command_line(option);
      const Outcome outcome = run_program(with({"verify", example, "--engine", std::string(engine->name())}, given));
      EXPECT_EQ(outcome.exit_code, 1) << engine->name() << " " << given[0];
      EXPECT_THAT(outcome.err, HasSubstr("does not know " + given[0] + "; it means something to "));
      EXPECT_EQ(outcome.out, "");
      ++refused;
    }
  }
  EXPECT_GT(refused, 50U);
}

TEST(Options, OfEnginesAreTakenByThoseThatKnowThem) {
  for (const std::vector<std::string>& arguments : std::vector<std::vector<std::string>>{
           {"--engine", "explicit", "--por", "--no-symmetry", "--search", "dfs"},
           {"--engine", "symbolic", "--por", "--no-symmetry", "--no-merging", "--reorder"},
           {"--engine", "bmc", "--no-symmetry", "--mpor", "--depth", "1..30", "--int", "bits"},
           {"--engine", "auto", "--por"},
           {"--engine", "explicit", "--no-por"},
           {"--no-por"},
           {"--por", "--no-symmetry"}}) {
    const Outcome outcome = run_program(with({"verify", example, "--threads", "2"}, arguments));
    EXPECT_EQ(outcome.exit_code, 10) << arguments[1] << " " << outcome.err;
  }
}

TEST(Options, ThatContradictEachOtherAreRefused) {
  EXPECT_EQ(run_program({"verify", example, "--por", "--no-por"}).exit_code, 1);
}

// A value that is the usual one is given all the same.
TEST(Options, AreRefusedWhateverTheirValue) {
  EXPECT_EQ(run_program({"verify", example, "--engine", "explicit", "--int", "bits"}).exit_code, 1);
  EXPECT_EQ(run_program({"verify", example, "--interleave", "access"}).exit_code, 1);
  EXPECT_EQ(run_program({"verify", example, "--heap-pool", "4"}).exit_code, 1);
}

TEST(Options, OfFormatsAreRefusedByTheOthers) {
  load::Options options;
  for (const option::Reference& option : option::options_of(options)) {
    if (option.descriptor().names == "MORE") continue;
    for (const load::FrontEnd& front_end : load::front_ends()) {
      const auto refusal = load::refuses("a" + std::string(front_end.ending), options, {option});
      EXPECT_EQ(refusal.has_value(), !front_end.knows(options).contain(option));
      EXPECT_THAT(refusal.value_or(" means nothing for "), HasSubstr(" means nothing for "));
    }
  }
}

TEST(Options, AreInHelp) {
  const std::string help = run_program({"verify", "--help"}).out;
  for (const option::Descriptor& option : option::describe<engine::EngineOptions>())
    EXPECT_THAT(help, HasSubstr(option.names));
  for (const option::Descriptor& option : option::describe<load::Options>()) EXPECT_THAT(help, HasSubstr(option.names));
}

TEST(Options, GoIntoTheDocument) {
  const Outcome outcome = run_program({"verify", example, "--threads", "2", "--engine", "bmc", "--contexts", "4",
                                       "--depth", "9", "--format", "json", "--zero-init"});
  const auto task = nlohmann::json::parse(outcome.out)["task"];
  EXPECT_EQ(task["engine"], (nlohmann::json{{"name", "bmc"}, {"contexts", 4}, {"depth", 9}}));
  EXPECT_EQ(task["zero_init"], true);
  EXPECT_TRUE(task["c"].is_null());
  EXPECT_EQ(task.size(), option::describe<load::Options>().size() - option::describe<frontend::c::Options>().size() + 6)
      << "file, threads, determinize, only, c and engine besides the options";
}

// Adding an option is one line in one file, so its name is written down once.
TEST(Options, AreWrittenDownOnce) {
  std::string sources;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(COHORT_SOURCE_DIR "/src")) {
    const std::string ending = entry.path().extension();
    if (entry.path().filename() == "option.hpp") continue;  // has an example
    if (ending == ".hpp" || ending == ".cpp") sources += read_whole(entry.path().string());
  }
  const auto expect_once = [&](const option::Descriptor& option) {
    const std::string name = "{\"" + option.names + "\",";
    const std::size_t first = sources.find(name);
    ASSERT_NE(first, std::string::npos) << name;
    EXPECT_EQ(sources.find(name, first + 1), std::string::npos) << name << " stands in the sources twice";
  };
  for (const option::Descriptor& option : option::describe<engine::EngineOptions>()) expect_once(option);
  for (const option::Descriptor& option : option::describe<load::Options>()) {
    if (option.names != "MORE") expect_once(option);
  }
}

}  // namespace
}  // namespace cohort::test
