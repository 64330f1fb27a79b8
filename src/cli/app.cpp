#include "cli/app.hpp"

#include <algorithm>
#include <exception>
#include <map>
#include <memory>
#include <new>

#include <fmt/core.h>
#include <CLI/CLI.hpp>

#include "base/contract.hpp"
#include "base/env.hpp"
#include "base/source.hpp"
#include "base/version.hpp"
#include "cli/command.hpp"
#include "cli/compiler_flags.hpp"
#include "cli/completion.hpp"
#include "cli/error_document.hpp"
#include "cli/manual.hpp"
#include "cli/suggestion.hpp"
#include "cli/unheard.hpp"
#include "cli/usage_error.hpp"

namespace cohort::cli {

namespace {

constexpr const char* description =
    "Cohort checks concurrent programs in which many threads run the same code.\n"
    "It answers SAFE, UNSAFE with an interleaving that can be replayed, or UNKNOWN with the reason.";

constexpr const char* footer =
    "`cohort COMMAND --help` describes one command.\n"
    "Exit codes: 0 SAFE or success, 10 UNSAFE, 5 UNKNOWN, 1 bad usage, 2 malformed input, 6 internal error.";

// Declaring all options of all commands takes longer than deciding a small program: where the command is known, only
// its own are declared.
struct Grammar {
  CLI::App app{description, "cohort"};
  std::vector<std::unique_ptr<Command>> commands = all_commands();
  std::vector<CLI::App*> subcommands;

  // `first` is the first word of the command line; what is no command declares all.
  explicit Grammar(const std::string& first = "") {
    const bool known =
        std::any_of(commands.begin(), commands.end(), [&](const auto& one) { return one->name() == first; });
    app.set_version_flag("--version", fmt::format("{}\n{}", version(), build_facts()),
                         "Print the version, and below it facts about the build, and exit");
    app.footer(footer);
    app.require_subcommand(1);
    for (const auto& command : commands) {
      CLI::App* sub = app.add_subcommand(command->name(), command->summary());
      subcommands.push_back(sub);
      if (known && command->name() != first) continue;
      OptionTable table(*sub);
      command->declare(table);
      sub->footer("Examples:\n" + command->examples());
    }
  }
};

std::string in_a_table(std::string text) {
  for (std::size_t at = 0; (at = text.find('|', at)) != std::string::npos; at += 2) text.insert(at, "\\");
  return text;
}

// One line of the table: names with the value, and what the option does.
std::string describe_option(const CLI::Option& option) {
  std::string names;
  const std::string value = option.get_type_name();
  const auto add = [&](const std::string& name) {
    names += fmt::format("{}`{}{}`", names.empty() ? "" : ", ", name, value.empty() ? "" : " " + value);
  };
  for (const std::string& name : option.get_snames()) add("-" + name);
  for (const std::string& name : option.get_lnames()) add("--" + name);
  if (names.empty()) names = "`" + option.get_name() + "`";
  const std::string usual = option.get_default_str();
  return fmt::format("| {} | {}{} |\n", in_a_table(names), in_a_table(option.get_description()),
                     usual.empty() ? "" : fmt::format(" [{}]", usual));
}

// A table for each group; one that another command has, too, is named only.
std::string describe_command(const CLI::App& command, std::map<std::string, std::string>& described) {
  std::vector<std::pair<std::string, std::string>> groups;
  for (const CLI::Option* option : command.get_options()) {
    if (option->get_name() == "--help") continue;
    const std::string group = option->get_positional() ? "Arguments" : option->get_group();
    const auto same = [&](const auto& entry) { return entry.first == group; };
    auto it = std::find_if(groups.begin(), groups.end(), same);
    if (it == groups.end()) it = groups.insert(groups.end(), {group, ""});
    it->second += describe_option(*option);
  }
  std::string text = fmt::format("\n## cohort {}\n\n{}.\n", command.get_name(), command.get_description());
  for (const auto& [group, table] : groups) {
    const auto [first, is_new] = described.emplace(group + table, command.get_name());
    if (is_new) {
      text += fmt::format("\n{}:\n\n| option | meaning |\n|---|---|\n{}", group, table);
    } else {
      text += fmt::format("\n{}: as for `cohort {}`.\n", group, first->second);
    }
  }
  return text;
}

// None: the command line has not been understood that far.
Command* chosen(const Grammar& grammar) {
  for (std::size_t i = 0; i < grammar.commands.size(); ++i) {
    if (grammar.subcommands[i]->parsed()) return grammar.commands[i].get();
  }
  return nullptr;
}

// There is no answer; those who asked for a document get one that says so.
int give_up(const Grammar& grammar, Console& console, const std::string& shown, const ErrorReport& error) {
  const Command* command = chosen(grammar);
  if (command != nullptr && command->prints_json()) {
    // Where even that cannot be written, the exit code has to do.
    try {
      console.out(error_document(error));
    } catch (const OutputError&) {
      console.error("cohort: cannot write to standard output");
    }
  }
  console.error(shown);
  return static_cast<int>(error.exit_code);
}

int give_up_on_input(const Grammar& grammar, Console& console, const InputError& error) {
  const bool malformed = error.kind() == InputError::Kind::Malformed;
  return give_up(grammar, console, error.render(),
                 {malformed ? "malformed" : "unsupported", error.what(),
                  malformed ? ExitCode::Malformed : ExitCode::Unknown, error.span()});
}

int stop(const Grammar& grammar, Console& console, const Stopped& stopped) {
  const Command* command = chosen(grammar);
  COHORT_EXPECT(command != nullptr, "only commands stop at limits");
  say_stopped(*command, console, stopped.what());
  return static_cast<int>(ExitCode::Unknown);
}

// Of words that nobody knows, which were probably meant.
std::string suggestions(const Grammar& grammar, int argc, const char* const* argv) {
  std::vector<std::string> names;
  for (const CLI::App* command : grammar.subcommands) names.push_back(command->get_name());
  const std::string first = argc > 1 ? argv[1] : "";
  const auto command = std::find(names.begin(), names.end(), first);
  if (command == names.end()) {
    const std::string meant = first.starts_with('-') ? "" : nearest(first, names);
    return meant.empty() ? "" : fmt::format("There is no command {}. Did you mean {}?", first, meant);
  }
  std::vector<std::string> options = {"--help"};
  for (const CLI::Option* option :
       grammar.subcommands[static_cast<std::size_t>(command - names.begin())]->get_options()) {
    for (const std::string& name : option->get_lnames()) options.push_back("--" + name);
  }
  std::string text;
  for (int i = 2; i < argc; ++i) {
    const std::string written = std::string(argv[i]).substr(0, std::string(argv[i]).find('='));
    if (!written.starts_with("--") || std::find(options.begin(), options.end(), written) != options.end()) continue;
    const std::string meant = nearest(written, options);
    if (!meant.empty())
      text += fmt::format("{}There is no option {}. Did you mean {}?", text.empty() ? "" : "\n", written, meant);
  }
  return text;
}

int run_guarded(Grammar& grammar, Console& console, int argc, const char* const* argv) {
  try {
    std::vector<std::string> arguments = without_compiler_flags({argv + 1, argv + argc});
    std::reverse(arguments.begin(), arguments.end());  // as CLI11 wants them
    grammar.app.parse(std::move(arguments));
    Command* command = chosen(grammar);
    COHORT_EXPECT(command != nullptr, "CLI11 has seen to it that there is a command");
    const auto* const name = std::find(argv, argv + argc, command->name());
    command->set_arguments({std::min(name + 1, argv + argc), argv + argc});
    return static_cast<int>(command->run(console));
  } catch (const CLI::Success& success) {
    return grammar.app.exit(success);
  } catch (const CLI::ParseError& error) {
    grammar.app.exit(error);
    if (const std::string meant = suggestions(grammar, argc, argv); !meant.empty()) console.error(meant);
    return static_cast<int>(ExitCode::Usage);
  } catch (const Stopped& stopped) {
    return stop(grammar, console, stopped);
  } catch (const UsageError& error) {
    return give_up(grammar, console, fmt::format("cohort: {}", error.what()), {"usage", error.what(), ExitCode::Usage});
  } catch (const InputError& error) {
    return give_up_on_input(grammar, console, error);
  } catch (const std::bad_alloc&) {
    return give_up(grammar, console, "cohort: out of memory", {"memory", "out of memory", ExitCode::Unknown});
  } catch (const OutputError& error) {
    console.error(fmt::format("cohort: {}", error.what()));
    return static_cast<int>(ExitCode::Internal);
  } catch (const std::exception& error) {
    return give_up(
        grammar, console,
        fmt::format("cohort: internal error: {}\nThis is a bug of Cohort; no verdict was given.", error.what()),
        {"internal", error.what(), ExitCode::Internal});
  }
}

}  // namespace

int run(int argc, const char* const* argv) {
  Grammar grammar(argc > 1 ? argv[1] : "");
  Console console;
  return run_guarded(grammar, console, argc, argv);
}

std::vector<std::string> command_names() {
  std::vector<std::string> names;
  for (const auto& command : all_commands()) names.push_back(command->name());
  return names;
}

std::string options_document() {
  const Grammar grammar;
  std::string text =
      "# Options\n\nEvery option of every command, as `cohort options` lists them: made from the tables of their "
      "owners, and compared "
      "with them by a test.\nIn parentheses: the formats or the engines to which the option means something. It is "
      "refused elsewhere. "
      "[cli.md](cli.md) explains the commands.\n";
  std::map<std::string, std::string> described;  // group and its table: the first command that has it
  for (const CLI::App* command : grammar.subcommands) text += describe_command(*command, described);
  return text;
}

std::string manual() {
  const Grammar grammar;
  return manual_page(grammar.app, grammar.subcommands);
}

std::string completion(const std::string& shell) {
  const Grammar grammar;
  return completion_script(shell, grammar.subcommands);
}

}  // namespace cohort::cli
