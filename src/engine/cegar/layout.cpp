#include "engine/cegar/layout.hpp"

#include <algorithm>

#include "model/analysis/thread_limits.hpp"

namespace cohort::engine::cegar {

using model::Program;
using model::Template;
using model::TemplateId;

Layout::Layout(const model::Commands& commands) {
  const Program& program = commands.program();
  single_of.resize(program.templates.size());
  const auto limits = model::thread_limits(commands);
  for (std::size_t i = 0; i < program.templates.size(); ++i) {
    if (limits[i] != 1U) continue;
    single_of[i] = singles.size();
    singles.push_back({TemplateId(i), std::nullopt});
  }
  for (std::size_t group = 0; group < program.initial.size(); ++group) {
    const auto single = single_of[program.initial[group].templ.value];
    if (!single) {
      replicated_groups.push_back(group);
    } else if (program.initial[group].count != 0U) {
      singles[*single].group = group;
    }
  }
}

bool starts_with_any_number(const Program& program) {
  return std::any_of(program.initial.begin(), program.initial.end(),
                     [](const model::InitialThreads& group) { return !group.count; });
}

}  // namespace cohort::engine::cegar
