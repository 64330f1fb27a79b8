#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/app.hpp"
#include "cli/run_program.hpp"

namespace cohort::test {
namespace {

using ::testing::HasSubstr;

// docs/cli.md has a section `## cohort NAME` for each command, with every option in backticks.
std::string section(const std::string& text, const std::string& command) {
  const std::size_t begin = text.find("\n## cohort " + command + "\n");
  if (begin == std::string::npos) return "";
  return text.substr(begin, text.find("\n## ", begin + 1) - begin);
}

TEST(Documentation, MentionsEveryOption) {
  const std::string text = read_whole(COHORT_SOURCE_DIR "/docs/cli.md");
  const auto options = cli::all_options();
  EXPECT_GT(options.size(), 40U);
  for (const cli::DocumentedOption& option : options) {
    if (option.name == "--help") continue;
    const std::string here = section(text, option.command);
    EXPECT_NE(here, "") << "docs/cli.md has no section for " << option.command;
    const bool mentioned = here.find("`" + option.name + "`") != std::string::npos ||
                           here.find("`" + option.name + " ") != std::string::npos ||
                           here.find(" " + option.name + "`") != std::string::npos;
    EXPECT_TRUE(mentioned) << "docs/cli.md does not describe " << option.name << " of " << option.command;
  }
}

TEST(Documentation, MentionsEveryCommandInTheReadme) {
  const std::string text = read_whole(COHORT_SOURCE_DIR "/README.md");
  std::set<std::string> commands;
  for (const cli::DocumentedOption& option : cli::all_options()) commands.insert(option.command);
  for (const std::string& command : commands) EXPECT_THAT(text, HasSubstr("cohort " + command));
}

}  // namespace
}  // namespace cohort::test
