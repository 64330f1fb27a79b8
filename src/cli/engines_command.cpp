#include "cli/engines_command.hpp"

#include <fmt/core.h>

#include "engine/engine.hpp"
#include "load/load.hpp"

namespace cohort::cli {

void EnginesCommand::declare(OptionTable&) {}

ExitCode EnginesCommand::run(Console& console) {
  std::string text = "Engines, in the order in which `--engine auto` considers them:\n";
  for (const auto& engine : engine::engines()) {
    text += fmt::format("\n{}\n  {}\n  Takes: {}\n", engine->name(), engine->purpose(), engine->fragment());
  }
  text += "\nInput formats, by the ending of the file:\n\n";
  for (const load::FrontEnd& front_end : load::front_ends()) {
    text += fmt::format("  {:<6} {}\n", front_end.ending, front_end.purpose);
  }
  console.out(text);
  return ExitCode::Safe;
}

}  // namespace cohort::cli
