#include "frontend/c/lower/survey.hpp"

namespace cohort::frontend::c::lower {

bool stores_into_pointers(const Flat& flat, const PointsTo& points_to, Layout& layout) {
  const auto is_pointer = [&](ir::TypeId type) { return flat.unit.type(type).kind == ir::Type::Kind::Pointer; };
  for (const Body& body : flat.bodies) {
    for (const Node& node : body.nodes) {
      if (node.kind != Node::Kind::Assign || is_pointer(flat.access(node.access).type)) continue;
      for (const Target& place : points_to.places(node.access)) {
        const auto group = place.function ? std::nullopt : layout.find(place.inst, place.offset);
        if (group && is_pointer(layout.group(*group).type)) return true;
      }
    }
  }
  return false;
}

}  // namespace cohort::frontend::c::lower
