#include "engine/symbolic/violation.hpp"

#include <algorithm>

namespace cohort::engine::symbolic {

Violations::Violations(const model::Program& program, const Transitions& transitions) {
  for (std::size_t t = 0; t < program.templates.size(); ++t) {
    const auto& locations = program.templates[t].locations;
    for (std::size_t l = 0; l < locations.size(); ++l) {
      if (!locations[l].error) continue;
      watched_.push_back({*locations[l].error, dd::Bdd(true), {{model::TemplateId(t), model::LocId(l)}}});
    }
  }
  for (std::size_t i = 0; i < program.properties.size(); ++i) {
    const model::Property& property = program.properties[i];
    const bool is_cover = property.kind == model::Property::Kind::Cover;
    if (!is_cover && property.kind != model::Property::Kind::Condition) continue;
    Watched watched{model::PropertyId(i), dd::Bdd(true), {}};
    if (property.condition) watched.condition = transitions.condition(*property.condition);
    for (const auto& [templ, location] : property.threads) {
      const auto same = std::find_if(watched.needs.begin(), watched.needs.end(), [&](const Need& need) {
        return need.templ == templ && need.location == location;
      });
      if (same != watched.needs.end()) {
        ++same->count;
      } else {
        watched.needs.push_back({templ, location});
      }
    }
    watched_.push_back(std::move(watched));
  }
}

}  // namespace cohort::engine::symbolic
