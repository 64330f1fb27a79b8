#include "cli/options_command.hpp"

#include "cli/app.hpp"

namespace cohort::cli {

void OptionsCommand::declare(OptionTable&) {}

ExitCode OptionsCommand::run(Console& console) {
  console.out(options_document());
  return ExitCode::Safe;
}

}  // namespace cohort::cli
