#include "cli/calls_command.hpp"

#include "load/load.hpp"

namespace cohort::cli {

void CallsCommand::declare(OptionTable&) {}

ExitCode CallsCommand::run(Console& console) {
  console.out(load::c_calls_document());
  return ExitCode::Safe;
}

}  // namespace cohort::cli
