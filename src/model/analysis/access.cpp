#include "model/analysis/access.hpp"

#include <algorithm>

#include "base/contract.hpp"
#include "model/analysis/visit.hpp"

namespace cohort::model {

bool uses_other_threads(const ExprPool& pool, const Action& action) {
  bool found = std::any_of(action.assigns.begin(), action.assigns.end(),
                           [](const Assign& assign) { return assign.target.kind == LValue::Kind::Remote; });
  for_each_node(pool, action, [&](const Expr& node, ExprId) {
    found = found || node.op == Op::RemoteVar || node.op == Op::AtLocation || node.op == Op::ForallThread ||
            node.op == Op::ExistsThread;
  });
  return found;
}

Observed::Observed(const Program& program) {
  for (const Template& templ : program.templates) {
    locals_.emplace_back(templ.locals.size(), false);
    locations_.emplace_back(templ.locations.size(), false);
  }
  for (const auto& [action, edge, templ] : actions_of(program)) observe(program, action);
  const auto observe_condition = [&](ExprId root) {
    for_each_node(program.exprs, root, [&](const Expr& node, ExprId) {
      COHORT_EXPECT(node.op != Op::PassiveVar, "no thread is passive outside a step");
      observe(node);
    });
  };
  if (program.initial_condition) observe_condition(*program.initial_condition);
  for (const Property& property : program.properties) {
    if (property.condition) observe_condition(*property.condition);
    for (const auto& [templ, location] : property.threads) locations_[templ.value][location.value] = true;
  }
  if (looks_for_deadlocks(program)) observe_waiting(program);
}

void Observed::observe_waiting(const Program& program) {
  for (std::size_t i = 0; i < program.templates.size(); ++i) {
    const auto& locations = program.templates[i].locations;
    for (std::size_t j = 0; j < locations.size(); ++j) {
      if (locations[j].waits) locations_[i][j] = true;
    }
  }
}

void Observed::observe(const Program& program, const Action& action) {
  for (const Assign& assign : action.assigns) {
    const bool of_others = assign.target.kind == LValue::Kind::Passive || assign.target.kind == LValue::Kind::Remote;
    if (of_others) locals_[assign.target.templ.value][assign.target.var.value] = true;
  }
  for (const PassiveMove& move : action.moves) locations_[move.templ.value][move.from.value] = true;
  for (const Take& take : action.takes) locations_[take.templ.value][take.from.value] = true;
  for_each_node(program.exprs, action, [&](const Expr& node, ExprId) { observe(node); });
}

void Observed::observe(const Expr& node) {
  if (node.op == Op::PassiveVar || node.op == Op::RemoteVar) locals_[node.templ.value][node.var.value] = true;
  if (node.op == Op::AtLocation) locations_[node.templ.value][static_cast<std::size_t>(node.value)] = true;
}

bool ends_thread(const Edge& edge) {
  return any_action(edge, [](const Action& action) { return action.ends_thread; });
}

bool creates_threads(const Template& templ) {
  return any_action(templ, [](const Action& action) { return !action.spawns.empty(); });
}

bool creates_threads(const Program& program) {
  return any_action(program, [](const Action& action) { return !action.spawns.empty(); });
}

}  // namespace cohort::model
