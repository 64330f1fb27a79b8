#include "cli/app.hpp"

#include <exception>
#include <memory>
#include <new>

#include <fmt/core.h>
#include <CLI/CLI.hpp>

#include "base/contract.hpp"
#include "base/source.hpp"
#include "base/version.hpp"
#include "cli/command.hpp"
#include "cli/usage_error.hpp"

namespace cohort::cli {

namespace {

constexpr const char* description =
    "Cohort checks concurrent programs in which many threads run the same code.\n"
    "It answers SAFE, UNSAFE with an interleaving that can be replayed, or UNKNOWN with the reason.";

constexpr const char* footer =
    "`cohort COMMAND --help` describes one command.\n"
    "Exit codes: 0 SAFE or success, 10 UNSAFE, 5 UNKNOWN, 1 bad usage, 2 malformed input, 6 internal error.";

struct Grammar {
  CLI::App app{description, "cohort"};
  std::vector<std::unique_ptr<Command>> commands = all_commands();
  std::vector<CLI::App*> subcommands;

  Grammar() {
    app.set_version_flag("--version", std::string(version()), "Print the version and exit");
    app.footer(footer);
    app.require_subcommand(1);
    for (const auto& command : commands) {
      CLI::App* sub = app.add_subcommand(command->name(), command->summary());
      OptionTable table(*sub);
      command->declare(table);
      sub->footer("Examples:\n" + command->examples());
      subcommands.push_back(sub);
    }
  }
};

int run_command(Grammar& grammar, Console& console) {
  for (std::size_t i = 0; i < grammar.commands.size(); ++i) {
    if (grammar.subcommands[i]->parsed()) return static_cast<int>(grammar.commands[i]->run(console));
  }
  COHORT_UNREACHABLE("CLI11 has seen to it that there is a command");
}

int run_guarded(Grammar& grammar, Console& console) {
  try {
    return run_command(grammar, console);
  } catch (const UsageError& error) {
    console.error(fmt::format("cohort: {}", error.what()));
    return static_cast<int>(ExitCode::Usage);
  } catch (const InputError& error) {
    console.error(error.render());
    return static_cast<int>(error.kind() == InputError::Kind::Malformed ? ExitCode::Malformed : ExitCode::Unknown);
  } catch (const std::bad_alloc&) {
    console.error("cohort: out of memory");
    return static_cast<int>(ExitCode::Unknown);
  } catch (const OutputError& error) {
    console.error(fmt::format("cohort: {}", error.what()));
    return static_cast<int>(ExitCode::Internal);
  } catch (const std::exception& error) {
    console.error(
        fmt::format("cohort: internal error: {}\nThis is a bug of Cohort; no verdict was given.", error.what()));
    return static_cast<int>(ExitCode::Internal);
  }
}

}  // namespace

int run(int argc, const char* const* argv) {
  Grammar grammar;
  try {
    grammar.app.parse(argc, argv);
  } catch (const CLI::Success& success) {
    return grammar.app.exit(success);
  } catch (const CLI::ParseError& error) {
    grammar.app.exit(error);
    return static_cast<int>(ExitCode::Usage);
  }
  Console console;
  return run_guarded(grammar, console);
}

std::vector<DocumentedOption> all_options() {
  std::vector<DocumentedOption> options;
  const Grammar grammar;
  for (const CLI::App* sub : grammar.subcommands) {
    for (const CLI::Option* option : sub->get_options()) {
      const auto& names = option->get_lnames();
      options.push_back({sub->get_name(), names.empty() ? option->get_name() : "--" + names[0]});
    }
  }
  return options;
}

}  // namespace cohort::cli
