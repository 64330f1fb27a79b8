#include "cli/manual.hpp"

#include <algorithm>
#include <utility>

#include <fmt/core.h>
#include <CLI/CLI.hpp>

#include "base/version.hpp"

namespace cohort::cli {

namespace {

// What has a meaning to troff has none here: backslashes, hyphens that are minus signs, and dots and quotes that begin
// a line.
std::string escaped(const std::string& text) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const bool begins = i == 0 || text[i - 1] == '\n';
    if (begins && (c == '.' || c == '\'')) result += "\\&";
    if (c == '\\') {
      result += "\\e";
    } else if (c == '-') {
      result += "\\-";
    } else {
      result += c;
    }
  }
  return result;
}

std::string names_of(const CLI::Option& option) {
  std::string names;
  const std::string value = option.get_type_name();
  const auto add = [&](const std::string& name) {
    names += (names.empty() ? "\\fB" : ", \\fB") + escaped(name) + "\\fR";
  };
  for (const std::string& name : option.get_snames()) add("-" + name);
  for (const std::string& name : option.get_lnames()) add("--" + name);
  if (names.empty()) return "\\fI" + escaped(option.get_name()) + "\\fR";
  return value.empty() ? names : names + " \\fI" + escaped(value) + "\\fR";
}

std::string option_entry(const CLI::Option& option) {
  const std::string usual = option.get_default_str();
  return fmt::format(".TP\n{}\n{}{}\n", names_of(option), escaped(option.get_description()),
                     usual.empty() ? "" : escaped(fmt::format(" [{}]", usual)));
}

std::string command_section(const CLI::App& command) {
  std::string text =
      fmt::format(".SS cohort {}\n{}.\n", escaped(command.get_name()), escaped(command.get_description()));
  std::vector<std::pair<std::string, std::string>> groups;
  for (const CLI::Option* option : command.get_options()) {
    if (option->get_name() == "--help") continue;
    const std::string group = option->get_positional() ? "Arguments" : option->get_group();
    auto it = std::find_if(groups.begin(), groups.end(), [&](const auto& entry) { return entry.first == group; });
    if (it == groups.end()) it = groups.insert(groups.end(), {group, ""});
    it->second += option_entry(*option);
  }
  for (const auto& [group, entries] : groups) text += fmt::format(".PP\n{}:\n{}", escaped(group), entries);
  if (!command.get_footer().empty()) text += ".PP\n.nf\n" + escaped(command.get_footer()) + "\n.fi\n";
  return text;
}

}  // namespace

std::string manual_page(const CLI::App& app, const std::vector<CLI::App*>& commands) {
  std::string text = fmt::format(".TH COHORT 1 \"2026-11-17\" \"Cohort {}\" \"User Commands\"\n", version());
  text += ".SH NAME\ncohort \\- model checker for programs in which many threads run the same code\n";
  text +=
      ".SH SYNOPSIS\n.B cohort\n\\fICOMMAND\\fR [\\fIOPTIONS\\fR] \\fIARGUMENTS\\fR\n.br\n.B cohort\n\\-\\-help | "
      "\\-\\-version\n";
  text += ".SH DESCRIPTION\n" + escaped(app.get_description()) + "\n.SH COMMANDS\n";
  for (const CLI::App* command : commands) text += command_section(*command);
  text += ".SH EXIT STATUS\n";
  for (const auto& [code, meaning] : {std::pair{0, "SAFE, or the success of a command that gives no verdict"},
                                      std::pair{10, "UNSAFE"}, std::pair{5, "UNKNOWN"}, std::pair{1, "bad usage"},
                                      std::pair{2, "malformed input"}, std::pair{6, "internal error, no verdict"}}) {
    text += fmt::format(".TP\n{}\n{}\n", code, meaning);
  }
  return text;
}

}  // namespace cohort::cli
