// Steps that locks make movers in Lipton's sense: others cannot interfere with them as long as the lock is held.
#pragma once

#include <cstdint>
#include <vector>

#include "model/program.hpp"

namespace cohort::model {

class Movers {
 public:
  // Of a flat program.
  explicit Movers(const Program& program);

  // May the step change places with every step of another thread that follows it, or that comes before it?
  bool right(EdgeRef edge) const { return right_[edge.templ.value][edge.edge]; }
  bool left(EdgeRef edge) const { return left_[edge.templ.value][edge.edge]; }

 private:
  std::vector<std::vector<bool>> right_;
  std::vector<std::vector<bool>> left_;
};

}  // namespace cohort::model
