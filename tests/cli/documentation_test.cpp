#include <filesystem>
#include <iterator>
#include <regex>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/app.hpp"
#include "cli/run_program.hpp"
#include "engine/engine.hpp"
#include "load/load.hpp"

namespace cohort::test {
namespace {

using ::testing::HasSubstr;

// docs/cli.md has a section `## cohort NAME` for each command.
std::string section(const std::string& text, const std::string& command) {
  const std::size_t begin = text.find("\n## cohort " + command + "\n");
  if (begin == std::string::npos) return "";
  return text.substr(begin, text.find("\n## ", begin + 1) - begin);
}

TEST(Documentation, OptionsAreThoseOfTheProgram) {
  EXPECT_EQ(run_program({"options"}).out, read_whole(COHORT_SOURCE_DIR "/docs/options.md"))
      << "write it anew: cohort options > docs/options.md";
}

TEST(Documentation, EveryCommandHasItsSection) {
  const std::string text = read_whole(COHORT_SOURCE_DIR "/docs/cli.md");
  const std::string readme = read_whole(COHORT_SOURCE_DIR "/README.md");
  for (const std::string& command : cli::command_names()) {
    EXPECT_NE(section(text, command), "") << "docs/cli.md has no section for " << command;
    EXPECT_THAT(readme, HasSubstr("cohort " + command));
  }
}

std::vector<std::string> documents() {
  std::vector<std::string> paths = {COHORT_SOURCE_DIR "/README.md", COHORT_SOURCE_DIR "/CONTRIBUTING.md"};
  for (const auto& entry : std::filesystem::directory_iterator(COHORT_SOURCE_DIR "/docs")) {
    if (entry.path().extension() == ".md") paths.push_back(entry.path().string());
  }
  return paths;
}

// Files and folders that a document names are there.
TEST(Documentation, NamesNoFileThatIsNotThere) {
  const std::regex pattern("`((src|tests|bench|docs|examples|scripts)/[A-Za-z0-9_./-]*)`");
  std::size_t checked = 0;
  for (const std::string& path : documents()) {
    const std::string text = read_whole(path);
    for (std::sregex_iterator it(text.begin(), text.end(), pattern), end; it != end; ++it) {
      const std::string name = (*it)[1];
      EXPECT_TRUE(std::filesystem::exists(std::string(COHORT_SOURCE_DIR "/") + name)) << path << " names " << name;
      ++checked;
    }
  }
  EXPECT_GT(checked, 10U);
}

// Links between documents lead somewhere.
TEST(Documentation, HasNoDeadLinks) {
  const std::regex pattern("\\]\\(([A-Za-z0-9_./-]+\\.(md|txt))\\)");
  for (const std::string& path : documents()) {
    const std::string text = read_whole(path);
    for (std::sregex_iterator it(text.begin(), text.end(), pattern), end; it != end; ++it) {
      const auto target = std::filesystem::path(path).parent_path() / (*it)[1].str();
      EXPECT_TRUE(std::filesystem::exists(target)) << path << " links to " << (*it)[1];
    }
  }
}

// Every folder of the sources, every engine and every format has its place in the description of the whole.
TEST(Documentation, LeavesOutNoPart) {
  const std::string architecture = read_whole(COHORT_SOURCE_DIR "/docs/architecture.md");
  for (const char* parent : {"", "engine/", "frontend/"}) {
    for (const auto& entry : std::filesystem::directory_iterator(std::string(COHORT_SOURCE_DIR "/src/") + parent)) {
      if (!entry.is_directory()) continue;
      const std::string folder = parent + entry.path().filename().string();
      EXPECT_THAT(architecture, ::testing::AnyOf(HasSubstr(folder), HasSubstr("**" + entry.path().filename().string())))
          << "docs/architecture.md leaves out src/" << folder;
    }
  }
  for (const load::FrontEnd& front_end : load::front_ends()) {
    EXPECT_THAT(architecture, HasSubstr(std::string(front_end.ending))) << "docs/architecture.md leaves out a format";
  }
  for (const auto& engine : engine::engines()) {
    EXPECT_THAT(architecture, HasSubstr(std::string(engine->name()))) << "docs/architecture.md leaves out an engine";
  }
}

// `$ cohort ...` in a document, with what is below it up to `...` or the end of the block.
TEST(Documentation, ShowsWhatTheProgramPrints) {
  const std::regex pattern("\n\\$ (?:build/)?cohort ([^\n]*)\n([^$`]*)");
  std::size_t shown = 0;
  for (const std::string& path : documents()) {
    const std::string text = read_whole(path);
    for (std::sregex_iterator it(text.begin(), text.end(), pattern), end; it != end; ++it) {
      std::istringstream words((*it)[1].str());
      const std::vector<std::string> arguments{std::istream_iterator<std::string>(words), {}};
      std::string expected = (*it)[2];
      const std::size_t rest = expected.find("...\n");
      if (rest != std::string::npos) expected.erase(rest);
      const Outcome outcome = run_program(arguments);
      EXPECT_THAT(outcome.exit_code, ::testing::AnyOf(0, 10)) << path << ": " << (*it)[1];
      EXPECT_THAT(outcome.out, ::testing::StartsWith(expected)) << path << ": " << (*it)[1];
      ++shown;
    }
  }
  EXPECT_GT(shown, 3U);
}

// What docs/cli.md says of options is said of options that exist.
TEST(Documentation, NamesNoOptionThatIsNone) {
  const std::string options = cli::options_document();
  const std::string text = read_whole(COHORT_SOURCE_DIR "/docs/cli.md");
  const std::regex pattern("`(--[a-z][a-z-]*)");
  for (std::sregex_iterator it(text.begin(), text.end(), pattern), end; it != end; ++it) {
    const std::string name = (*it)[1];
    if (name == "--help" || name == "--version") continue;
    const bool exists =
        options.find("`" + name + "`") != std::string::npos || options.find("`" + name + " ") != std::string::npos;
    EXPECT_TRUE(exists) << "docs/cli.md speaks of " << name;
  }
}

}  // namespace
}  // namespace cohort::test
