#include "cli/state_words.hpp"

#include <algorithm>

#include <fmt/core.h>

#include "base/contract.hpp"
#include "report/words.hpp"

namespace cohort::cli {

std::string values_words(const std::vector<model::Variable>& variables, const model::Valuation& values) {
  std::string text;
  for (const model::Variable& variable : variables) {
    COHORT_EXPECT(variable.slot + variable.type.slots() <= values.size(), "every variable has its values");
    for (std::uint32_t i = 0; i < variable.type.slots(); ++i) {
      const std::string index = variable.type.is_array() ? fmt::format("[{}]", i) : "";
      text += fmt::format("{}{}{}={}", text.empty() ? "" : " ", variable.name, index, values[variable.slot + i]);
    }
  }
  return text;
}

std::string place_words(const model::Program& program, const model::ThreadState& thread) {
  const model::Template& templ = program.templ(thread.templ);
  const std::string& label = templ.locations[thread.location.value].label;
  if (label.empty()) return fmt::format("{}:{}", templ.name, thread.location.value);
  // The thread that carries the transitions of a Petri net has one place, which nobody asks about.
  const auto others = std::count_if(program.templates.begin(), program.templates.end(),
                                    [](const model::Template& other) { return other.locations.size() > 1; });
  return others <= 1 ? label : fmt::format("{}:{}", templ.name, label);
}

std::string thread_words(const model::Program& program, const model::ThreadState& thread) {
  const std::string locals = values_words(program.templ(thread.templ).locals, thread.locals);
  return fmt::format("{}{}{}{}", place_words(program, thread), locals.empty() ? "" : " ", locals,
                     thread.atomic ? " (atomic)" : "");
}

std::string start_words(const model::Program& program) {
  std::string text;
  for (const model::InitialThreads& group : program.initial) {
    if (group.count == 0U) continue;
    const std::string count = group.count ? report::count_threads(*group.count) : "any number of threads";
    const model::Template& templ = program.templ(group.templ);
    // Where groups differ only in where they begin, that is said.
    const auto alike = std::count_if(program.initial.begin(), program.initial.end(),
                                     [&](const model::InitialThreads& other) { return other.templ == group.templ; });
    const std::string place =
        alike > 1 ? fmt::format(" at {}", place_words(program, {group.templ, group.location, false, {}})) : "";
    text += fmt::format("{}{} of {}{}", text.empty() ? "" : ", ", count, templ.name, place);
  }
  return text.empty() ? "no threads" : text;
}

}  // namespace cohort::cli
