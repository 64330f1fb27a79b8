#include "cli/completion.hpp"

#include <fmt/core.h>
#include <CLI/CLI.hpp>

#include "base/contract.hpp"

namespace cohort::cli {

namespace {

// All names of an option, with their dashes.
std::vector<std::string> names_of(const CLI::Option& option) {
  std::vector<std::string> names;
  for (const std::string& name : option.get_snames()) names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) names.push_back("--" + name);
  return names;
}

bool takes_value(const CLI::Option& option) {
  return option.get_items_expected_max() > 0;
}

// Within single quotes, as all three shells read them but for the quote itself.
std::string in_quotes(const std::string& text) {
  std::string result = "'";
  for (const char c : text) result += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return result + "'";
}

std::string bash_script(const std::vector<CLI::App*>& commands) {
  std::string names;
  std::string cases;
  for (const CLI::App* command : commands) {
    names += (names.empty() ? "" : " ") + command->get_name();
    std::string options;
    std::string valued;
    for (const CLI::Option* option : command->get_options()) {
      for (const std::string& name : names_of(*option)) {
        options += " " + name;
        if (takes_value(*option)) valued += " " + name;
      }
    }
    cases += fmt::format("    {}) options={} valued={} ;;\n", command->get_name(), in_quotes(options),
                         in_quotes(valued + " "));
  }
  return fmt::format(
      "# Completion of cohort for bash.\n"
      "_cohort() {{\n"
      "  local word=${{COMP_WORDS[COMP_CWORD]}} previous=${{COMP_WORDS[COMP_CWORD-1]}} options= valued=\n"
      "  COMPREPLY=()\n"
      "  if ((COMP_CWORD == 1)); then\n"
      "    COMPREPLY=($(compgen -W '{} --help --version' -- \"$word\"))\n"
      "    return\n"
      "  fi\n"
      "  case ${{COMP_WORDS[1]}} in\n{}  esac\n"
      "  if [[ $word == -* && $valued != *\" $previous \"* ]]; then\n"
      "    COMPREPLY=($(compgen -W \"$options\" -- \"$word\"))\n"
      "  else\n"
      "    compopt -o filenames 2>/dev/null\n"
      "    mapfile -t COMPREPLY < <(compgen -f -- \"$word\")\n"
      "  fi\n"
      "}}\n"
      "complete -F _cohort cohort\n",
      names, cases);
}

// In the specifications of _arguments, colons and brackets have a meaning.
std::string zsh_text(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (c == ':' || c == '[' || c == ']' || c == '\\') result += '\\';
    result += c;
  }
  return result;
}

std::string zsh_script(const std::vector<CLI::App*>& commands) {
  std::string list;
  std::string cases;
  for (const CLI::App* command : commands) {
    list += "    " + in_quotes(zsh_text(command->get_name()) + ":" + zsh_text(command->get_description())) + "\n";
    cases += fmt::format("    {}) _arguments", command->get_name());
    for (const CLI::Option* option : command->get_options()) {
      for (const std::string& name : names_of(*option)) {
        const std::string value = takes_value(*option) ? ":" + zsh_text(option->get_type_name()) + ":_files" : "";
        cases += " \\\n        " + in_quotes("*" + name + "[" + zsh_text(option->get_description()) + "]" + value);
      }
    }
    cases += " \\\n        '*:file:_files' ;;\n";
  }
  return fmt::format(
      "#compdef cohort\n"
      "# Completion of cohort for zsh.\n"
      "_cohort() {{\n"
      "  local -a commands\n"
      "  commands=(\n{}  )\n"
      "  if ((CURRENT == 2)); then\n"
      "    _describe command commands\n"
      "    return\n"
      "  fi\n"
      "  local command=$words[2]\n"
      "  shift words\n"
      "  ((CURRENT--))\n"
      "  case $command in\n{}  esac\n"
      "}}\n"
      "if [[ $funcstack[1] == _cohort ]]; then _cohort \"$@\"; else compdef _cohort cohort; fi\n",
      list, cases);
}

// Within single quotes of fish, a backslash escapes itself and the quote.
std::string fish_quoted(const std::string& text) {
  std::string result = "'";
  for (const char c : text) {
    if (c == '\'' || c == '\\') result += '\\';
    result += c;
  }
  return result + "'";
}

std::string fish_script(const std::vector<CLI::App*>& commands) {
  std::string text = "# Completion of cohort for fish.\n";
  for (const CLI::App* command : commands) {
    text += fmt::format("complete -c cohort -n __fish_use_subcommand -f -a {} -d {}\n", command->get_name(),
                        fish_quoted(command->get_description()));
    for (const CLI::Option* option : command->get_options()) {
      if (option->get_positional()) continue;
      text += fmt::format("complete -c cohort -n '__fish_seen_subcommand_from {}'", command->get_name());
      for (const std::string& name : option->get_snames()) text += " -s " + name;
      for (const std::string& name : option->get_lnames()) text += " -l " + name;
      text += fmt::format("{} -d {}\n", takes_value(*option) ? " -r" : "", fish_quoted(option->get_description()));
    }
  }
  return text;
}

}  // namespace

const std::vector<std::string>& completed_shells() {
  static const std::vector<std::string> all = {"bash", "zsh", "fish"};
  return all;
}

std::string completion_script(const std::string& shell, const std::vector<CLI::App*>& commands) {
  if (shell == "bash") return bash_script(commands);
  if (shell == "zsh") return zsh_script(commands);
  COHORT_EXPECT(shell == "fish", "the shell is one of those that are known");
  return fish_script(commands);
}

}  // namespace cohort::cli
