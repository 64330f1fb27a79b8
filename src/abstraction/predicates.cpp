#include "abstraction/predicates.hpp"

#include <algorithm>
#include <set>

#include <fmt/core.h>

#include "base/contract.hpp"
#include "model/print.hpp"

namespace cohort::abstraction {

using model::ExprId;
using model::Op;
using model::PlaceId;
using model::TemplateId;
using model::VarId;

namespace {

bool assigns(const model::Command& command, model::LValue::Kind kind, const std::vector<VarId>& vars) {
  return std::any_of(command.assigns.begin(), command.assigns.end(), [&](const model::Assign& assign) {
    return assign.target.kind == kind && std::find(vars.begin(), vars.end(), assign.target.var) != vars.end();
  });
}

}  // namespace

bool assigns_shared(const model::Command& command, const Predicate& predicate) {
  return assigns(command, model::LValue::Kind::Shared, predicate.shared_vars);
}

bool assigns_local(const model::Command& command, const Predicate& predicate) {
  return assigns(command, model::LValue::Kind::Local, predicate.local_vars);
}

Predicates::Predicates(const model::Commands& commands, const model::LiveLocals& live, bool everywhere)
    : commands_(commands), live_(live), everywhere_(everywhere), of_(commands.program().templates.size()) {}

bool Predicates::add(ExprId expr, TemplateId templ) {
  std::set<VarId> shared;
  std::set<VarId> local;
  const model::ExprPool& pool = commands_.program().exprs;
  COHORT_EXPECT(pool[expr].type.is_bool(), "a predicate is a Boolean expression");
  for_each_node(pool, expr, [&](const model::Expr& node, ExprId) {
    COHORT_EXPECT(node.op != Op::Nondet && node.op != Op::PassiveVar && !node.primed,
                  "a predicate speaks of one thread and one moment");
    if (node.op == Op::SharedVar) shared.insert(node.var);
    if (node.op == Op::LocalVar) local.insert(node.var);
  });
  COHORT_EXPECT(!shared.empty() || !local.empty(), "a predicate mentions a variable");
  Predicate predicate{
      expr, Predicate::Scope::Shared, templ, {shared.begin(), shared.end()}, {local.begin(), local.end()}};
  if (!local.empty()) predicate.scope = shared.empty() ? Predicate::Scope::Local : Predicate::Scope::Mixed;
  const auto same = [&](const Predicate& other) {
    return other.expr == expr && (other.is_shared() || other.templ == templ);
  };
  if (std::any_of(all_.begin(), all_.end(), same)) return false;
  (predicate.is_shared() ? shared_ : of_[templ.value]).push_back(all_.size());
  all_.push_back(std::move(predicate));
  return true;
}

bool Predicates::known(const Predicate& predicate, PlaceId place) const {
  if (predicate.is_shared()) return true;
  const model::Place& at = commands_.place(place);
  const auto is_live = [&](VarId var) { return live_.live(at.templ, at.location, var); };
  return at.templ == predicate.templ &&
         (everywhere_ || std::all_of(predicate.local_vars.begin(), predicate.local_vars.end(), is_live));
}

std::size_t Predicates::count(Predicate::Scope scope) const {
  return static_cast<std::size_t>(
      std::count_if(all_.begin(), all_.end(), [&](const Predicate& one) { return one.scope == scope; }));
}

std::string Predicates::text(const Predicate& predicate) const {
  const model::Program& program = commands_.program();
  const model::Template& templ = program.templ(predicate.templ);
  std::string text = to_string(program, &templ, predicate.expr);
  if (predicate.is_shared() || program.templates.size() == 1) return text;
  return fmt::format("{}: {}", templ.name, text);
}

}  // namespace cohort::abstraction
