#include "frontend/c/lower/races.hpp"

#include <fmt/core.h>

namespace cohort::frontend::c::lower {

void Races::add(GroupId group, std::uint32_t element, Place place) {
  places_[{group, element}].push_back(std::move(place));
}

void Races::declare(model::Program& program) const {
  for (const auto& [cell, places] : places_) {
    for (std::size_t i = 0; i < places.size(); ++i) {
      // From i on: two threads may stand at the same place.
      for (std::size_t j = i; j < places.size(); ++j) {
        if (!places[i].writes && !places[j].writes) continue;
        if (places[i].is_atomic && places[j].is_atomic) continue;
        const Place& first = places[i].writes ? places[i] : places[j];
        const Place& second = places[i].writes ? places[j] : places[i];
        program.add_property(
            {.kind = model::Property::Kind::Cover,
             .text = fmt::format("data race: {} and {} at {}", first.text, second.text, to_string(second.span)),
             .span = first.span,
             .condition = std::nullopt,
             .threads = {{first.templ, first.location}, {second.templ, second.location}}});
      }
    }
  }
}

}  // namespace cohort::frontend::c::lower
