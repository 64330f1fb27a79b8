// Data races: two threads about to access the same cell, one of them to write it, and not both by atomic operations.
//
// Every plain access gets a location of its own for each cell it may lead to, so that the places of two threads alone
// tell whether they race: a Cover property for each conflicting pair of places.  The step into such a place is local,
// and nothing is lost or added by it.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "frontend/c/lower/layout.hpp"
#include "model/program.hpp"

namespace cohort::frontend::c::lower {

class Races {
 public:
  // Arrays with more elements are refused: each needs a place of its own.
  static constexpr std::uint32_t most_elements = 1024;

  struct Place {
    model::TemplateId templ;
    model::LocId location;
    bool writes = false;
    bool is_atomic = false;  // races with plain accesses only
    SourceSpan span;
    std::string text;
  };

  // `element` is 0 for what is not an array.
  void add(GroupId group, std::uint32_t element, Place place);
  // Adds the properties to the program.
  void declare(model::Program& program) const;

 private:
  std::map<std::pair<GroupId, std::uint32_t>, std::vector<Place>> places_;
};

}  // namespace cohort::frontend::c::lower
