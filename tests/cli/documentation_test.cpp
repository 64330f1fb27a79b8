#include <filesystem>
#include <iterator>
#include <map>
#include <regex>
#include <set>
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

// The texts of the scripts and tools that a document names, such as `bench/strategy/bench.py`.
std::string tools_named_in(const std::string& text) {
  const std::regex pattern("(?:bench|tests|scripts)/[A-Za-z0-9_./-]+\\.(?:py|sh)");
  std::string tools;
  for (std::sregex_iterator it(text.begin(), text.end(), pattern), end; it != end; ++it) {
    tools += read_whole(COHORT_SOURCE_DIR "/" + (*it)[0].str());
  }
  if (text.find("cohort_c_ir") != std::string::npos)
    tools += read_whole(COHORT_SOURCE_DIR "/tests/frontend/c/print_ir.cpp");
  return tools;
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

std::set<std::string> names_of(const option::Members& members, const engine::EngineOptions& options) {
  std::set<std::string> names;
  for (const option::Reference& option : option::options_of(options)) {
    if (members.contain(option)) names.insert(option.descriptor().long_name());
  }
  return names;
}

// docs/engines.md has a row in its table for each engine, and a section that names all options that the engine knows,
// and no other.  Engines that are one method in several forms share a section.
TEST(Documentation, SaysOfEachEngineWhatItKnows) {
  const std::string text = read_whole(COHORT_SOURCE_DIR "/docs/engines.md");
  const engine::EngineOptions options;
  std::map<std::string, std::set<std::string>> known;  // by the heading of the section
  for (const auto& engine : engine::engines()) {
    const std::string name(engine->name());
    EXPECT_TRUE(std::regex_search(text, std::regex("\n\\|[^|\n]*`" + name + "`[^\n]*\\|"))) << "no row for " << name;
    std::smatch heading;
    const bool found =
        std::regex_search(text, heading, std::regex("\n## ((?:[a-z-]+, )*" + name + "(?:, [a-z-]+)*)\n"));
    ASSERT_TRUE(found) << "no section for " << name;
    known[heading[1]].merge(names_of(engine->knows(options), options));
  }
  for (const auto& [heading, expected] : known) {
    const std::size_t begin = text.find("\n## " + heading + "\n");
    const std::string about = text.substr(begin, text.find("\n## ", begin + 1) - begin);
    const std::size_t list = about.find("**Options**");
    ASSERT_NE(list, std::string::npos) << heading << " has no list of options";
    const std::string sentence = about.substr(list, about.find("**", list + 12) - list);
    std::set<std::string> said;
    const std::regex pattern("`(--[a-z-]+)");
    for (std::sregex_iterator it(sentence.begin(), sentence.end(), pattern), end; it != end; ++it)
      said.insert((*it)[1]);
    EXPECT_EQ(said, expected) << heading;
  }
}

// docs/languages.md has every ending.
TEST(Documentation, LeavesOutNoLanguage) {
  const std::string text = read_whole(COHORT_SOURCE_DIR "/docs/languages.md");
  for (const load::FrontEnd& front_end : load::front_ends()) {
    EXPECT_THAT(text, HasSubstr("`" + std::string(front_end.ending) + "`")) << "docs/languages.md leaves out a format";
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

// What documents say of options is said of options that exist: of the program, or of a tool that the document names.
TEST(Documentation, NamesNoOptionThatIsNone) {
  const std::string options = cli::options_document();
  const std::regex pattern("`(?:cohort [a-z-]+ [^`\n]*)?(--[a-z][a-z0-9-]*)");
  std::size_t checked = 0;
  for (const std::string& path : documents()) {
    const std::string text = read_whole(path);
    const std::string tools = tools_named_in(text);
    for (std::sregex_iterator it(text.begin(), text.end(), pattern), end; it != end; ++it) {
      const std::string name = (*it)[1];
      bool exists = name == "--help" || name == "--version" || tools.find(name) != std::string::npos;
      for (const char* behind : {"`", " ", "[="})
        exists = exists || options.find("`" + name + behind) != std::string::npos;
      EXPECT_TRUE(exists) << path << " speaks of " << name;
      ++checked;
    }
  }
  EXPECT_GT(checked, 100U);
}

}  // namespace
}  // namespace cohort::test
