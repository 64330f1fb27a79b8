#include "report/counters.hpp"

#include <map>

#include <fmt/core.h>

namespace cohort::report {

namespace {

std::string values_of(const std::vector<model::Variable>& variables, const model::Valuation& values) {
  std::string text;
  for (const model::Variable& variable : variables) {
    for (std::uint32_t i = 0; i < variable.type.slots(); ++i) {
      const std::string index = variable.type.is_array() ? fmt::format("[{}]", i) : "";
      text += fmt::format("{}{}{}={}", text.empty() ? "" : " ", variable.name, index, values[variable.slot + i]);
    }
  }
  return text;
}

std::string local_state(const model::Program& program, const model::ThreadState& thread) {
  const model::Template& templ = program.templ(thread.templ);
  const std::string& label = templ.locations[thread.location.value].label;
  std::string text = label.empty() ? fmt::format("{}", thread.location.value) : label;
  if (program.templates.size() > 1) text = templ.name + ":" + text;
  const std::string locals = values_of(templ.locals, thread.locals);
  if (!locals.empty()) text += " " + locals;
  return text + (thread.atomic ? " (atomic)" : "");
}

std::string counter_state(const model::Program& program, const model::State& state) {
  std::map<std::string, std::size_t> counts;
  for (const auto& thread : state.threads) {
    if (thread) ++counts[local_state(program, *thread)];
  }
  std::string text = values_of(program.shared, state.shared);
  bool first = true;
  for (const auto& [local, count] : counts) {
    text += fmt::format("{}{}: {}", first ? (text.empty() ? "" : " | ") : ", ", local, count);
    first = false;
  }
  return text;
}

}  // namespace

std::string counters_text(const model::Program& program, const model::Run& run) {
  const std::size_t width = std::to_string(run.steps.size()).size();
  std::string text = "counter states:\n";
  text += fmt::format("  {:>{}}  {}\n", 0, width, counter_state(program, run.initial));
  for (std::size_t i = 0; i < run.steps.size(); ++i) {
    // A step that faults leads nowhere.
    if (run.steps[i].fault) break;
    text += fmt::format("  {:>{}}  {}\n", i + 1, width, counter_state(program, run.steps[i].target));
  }
  return text;
}

}  // namespace cohort::report
