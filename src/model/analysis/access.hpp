// What actions look at and touch of other threads, and which locals and locations others or properties can see.
#pragma once

#include <vector>

#include "model/program.hpp"

namespace cohort::model {

// Does the action look at other threads by reference, location or quantifier, or write to them by reference?
bool uses_other_threads(const ExprPool& pool, const Action& action);

// Locals that a thread other than their owner, a property or the initial condition can read or write, and locations
// that matter to others: those named by AtLocation, by a Cover property, or as the source of a passive move or take.
class Observed {
 public:
  explicit Observed(const Program& program);

  bool local(TemplateId templ, VarId var) const { return locals_[templ.value][var.value]; }
  bool location(TemplateId templ, LocId location) const { return locations_[templ.value][location.value]; }

 private:
  void observe(const Program& program, const Action& action);
  void observe(const Expr& node);
  void observe_waiting(const Program& program);

  std::vector<std::vector<bool>> locals_;
  std::vector<std::vector<bool>> locations_;
};

// Does the thread that takes the edge end with it?
bool ends_thread(const Edge& edge);

// Does some action of the template, or of the program, make new threads?
bool creates_threads(const Template& templ);
bool creates_threads(const Program& program);

}  // namespace cohort::model
