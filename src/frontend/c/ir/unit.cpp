#include "frontend/c/ir/unit.hpp"

#include <algorithm>

namespace cohort::frontend::c::ir {

TypeId Unit::add_type(Type type) {
  const auto found = std::find(types.begin(), types.end(), type);
  if (found != types.end()) return TypeId(static_cast<std::size_t>(found - types.begin()));
  types.push_back(std::move(type));
  return TypeId(types.size() - 1);
}

ExprId Unit::add_expr(Expr expr) {
  exprs.push_back(std::move(expr));
  return ExprId(exprs.size() - 1);
}

PlaceId Unit::add_place(Place place) {
  places.push_back(std::move(place));
  return PlaceId(places.size() - 1);
}

}  // namespace cohort::frontend::c::ir
