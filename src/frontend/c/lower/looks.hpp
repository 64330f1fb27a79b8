// How the variables of the model look to the person who wrote the program.
#pragma once

#include <map>
#include <memory>
#include <tuple>

#include "frontend/c/lower/layout.hpp"
#include "model/look.hpp"

namespace cohort::frontend::c::lower {

class Looks {
 public:
  explicit Looks(const Flat& flat) : flat_(flat) {}

  model::Look of(const Group& group);
  // Adds where the objects lie.
  void fill(model::Atlas& atlas, const Layout& layout);

 private:
  using ShapePtr = std::shared_ptr<const model::Shape>;

  bool is_internal(const Group& group) const;
  ShapePtr shape(ir::TypeId type);

  const Flat& flat_;
  // By kind, size, record, length and element: types that differ in qualifiers only have one shape.
  std::map<std::tuple<ir::Type::Kind, std::uint64_t, ir::RecordId, std::uint64_t, const model::Shape*>, ShapePtr>
      shapes_;
};

}  // namespace cohort::frontend::c::lower
