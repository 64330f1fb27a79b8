// Variables whose values can influence nothing: no branch, no fault, no property.  They are fixed at one value, so that
// states that differ only in them become one.
#pragma once

#include <vector>

#include "base/env.hpp"
#include "model/program.hpp"

namespace cohort::model {

class RelevantVariables {
 public:
  // Of a flat program.  With `env`, throws Stopped at its limits.
  explicit RelevantVariables(const Program& program, Env* env = nullptr);
  // All variables, for programs that keep them as they are.
  static RelevantVariables everything(const Program& program);

  bool shared(VarId var) const { return shared_[var.value]; }
  bool local(TemplateId templ, VarId var) const { return locals_[templ.value][var.value]; }

 private:
  RelevantVariables() = default;

  std::vector<bool> shared_;
  std::vector<std::vector<bool>> locals_;
};

// The same program where irrelevant variables start with their type's default value and are never assigned.  `relevant`
// is the analysis of `program`.
Program fix_irrelevant(Program program, const RelevantVariables& relevant);

}  // namespace cohort::model
