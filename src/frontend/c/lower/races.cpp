#include "frontend/c/lower/races.hpp"

#include <algorithm>

#include <fmt/core.h>

#include "base/contract.hpp"
#include "frontend/c/lower/propagate.hpp"
#include "frontend/c/lower/sections.hpp"

namespace cohort::frontend::c::lower {

namespace {

std::string scalar_name(const Flat& flat, const Group& group, std::uint32_t element) {
  const std::string name = flat.inst(group.inst).name + group.name;
  if (group.dimensions.empty()) return name;
  model::Look look;
  for (const Dimension& dimension : group.dimensions)
    look.counts.push_back(static_cast<std::uint32_t>(dimension.count));
  return model::element_name(name, look, element);
}

}  // namespace

bool is_plain_access(const Flat& flat, const Node& node, AccessId access, bool in_section) {
  const ir::Type& type = flat.unit.type(flat.access(access).type);
  return !in_section && !node.is_atomic_access && !type.is_atomic &&
         !(type.is_volatile && flat.options.volatile_is_atomic);
}

Races::Races(Flat& flat, Resolver& resolver) : are_wanted_(true) {
  for (const Body& body : flat.bodies) {
    const std::vector<Depths> depths = section_depths(body);
    for (std::size_t i = 0; i < body.nodes.size(); ++i) {
      if (depths[i] == 0) continue;
      const Node& node = body.nodes[i];
      const auto see = [&](AccessId access) {
        if (!is_plain_access(flat, node, access, (depths[i] & outside) == 0)) return;
        for (const GroupId group : resolver.groups(access)) plain_.insert(group);
      };
      for_each_access(flat, node, [&](AccessId access, bool is_load) {
        if (is_load) see(access);
      });
      if (node.has_access) see(node.access);
      if (node.kind != Node::Kind::Free) continue;
      for (const InstId inst : resolver.heap_objects(node.term)) {
        for (const GroupId group : resolver.groups_of(inst)) plain_.insert(group);
      }
    }
  }
  for (std::size_t i = 0; i < flat.insts.size(); ++i) {
    const Inst& inst = flat.insts[i];
    const bool own = inst.object && inst.kind == Inst::Kind::Static && ir::is_of_models(inst.name);
    if (!own && !inst.is_bookkeeping) continue;
    for (const GroupId group : resolver.groups_of(InstId(i))) internal_.insert(group);
  }
}

bool Races::can_race(GroupId group, bool is_plain) const {
  return are_wanted_ && !internal_.contains(group) && (is_plain || plain_.contains(group));
}

void Races::add(GroupId group, std::uint32_t element, Place place) {
  COHORT_EXPECT(are_wanted_ && place.bits.first < place.bits.second, "an access touches some bits of its scalar");
  places_[{group, element}].push_back(std::move(place));
}

void Races::declare(model::Program& program, const Layout& layout, const Flat& flat) const {
  for (const auto& [cell, places] : places_) {
    const std::string name = scalar_name(flat, layout.group(cell.first), cell.second);
    for (std::size_t i = 0; i < places.size(); ++i) {
      // From i on: two threads may stand at the same place.
      for (std::size_t j = i; j < places.size(); ++j) {
        if (!places[i].writes && !places[j].writes) continue;
        if (places[i].is_atomic && places[j].is_atomic) continue;
        if (places[i].bits.second <= places[j].bits.first || places[j].bits.second <= places[i].bits.first) continue;
        const Place& first = places[i].writes ? places[i] : places[j];
        const Place& second = places[i].writes ? places[j] : places[i];
        const bool by_volatile = (first.is_atomic || first.is_volatile) && (second.is_atomic || second.is_volatile);
        program.add_property(
            {.kind = model::Property::Kind::Cover,
             .text = fmt::format("data race: {} and {} at {}{}", first.text, second.text, to_string(second.span),
                                 by_volatile ? " (none with --volatile=atomic)" : ""),
             .span = first.span,
             .condition = std::nullopt,
             .threads = {{first.templ, first.location}, {second.templ, second.location}},
             .words = "data race on " + name});
      }
    }
  }
}

}  // namespace cohort::frontend::c::lower
