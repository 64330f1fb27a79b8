#include "model/program.hpp"

#include <algorithm>

#include "base/contract.hpp"
#include "model/analysis/access.hpp"
#include "model/analysis/visit.hpp"

namespace cohort::model {

namespace {

std::uint32_t slots_of(const std::vector<Variable>& variables) {
  return variables.empty() ? 0 : variables.back().slot + variables.back().type.slots();
}

void expect_initial_fits(const Variable& variable) {
  const std::size_t values = variable.initial.size();
  COHORT_EXPECT(values <= 1 || values == variable.type.slots(), "one initial value, or one an element");
  for (const Value value : variable.initial) {
    COHORT_EXPECT(variable.type.contains(value), "an initial value is a value of the type");
  }
}

bool action_uses_thread_refs(const ExprPool& exprs, const Action& action) {
  const auto refers = [&](ExprId root) {
    bool found = false;
    for_each_node(exprs, root, [&](const Expr& node, ExprId) {
      found = found || node.op == Op::Self || node.op == Op::RemoteVar || node.op == Op::AtLocation ||
              node.op == Op::ForallThread || node.op == Op::ExistsThread ||
              (node.op == Op::Cast && node.type.kind() == Type::Kind::ThreadRef);
    });
    return found;
  };
  if (action.guard && refers(*action.guard)) return true;
  if (std::any_of(action.constraint.begin(), action.constraint.end(), refers)) return true;
  return std::any_of(action.assigns.begin(), action.assigns.end(), [&](const Assign& assign) {
    return assign.target.kind == LValue::Kind::Remote || refers(assign.value) ||
           (assign.target.index && refers(*assign.target.index));
  });
}

}  // namespace

VarId Template::add_local(Variable variable) {
  expect_initial_fits(variable);
  variable.slot = slots_of(locals);
  locals.push_back(std::move(variable));
  return VarId(locals.size() - 1);
}

LocId Template::add_location(Location location) {
  locations.push_back(std::move(location));
  return LocId(locations.size() - 1);
}

std::uint32_t Template::local_slots() const {
  return slots_of(locals);
}

VarId Program::add_shared(Variable variable) {
  expect_initial_fits(variable);
  variable.slot = slots_of(shared);
  shared.push_back(std::move(variable));
  return VarId(shared.size() - 1);
}

PropertyId Program::add_property(Property property) {
  properties.push_back(std::move(property));
  return PropertyId(properties.size() - 1);
}

TemplateId Program::add_template(Template templ) {
  templates.push_back(std::move(templ));
  return TemplateId(templates.size() - 1);
}

std::uint32_t Program::shared_slots() const {
  return slots_of(shared);
}

bool is_broadcast(const ExprPool& exprs, const Action& action) {
  if (!action.moves.empty()) return true;
  const auto is_passive = [](const Assign& assign) { return assign.target.kind == LValue::Kind::Passive; };
  if (std::any_of(action.assigns.begin(), action.assigns.end(), is_passive)) return true;
  return std::any_of(action.constraint.begin(), action.constraint.end(),
                     [&](ExprId conjunct) { return mentions(exprs, conjunct, Op::PassiveVar); });
}

bool uses_thread_refs(const Program& program) {
  return any_action(program, [&](const Action& action) { return action_uses_thread_refs(program.exprs, action); });
}

bool looks_for_deadlocks(const Program& program) {
  return std::any_of(program.properties.begin(), program.properties.end(),
                     [](const Property& property) { return property.kind == Property::Kind::Deadlock; });
}

bool is_flat(const Program& program) {
  return !any_action(program, [](const Action& action) { return action.call || action.ret; });
}

std::optional<std::uint32_t> fixed_thread_count(const Program& program) {
  if (creates_threads(program)) return std::nullopt;
  std::uint32_t total = 0;
  for (const InitialThreads& group : program.initial) {
    if (!group.count) return std::nullopt;
    total += *group.count;
  }
  return total;
}

OutEdges::OutEdges(const Template& templ) : edges_(templ.locations.size()) {
  for (std::size_t i = 0; i < templ.edges.size(); ++i) {
    COHORT_EXPECT(templ.edges[i].source.value < edges_.size(), "an edge starts at a location of its template");
    edges_[templ.edges[i].source.value].push_back(static_cast<std::uint32_t>(i));
  }
}

}  // namespace cohort::model
