#include <regex>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/app.hpp"
#include "cli/run_program.hpp"

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

// What docs/cli.md says of options is said of options that exist.
TEST(Documentation, NamesNoOptionThatIsNone) {
  const std::string options = cli::options_document();
  const std::string text = read_whole(COHORT_SOURCE_DIR "/docs/cli.md");
  const std::regex pattern("`(--[a-z][a-z-]*)");
  for (std::sregex_iterator it(text.begin(), text.end(), pattern), end; it != end; ++it) {
    const std::string name = (*it)[1];
    if (name == "--help" || name == "--version") continue;
    const bool exists = options.find("`" + name + "`") != std::string::npos ||
                        options.find("`" + name + " ") != std::string::npos;
    EXPECT_TRUE(exists) << "docs/cli.md speaks of " << name;
  }
}

}  // namespace
}  // namespace cohort::test
