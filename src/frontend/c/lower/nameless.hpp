// Allocated objects that nobody can tell apart by where they lie (model/heap.hpp).
#pragma once

#include <set>

#include "frontend/c/lower/layout.hpp"
#include "frontend/c/lower/points_to.hpp"
#include "frontend/c/lower/sharing.hpp"

namespace cohort::frontend::c::lower {

class Nameless {
 public:
  Nameless(const Flat& flat, const PointsTo& points_to, const Sharing& sharing, Layout& layout);

  // Shared objects from allocations, or pools of them.
  const std::set<InstId>& objects() const { return objects_; }
  // May the value be the address of one?  Then it is an address and no number.
  bool may_be_address(const std::set<Target>& targets) const;

 private:
  std::set<InstId> objects_;
};

}  // namespace cohort::frontend::c::lower
