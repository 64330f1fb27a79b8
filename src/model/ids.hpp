// Strong indices into the vectors of a Program, so that a location cannot be taken for a variable.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>

namespace cohort::model {

template <class Tag>
struct Id {
  std::uint32_t value = 0;

  constexpr Id() = default;
  constexpr explicit Id(std::size_t index) : value(static_cast<std::uint32_t>(index)) {}
  auto operator<=>(const Id&) const = default;
};

using VarId = Id<struct VarTag>;            // a shared variable, or a local one of a given template
using LocId = Id<struct LocTag>;            // a location of a given template
using TemplateId = Id<struct TemplateTag>;  // a thread template or procedure
using PropertyId = Id<struct PropertyTag>;
using ExprId = Id<struct ExprTag>;

}  // namespace cohort::model

template <class Tag>
struct std::hash<cohort::model::Id<Tag>> {
  std::size_t operator()(cohort::model::Id<Tag> id) const noexcept { return id.value; }
};
