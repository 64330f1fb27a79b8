// What an action looks at and touches, for the validator and the passes: its expressions, whether it can fault, and
// which locals and locations other threads or properties can see.
#pragma once

#include <vector>

#include "model/program.hpp"

namespace cohort::model {

// Calls visit(ExprId) for each whole expression of the action.
template <class Visit>
void for_each_root(const Action& action, Visit&& visit) {
  const auto visit_target = [&](const LValue& target) {
    if (target.index) visit(*target.index);
    if (target.ref) visit(*target.ref);
  };
  const auto visit_assign = [&](const Assign& assign) {
    visit_target(assign.target);
    visit(assign.value);
  };
  if (action.guard) visit(*action.guard);
  for (const Assign& assign : action.assigns) visit_assign(assign);
  for (const ExprId conjunct : action.constraint) visit(conjunct);
  for (const Spawn& spawn : action.spawns) {
    for (const Assign& assign : spawn.locals) visit_assign(assign);
  }
  if (action.call) {
    for (const ExprId arg : action.call->args) visit(arg);
    for (const auto& result : action.call->results) {
      if (result) visit_target(*result);
    }
  }
  if (action.ret) {
    for (const ExprId value : action.ret->values) visit(value);
  }
}

// Calls visit(const Expr&, ExprId) for each node of each expression of the action.
template <class Visit>
void for_each_node(const ExprPool& pool, const Action& action, Visit&& visit) {
  for_each_root(action, [&](ExprId root) { for_each_node(pool, root, visit); });
}

// May evaluating `root` fault (division by zero, NULL, an index or a mathematical integer out of bounds)?
bool can_fault(const ExprPool& pool, ExprId root);
// May writing `value` to a variable of type `type` through `target` fault?
bool can_fault(const ExprPool& pool, const LValue& target, const Type& type, ExprId value);
// `templ` is the template whose edge holds the action.
bool can_fault(const Program& program, const Template& templ, const Action& action);

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
  void observe(const Program& program, TemplateId owner, const Action& action);
  void observe(const Expr& node, TemplateId owner);
  void observe_waiting(const Program& program);

  std::vector<std::vector<bool>> locals_;
  std::vector<std::vector<bool>> locations_;
};

// Does the thread that takes the edge end with it?
bool ends_thread(const Edge& edge);

}  // namespace cohort::model
