#include "model/passive.hpp"

#include <algorithm>

#include <fmt/core.h>

#include "base/contract.hpp"
#include "model/analysis/visit.hpp"

namespace cohort::model {

namespace {

std::string describe(const Action& action) {
  const std::string place = to_string(action.span);
  return place.empty() ? fmt::format("'{}'", action.text) : fmt::format("'{}' ({})", action.text, place);
}

}  // namespace

ExprId passive_variable(ExprPool& pool, TemplateId templ, VarId var, Type type, bool primed, std::uint32_t number) {
  COHORT_EXPECT(!type.is_array(), "an element of an array has an index");
  return pool.add({.op = Op::PassiveVar,
                   .primed = primed,
                   .type = type,
                   .value = static_cast<Value>(number),
                   .var = var,
                   .templ = templ});
}

std::vector<std::optional<TemplateId>> passive_threads(const ExprPool& pool, ExprId root) {
  std::vector<std::optional<TemplateId>> result;
  for_each_node(pool, root, [&](const Expr& node, ExprId) {
    if (node.op != Op::PassiveVar) return;
    const auto number = static_cast<std::size_t>(node.value);
    if (number >= result.size()) result.resize(number + 1);
    COHORT_EXPECT(!result[number] || *result[number] == node.templ, "a passive thread has one template");
    result[number] = node.templ;
  });
  return result;
}

bool speaks_of_one(const ExprPool& pool, ExprId root, TemplateId templ) {
  const auto threads = passive_threads(pool, root);
  return threads.size() == 1 && threads[0] == templ;
}

bool ties_threads(const ExprPool& pool, ExprId root) {
  return passive_threads(pool, root).size() > 1;
}

std::optional<std::string> first_tie(const Program& program) {
  for (const auto& [action, edge, templ] : actions_of(program)) {
    const auto ties = [&](ExprId conjunct) { return ties_threads(program.exprs, conjunct); };
    if (std::any_of(action.constraint.begin(), action.constraint.end(), ties)) return describe(action);
  }
  return std::nullopt;
}

std::optional<std::string> first_foreign_passive(const Program& program) {
  for (const auto& [action, edge, templ] : actions_of(program)) {
    bool foreign = std::any_of(action.assigns.begin(), action.assigns.end(), [&, own = templ](const Assign& assign) {
      return assign.target.kind == LValue::Kind::Passive && assign.target.templ != own;
    });
    for_each_node(program.exprs, action, [&, own = templ](const Expr& node, ExprId) {
      foreign = foreign || (node.op == Op::PassiveVar && node.templ != own);
    });
    if (foreign) return describe(action);
  }
  return std::nullopt;
}

}  // namespace cohort::model
