#include "cli/invariants_command.hpp"

#include <fmt/core.h>

#include "cli/unheard.hpp"
#include "cli/whole_model.hpp"
#include "lemma/describe.hpp"
#include "lemma/houdini.hpp"

namespace cohort::cli {

std::string InvariantsCommand::examples() const {
  return "  cohort invariants counter.c                what each thread may rely on, location by location\n"
         "  cohort invariants lock.c --in-view 2       of every two threads";
}

void InvariantsCommand::declare(OptionTable& table) {
  input_.declare(table);
  table.group("What is looked for");
  table.choice({"--in-view", "K", "Facts of this many threads at a time: 1, 2 or 3"}, in_view_, {"1", "2", "3"});
  table.flag("--implications", implications_, "Also facts that hold where a variable has a certain value");
  run_.declare(table);
}

ExitCode InvariantsCommand::run(Console& console) {
  Env env;
  run_.apply(console, env);
  const model::Program program = input_.load_simplified(env, end_unheard(*this, console));
  const auto unknown = [&](const std::string& reason) { return say_undecided(*this, console, "unsupported", reason); };
  if (const auto refusal = model::Commands::refuses(program)) return unknown(*refusal);
  if (const auto refusal = lemma::unseen_property(program)) return unknown(*refusal);
  // Of C, facts are told of the executions that are modelled, up to the bounds that `verify` raises.
  if (!load::is_c(input_.file)) {
    if (const auto reason = leaves_model(env, program, {.any_number = true, .bound = {}})) return unknown(*reason);
  }
  const model::Commands commands(program);
  lemma::HoudiniOptions options{.stop_at_errors = false};
  options.views.threads = static_cast<std::uint32_t>(std::stoul(in_view_));
  options.grammar.implications = implications_;
  options.grammar.equations = true;
  lemma::Houdini houdini(env, commands, options);
  const lemma::HoudiniResult found = houdini.run();
  if (!found.inductive) return unknown(found.reason);
  console.out(lemma::describe(houdini.alphabet(), houdini.atoms(), found.invariant));
  return ExitCode::Safe;
}

}  // namespace cohort::cli
