// A node becomes a location and its edges.  Outside of atomic sections each access to a shared variable is an edge of
// its own, left to right as C evaluates them, with temporaries in between; the last one joins the use of the value
// where that touches nothing shared itself (a branch, a store to a local).  Everything else stays one action an edge:
// merging what nobody can observe is the business of the model's passes.
//
// An access through a pointer becomes one edge for each variable it may lead to.  Where it leads nowhere, or an
// operation is undefined, the execution ends or, if faults are asked for, goes to an error; the unmodelled is cut.
#include "frontend/c/lower/emit.hpp"

#include "frontend/c/lower/emit_body.hpp"
#include "frontend/c/lower/sections.hpp"
#include "frontend/c/lower/survey.hpp"

namespace cohort::frontend::c::lower {

using model::LocId;

model::Program emit(Flat& flat, const PointsTo& points_to, const Sharing& sharing, Layout& layout,
                    std::set<GroupId> flagged, const std::string& name) {
  model::Program program;
  program.name = name;
  program.faults = model::FaultPolicy::Drop;
  std::vector<std::vector<LocId>> locations;
  std::vector<LocId> entries;
  for (Body& body : flat.bodies) {
    bracket_groups(flat, body);
    model::Template templ;
    templ.name = body.name;
    auto& of_body = locations.emplace_back();
    for (const Node& node : body.nodes) {
      of_body.push_back(templ.add_location({.label = "", .span = node.span, .waits = node.spins}));
    }
    templ.entry = of_body[body.entry.value];
    entries.push_back(templ.entry);
    const model::TemplateId id = program.add_template(std::move(templ));
    if (body.is_main) program.initial.push_back({id, entries.back(), 1});
  }
  Memory memory(flat, layout, sharing, std::move(flagged), stores_into_pointers(flat, points_to, layout), program);
  const Nameless nameless(flat, points_to, sharing, layout);
  Resolver resolver(flat, points_to, layout, memory, program);
  Races races = flat.options.asks_for(Wrong::Race) ? Races(flat, resolver) : Races();
  const Emission emission{flat, resolver, layout, memory, nameless, races, program};
  for (std::size_t i = 0; i < flat.bodies.size(); ++i) emit_body(emission, BodyId(i), locations[i], entries);
  races.declare(program, layout, flat);
  model::Atlas atlas;
  flat.calls.write(atlas);
  if (const auto heap = memory.heap(nameless, points_to)) heap->write(atlas);
  program.atlas = memory.atlas(std::move(atlas));
  if (flat.options.asks_for(Wrong::Deadlock)) {
    program.add_property({.kind = model::Property::Kind::Deadlock, .text = "threads wait for ever"});
  }
  return program;
}

}  // namespace cohort::frontend::c::lower
