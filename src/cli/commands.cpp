#include "cli/abstract_command.hpp"
#include "cli/calls_command.hpp"
#include "cli/check_certificate_command.hpp"
#include "cli/command.hpp"
#include "cli/convert_command.hpp"
#include "cli/cover_command.hpp"
#include "cli/cutoff_command.hpp"
#include "cli/engines_command.hpp"
#include "cli/inspect_command.hpp"
#include "cli/invariants_command.hpp"
#include "cli/mcc_command.hpp"
#include "cli/options_command.hpp"
#include "cli/projections_command.hpp"
#include "cli/reach_command.hpp"
#include "cli/replay_command.hpp"
#include "cli/shell_commands.hpp"
#include "cli/simulate_command.hpp"
#include "cli/verify_command.hpp"

namespace cohort::cli {

std::vector<std::unique_ptr<Command>> all_commands() {
  std::vector<std::unique_ptr<Command>> commands;
  commands.push_back(std::make_unique<VerifyCommand>());
  commands.push_back(std::make_unique<ReachCommand>());
  commands.push_back(std::make_unique<CoverCommand>());
  commands.push_back(std::make_unique<CutoffCommand>());
  commands.push_back(std::make_unique<AbstractCommand>());
  commands.push_back(std::make_unique<InvariantsCommand>());
  commands.push_back(std::make_unique<ProjectionsCommand>());
  commands.push_back(std::make_unique<InspectCommand>());
  commands.push_back(std::make_unique<MccCommand>());
  commands.push_back(std::make_unique<ReplayCommand>());
  commands.push_back(std::make_unique<SimulateCommand>());
  commands.push_back(std::make_unique<ConvertCommand>());
  commands.push_back(std::make_unique<CheckCertificateCommand>());
  commands.push_back(std::make_unique<EnginesCommand>());
  commands.push_back(std::make_unique<CallsCommand>());
  commands.push_back(std::make_unique<OptionsCommand>());
  commands.push_back(std::make_unique<ManCommand>());
  commands.push_back(std::make_unique<CompletionCommand>());
  return commands;
}

}  // namespace cohort::cli
