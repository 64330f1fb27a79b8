// Live-variable analysis of locals, and the pass that gives dead locals a fixed value, so that thread states that
// differ only in values nobody will read become one.
#pragma once

#include <cstdint>
#include <vector>

#include "base/env.hpp"
#include "model/analysis/bit_set.hpp"
#include "model/program.hpp"

namespace cohort::model {

// The locals whose value at a location can still matter.  Locals that others can see (passive variables, remote
// accesses, properties) are live everywhere.
class LiveLocals {
 public:
  // Of a flat program.  With `env`, throws Stopped at its limits.
  explicit LiveLocals(const Program& program, Env* env = nullptr);
  // All locals at all locations, for programs whose dead locals keep their values.
  static LiveLocals everything(const Program& program);

  bool live(TemplateId templ, LocId location, VarId var) const { return at(templ, location).contains(var.value); }
  const BitSet& at(TemplateId templ, LocId location) const { return live_[templ.value][location.value]; }

 private:
  LiveLocals() = default;

  std::vector<std::vector<BitSet>> live_;  // [template][location]
};

// The same program where a local takes its type's default value when it becomes dead: assignments to dead locals
// disappear where they cannot fault, other dead values are overwritten by an action without origin at the end of the
// edge, in the locals of a new thread, or in the declared initial value.  Edges keep their number and order.  `live` is
// the analysis of `program`.
Program reset_dead_locals(Program program, const LiveLocals& live, Env* env = nullptr);

}  // namespace cohort::model
