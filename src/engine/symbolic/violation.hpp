// Which property a symbolic state violates, and in which of its shared states.
#pragma once

#include <optional>
#include <vector>

#include "engine/symbolic/sets.hpp"
#include "engine/symbolic/transitions.hpp"
#include "model/program.hpp"

namespace cohort::engine::symbolic {

struct Violation {
  model::PropertyId property;
  dd::Bdd shared;  // the violating shared states
};

class Violations {
 public:
  Violations(const model::Program& program, const Transitions& transitions);

  // `occupied(templ, location)` says how many threads are there.
  template <class Occupied>
  std::optional<Violation> find(const dd::Bdd& shared, Occupied&& occupied) const {
    for (const Watched& watched : watched_) {
      bool covered = true;
      for (const auto& need : watched.needs) covered = covered && occupied(need.templ, need.location) >= need.count;
      if (!covered) continue;
      dd::Bdd bad = shared & watched.condition;
      if (!bad.is_false()) return Violation{watched.property, std::move(bad)};
    }
    return std::nullopt;
  }

 private:
  struct Need {
    model::TemplateId templ;
    model::LocId location;
    std::uint32_t count = 1;
  };
  struct Watched {
    model::PropertyId property;
    dd::Bdd condition;
    std::vector<Need> needs;
  };

  std::vector<Watched> watched_;
};

}  // namespace cohort::engine::symbolic
