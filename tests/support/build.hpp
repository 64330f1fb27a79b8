// Short ways to write programs down in tests.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "model/program.hpp"

namespace cohort::test {

inline model::Variable bool_var(std::string name, std::vector<model::Value> initial = {}) {
  return {.name = std::move(name), .type = model::Type::boolean(), .initial = std::move(initial), .span = {}};
}

inline model::Variable var_of(std::string name, model::Type type, std::vector<model::Value> initial = {}) {
  return {.name = std::move(name), .type = type, .initial = std::move(initial), .span = {}};
}

inline model::LValue to_shared(model::VarId var) {
  model::LValue target;
  target.var = var;
  return target;
}

inline model::LValue to_local(model::VarId var) {
  model::LValue target;
  target.kind = model::LValue::Kind::Local;
  target.var = var;
  return target;
}

inline model::LValue to_passive(model::VarId var, model::TemplateId templ = {}) {
  model::LValue target;
  target.kind = model::LValue::Kind::Passive;
  target.var = var;
  target.templ = templ;
  return target;
}

// A template with `count` locations labelled L0, L1, ... and entry L0.
inline model::Template template_with(std::string name, std::size_t count) {
  model::Template templ;
  templ.name = std::move(name);
  for (std::size_t i = 0; i < count; ++i)
    templ.add_location({.label = "L" + std::to_string(i), .span = {}, .error = {}});
  return templ;
}

inline std::uint32_t add_edge(model::Template& templ, std::size_t from, std::size_t to, model::Action action = {}) {
  model::Edge edge;
  edge.source = model::LocId(from);
  edge.target = model::LocId(to);
  edge.actions.push_back(std::move(action));
  templ.edges.push_back(std::move(edge));
  return static_cast<std::uint32_t>(templ.edges.size() - 1);
}

inline model::Action assign_action(model::LValue target, model::ExprId value) {
  model::Action action;
  action.assigns.push_back({target, value});
  return action;
}

inline model::Action guard_action(model::ExprId guard) {
  model::Action action;
  action.guard = guard;
  return action;
}

inline model::Action end_action() {
  model::Action action;
  action.ends_thread = true;
  return action;
}

inline model::Action atomic_action(model::AtomicChange change) {
  model::Action action;
  action.atomic = change;
  return action;
}

inline model::Action call_action(std::size_t callee, std::vector<model::ExprId> args = {},
                                 std::vector<std::optional<model::LValue>> results = {}) {
  model::Action action;
  action.call = model::Call{model::TemplateId(callee), std::move(args), std::move(results)};
  return action;
}

inline model::Action return_action(std::vector<model::ExprId> values = {}) {
  model::Action action;
  action.ret = model::Return{std::move(values)};
  return action;
}

inline model::Action spawn_action(std::size_t templ, std::size_t location, bool copies_locals = false) {
  model::Action action;
  action.spawns.push_back({model::TemplateId(templ), model::LocId(location), copies_locals, {}});
  return action;
}

}  // namespace cohort::test
