#include "verify/choose_engine.hpp"

#include <fmt/core.h>

#include "base/contract.hpp"

namespace cohort::verify {

namespace {

Choice choose_for(const std::string& name, const engine::Task& task) {
  Choice choice{.scope = {.bound = task.bound}};
  for (const auto& engine : engine::engines()) {
    if (name != "auto" && name != engine->name()) continue;
    const auto refusal = engine->refuses(task);
    if (!refusal) {
      choice.engine = engine.get();
      return choice;
    }
    choice.refusal += fmt::format("{}{}: {}", choice.refusal.empty() ? "" : "; ", engine->name(), *refusal);
  }
  return choice;
}

}  // namespace

Choice choose_engine(const std::string& name, const model::Program& program, const Threads& threads,
                     const engine::EngineOptions& options) {
  COHORT_EXPECT(name == "auto" || engine::find_engine(name) != nullptr, "the engine exists");
  COHORT_EXPECT(!(threads.any_number && threads.bound), "either any number of threads or a bound");
  if (threads.bound) return choose_for(name, {program, threads.bound, options});
  Choice choice = choose_for(name, {program, std::nullopt, options});
  if (choice.engine != nullptr || threads.any_number) return choice;
  choice = choose_for(name, {program, default_bound, options});
  choice.scope.by_default = true;
  return choice;
}

}  // namespace cohort::verify
