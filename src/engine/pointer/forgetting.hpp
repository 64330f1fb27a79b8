// Inactive-variable elimination on sets of states (section 5 of the RED paper): where a local is inactive, any values
// of it are replaced by its default.
#pragma once

#include <vector>

#include "engine/pointer/activity.hpp"
#include "engine/pointer/encoding.hpp"

namespace cohort::engine::pointer {

class Forgetting {
 public:
  Forgetting(const Encoding& encoding, const Activity& activity);

  dd::Bdd reset(dd::Bdd states) const;
  // The states that reset() maps into `states`.
  dd::Bdd unreset(dd::Bdd states) const;

 private:
  struct Local {
    std::size_t cell = 0;
    Cell value = 0;
    dd::Bdd inactive;
  };

  const Encoding& encoding_;
  std::vector<Local> locals_;
};

}  // namespace cohort::engine::pointer
