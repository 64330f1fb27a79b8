#include "model/analysis/goes_on.hpp"

#include <algorithm>
#include <vector>

#include "model/analysis/access.hpp"
#include "model/analysis/may_fault.hpp"
#include "model/analysis/visit.hpp"

namespace cohort::model {

namespace {

bool is_open(const Action& action) {
  return !action.guard && action.constraint.empty();
}

bool chooses(const Program& program, ExprId guard) {
  bool found = false;
  for_each_node(program.exprs, guard, [&](const Expr& node, ExprId) { found = found || node.op == Op::Nondet; });
  return found;
}

// May something else than its conditions keep a thread from taking the edge?
bool may_be_kept(const Program& program, TemplateId templ, const Edge& edge) {
  return std::any_of(edge.actions.begin(), edge.actions.end(), [&](const Action& action) {
    return !action.spawns.empty() || !action.takes.empty() || is_broadcast(program.exprs, action) ||
           may_fault(program, program.templ(templ), action);
  });
}

}  // namespace

bool can_always_go_on(const Program& program, TemplateId templ, std::span<const Edge* const> out) {
  std::vector<ExprId> guards;
  for (const Edge* edge : out) {
    if (may_be_kept(program, templ, *edge)) continue;
    const auto& actions = edge->actions;
    if (std::all_of(actions.begin(), actions.end(), is_open)) return true;
    const bool only_first =
        actions[0].guard && actions[0].constraint.empty() && std::all_of(actions.begin() + 1, actions.end(), is_open);
    if (only_first && !chooses(program, *actions[0].guard)) guards.push_back(*actions[0].guard);
  }
  return std::any_of(guards.begin(), guards.end(), [&](ExprId guard) {
    const Expr& expr = program.exprs[guard];
    return expr.op == Op::Not && std::find(guards.begin(), guards.end(), expr.args[0]) != guards.end();
  });
}

}  // namespace cohort::model
