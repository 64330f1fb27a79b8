#include "cli/projections_command.hpp"

#include <algorithm>
#include <sstream>

#include <fmt/core.h>

#include "cli/unheard.hpp"
#include "cli/usage_error.hpp"
#include "engine/projections.hpp"
#include "report/text.hpp"

namespace cohort::cli {

std::string ProjectionsCommand::examples() const {
  return "  cohort projections indexer.pbmc --on table          the executions that tell what can become of the table\n"
         "  cohort projections figure1.pbmc --on y --steps 4    those of figure 1 of the PBMC paper";
}

void ProjectionsCommand::declare(OptionTable& table) {
  input_.declare(table);
  table.group("What is looked for");
  table.add_all(arguments_);
  run_.declare(table);
}

std::vector<model::VarId> ProjectionsCommand::variables(const model::Program& program) const {
  std::vector<model::VarId> result;
  std::istringstream words(arguments_.variables);
  for (std::string name; std::getline(words, name, ',');) {
    const auto found = std::find_if(program.shared.begin(), program.shared.end(),
                                    [&](const model::Variable& variable) { return variable.name == name; });
    if (found == program.shared.end()) throw UsageError(fmt::format("--on: no shared variable is called '{}'", name));
    result.emplace_back(static_cast<std::size_t>(found - program.shared.begin()));
  }
  if (result.empty()) throw UsageError("--on VAR,... says which variables are looked at");
  return result;
}

ExitCode ProjectionsCommand::run(Console& console) {
  Env env;
  run_.apply(console, env);
  const model::Program program = input_.load_flat(env, end_unheard(*this, console));
  const engine::ProjectionQuery query{variables(program), arguments_.steps, arguments_.most};
  std::uint32_t start = 0;
  for (const model::InitialThreads& group : program.initial) start += group.count.value_or(0);
  expect_bound_fits(program, arguments_.threads);
  const engine::Task task{program, arguments_.threads.value_or(start), {}};
  if (const auto reason = engine::projections_refuse(task)) {
    return say_undecided(*this, console, "unsupported", *reason);
  }
  const engine::Projections found = engine::list_projections(env, task, query);
  for (std::size_t i = 0; i < found.runs.size(); ++i) {
    console.out(fmt::format("projection {} of {} steps\n", i + 1, found.runs[i].steps.size()));
    console.out(report::trace_text(program, found.runs[i], report::TraceDetail::Full));
  }
  console.out(fmt::format("projections on {} up to {} steps: {}{}\n", arguments_.variables, arguments_.steps,
                          found.runs.size(), found.others.empty() ? "" : ", perhaps others: " + found.others));
  return found.others.empty() ? ExitCode::Safe : ExitCode::Unknown;
}

}  // namespace cohort::cli
