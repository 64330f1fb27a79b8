// Data races: two threads about to access the same bytes, one of them to write, and not both by atomic operations.
//
// Every access gets a location of its own for each cell it may lead to, so that the places of two threads alone tell
// whether they race: a Cover property for each conflicting pair of places.  The step into such a place is local, and
// nothing is lost or added by it.  An access by an atomic operation, in an atomic section or in the model of a lock has
// such a place only where its cell is accessed plainly somewhere else; it lies inside of the section, where the other
// thread stands at its own place already.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "frontend/c/lower/layout.hpp"
#include "frontend/c/lower/resolve.hpp"
#include "model/program.hpp"

namespace cohort::frontend::c::lower {

// Can the access by this node be one half of a race with an atomic one, inside of an atomic section or not?
bool is_plain_access(const Flat& flat, const Node& node, AccessId access, bool in_section);

class Races {
 public:
  // Arrays with more elements are refused: each needs a place of its own.
  static constexpr std::uint32_t most_elements = 1024;

  struct Place {
    model::TemplateId templ;
    model::LocId location;
    bool writes = false;
    bool is_atomic = false;                     // races with plain accesses only
    bool is_volatile = false;                   // plain, and would not be with --volatile=atomic
    std::pair<unsigned, unsigned> bits{0, 64};  // of the cell: from the first to before the second
    SourceSpan span;
    std::string text;
  };

  // Nobody asks.
  Races() = default;
  Races(Flat& flat, Resolver& resolver);

  bool are_wanted() const { return are_wanted_; }
  // May an access to the group, plain or not, be half of a race?
  bool can_race(GroupId group, bool is_plain) const;
  // `element` is 0 for what is not an array.
  void add(GroupId group, std::uint32_t element, Place place);
  // Adds the properties to the program.
  void declare(model::Program& program, const Layout& layout, const Flat& flat) const;

 private:
  bool are_wanted_ = false;
  std::set<GroupId> plain_;     // accessed plainly, or freed, somewhere
  std::set<GroupId> internal_;  // objects of the library's own
  std::map<std::pair<GroupId, std::uint32_t>, std::vector<Place>> places_;
};

}  // namespace cohort::frontend::c::lower
