#include "verify/choose_engine.hpp"

#include <algorithm>

#include <fmt/core.h>

#include "base/contract.hpp"

namespace cohort::verify {

namespace {

Choice choose_for(const std::string& name, const engine::Task& task, const std::vector<PassedOver>& passed_over) {
  const auto gave_up = [&](const engine::Engine& engine) {
    return std::any_of(passed_over.begin(), passed_over.end(), [&](const PassedOver& one) {
      return one.engine == &engine && one.bounded == task.bound.has_value();
    });
  };
  Choice choice{.scope = {.bound = task.bound}};
  for (const auto& engine : engine::engines()) {
    if ((name != "auto" && name != engine->name()) || gave_up(*engine)) continue;
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
                     const engine::EngineOptions& options, const std::vector<PassedOver>& passed_over) {
  COHORT_EXPECT(name == "auto" || engine::find_engine(name) != nullptr, "the engine exists");
  COHORT_EXPECT(!(threads.any_number && threads.bound), "either any number of threads or a bound");
  if (threads.bound) return choose_for(name, {program, threads.bound, options}, passed_over);
  Choice choice = choose_for(name, {program, std::nullopt, options}, passed_over);
  if (choice.engine != nullptr || threads.any_number) return choice;
  choice = choose_for(name, {program, default_bound, options}, passed_over);
  choice.scope.by_default = true;
  return choice;
}

}  // namespace cohort::verify
