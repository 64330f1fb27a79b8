// Steps that locks make movers in Lipton's sense: others cannot interfere with them as long as the lock is held.
#pragma once

#include <cstdint>
#include <vector>

#include "base/env.hpp"
#include "model/program.hpp"

namespace cohort::model {

class Movers {
 public:
  // Of a flat program.  With `env`, throws Stopped at its limits.
  explicit Movers(const Program& program, Env* env = nullptr);

  // May the step change places with every step of another thread that follows it, or that comes before it?
  bool right(EdgeRef edge) const { return right_[edge.templ.value][edge.edge]; }
  bool left(EdgeRef edge) const { return left_[edge.templ.value][edge.edge]; }

 private:
  std::vector<std::vector<bool>> right_;
  std::vector<std::vector<bool>> left_;
};

}  // namespace cohort::model
