// Locations at which the first thread is the only one alive: before it creates others, and after it has waited for the
// end of all of them.
#pragma once

#include <vector>

#include "base/env.hpp"
#include "model/program.hpp"

namespace cohort::model {

class Solitude {
 public:
  // Of a flat program.  With `env`, throws Stopped at its limits.
  explicit Solitude(const Program& program, Env* env = nullptr);

  // Is a thread of `templ` at `location` certain to be alone?
  bool alone(TemplateId templ, LocId location) const {
    return !alone_.empty() && templ == first_ && alone_[location.value];
  }

 private:
  TemplateId first_;
  std::vector<bool> alone_;  // by location of the first thread; empty: nothing is known
};

}  // namespace cohort::model
