#include "engine/pointer/activity.hpp"

#include <algorithm>

#include "base/contract.hpp"
#include "model/analysis/visit.hpp"

namespace cohort::engine::pointer {

using model::Expr;
using model::ExprId;
using model::LValue;
using model::Op;
using model::Type;

namespace {

// Locals that other processes or properties can read.
std::vector<bool> observed_locals(const Layout& layout) {
  const model::Program& program = layout.program();
  std::vector<bool> observed(layout.templ().locals.size(), false);
  const auto observe = [&](const Expr& node, ExprId) {
    if (node.op == Op::RemoteVar) observed[node.var.value] = true;
  };
  for (const model::Edge& edge : layout.templ().edges) {
    for (const model::Action& action : edge.actions) for_each_node(program.exprs, action, observe);
  }
  for (const model::Property& property : program.properties) {
    if (property.condition) for_each_node(program.exprs, *property.condition, observe);
  }
  return observed;
}

bool reads(const model::ExprPool& pool, ExprId root, std::size_t var) {
  bool found = false;
  for_each_node(pool, root,
                [&](const Expr& node, ExprId) { found = found || (node.op == Op::LocalVar && node.var.value == var); });
  return found;
}

}  // namespace

Activity::Activity(const Layout& layout) : layout_(&layout) {
  find_atoms();
  solve(observed_locals(layout));
}

Activity Activity::everything(const Layout& layout) {
  Activity result(layout, Unanalysed{});
  result.active_.assign(layout.templ().locations.size(),
                        std::vector<Condition>(layout.templ().locals.size(), result.always()));
  return result;
}

Activity::Condition Activity::always() const {
  const std::size_t valuations = std::size_t{1} << atoms_.size();
  return valuations == 64 ? ~Condition{0} : (Condition{1} << valuations) - 1;
}

void Activity::find_atoms() {
  const model::Template& templ = layout_->templ();
  std::vector<bool> written_by_others(templ.locals.size(), false);
  for (const model::Edge& edge : templ.edges) {
    for (const model::Action& action : edge.actions) {
      for (const model::Assign& assign : action.assigns) {
        if (assign.target.kind == LValue::Kind::Remote) written_by_others[assign.target.var.value] = true;
      }
    }
  }
  for (std::uint32_t var = 0; var < templ.locals.size() && atoms_.size() < most_atoms; ++var) {
    if (layout_->local(var).pointer && !written_by_others[var]) atoms_.push_back(var);
  }
}

std::size_t Activity::atom_of(std::uint32_t var) const {
  return static_cast<std::size_t>(std::find(atoms_.begin(), atoms_.end(), var) - atoms_.begin());
}

void Activity::solve(const std::vector<bool>& observed) {
  const model::Template& templ = layout_->templ();
  active_.assign(templ.locations.size(), std::vector<Condition>(templ.locals.size(), 0));
  for (std::size_t var = 0; var < templ.locals.size(); ++var) {
    if (!observed[var]) continue;
    for (auto& at : active_) at[var] = always();
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (const model::Edge& edge : templ.edges) {
      for (std::size_t var = 0; var < templ.locals.size(); ++var) {
        Condition& here = active_[edge.source.value][var];
        Condition grown = here | before_edge(edge, var);
        // Whether x is active must not depend on x.
        if (const std::size_t atom = atom_of(static_cast<std::uint32_t>(var)); atom < atoms_.size()) {
          for (std::size_t v = 0; v < (std::size_t{1} << atoms_.size()); ++v) {
            if ((grown >> v & 1U) != 0) grown |= Condition{1} << (v ^ (std::size_t{1} << atom));
          }
        }
        changed = changed || grown != here;
        here = grown;
      }
    }
  }
}

Activity::Condition Activity::before_edge(const model::Edge& edge, std::size_t var) const {
  Condition condition = active_[edge.target.value][var];
  for (auto action = edge.actions.rbegin(); action != edge.actions.rend(); ++action) {
    condition = before_action(*action, var, condition);
  }
  return condition;
}

Activity::Condition Activity::before_action(const model::Action& action, std::size_t var, Condition after) const {
  const model::ExprPool& pool = layout_->program().exprs;
  Condition before = 0;
  for (std::size_t v = 0; v < (std::size_t{1} << atoms_.size()); ++v) {
    bool active = action.guard && reads(pool, *action.guard, var);
    const bool passes = !action.guard || judge(*action.guard, v) != Truth::False;
    if (passes && !active) {
      bool written = false;
      for (const model::Assign& assign : action.assigns) {
        active =
            active || reads(pool, assign.value, var) || (assign.target.ref && reads(pool, *assign.target.ref, var));
        if (assign.target.kind == LValue::Kind::Shared || assign.target.var.value != var) continue;
        written = written || assign.target.kind == LValue::Kind::Local ||
                  points_to_self(*assign.target.ref, v) == Truth::True;
      }
      active = active || (!written && (after & valuations_after(action, v)) != 0);
    }
    if (active) before |= Condition{1} << v;
  }
  return before;
}

Activity::Truth Activity::points_to_self(ExprId pointer, std::size_t valuation) const {
  const Expr& node = layout_->program().exprs[pointer];
  if (node.op == Op::Self) return Truth::True;
  if (node.op == Op::Const && node.value == 0) return Truth::False;
  if (node.op != Op::LocalVar) return Truth::Unknown;
  const std::size_t atom = atom_of(node.var.value);
  if (atom == atoms_.size()) return Truth::Unknown;
  return (valuation >> atom & 1U) != 0 ? Truth::True : Truth::False;
}

Activity::Condition Activity::valuations_after(const model::Action& action, std::size_t valuation) const {
  Condition result = Condition{1} << valuation;
  for (const model::Assign& assign : action.assigns) {
    if (assign.target.kind != LValue::Kind::Local) continue;
    const std::size_t atom = atom_of(assign.target.var.value);
    if (atom == atoms_.size()) continue;
    const Truth value = points_to_self(assign.value, valuation);
    const std::size_t bit = std::size_t{1} << atom;
    Condition next = 0;
    for (std::size_t v = 0; v < (std::size_t{1} << atoms_.size()); ++v) {
      if ((result >> v & 1U) == 0) continue;
      if (value != Truth::False) next |= Condition{1} << (v | bit);
      if (value != Truth::True) next |= Condition{1} << (v & ~bit);
    }
    result = next;
  }
  return result;
}

// What the atoms alone say of a condition.
Activity::Truth Activity::judge(ExprId condition, std::size_t valuation) const {
  const Expr& node = layout_->program().exprs[condition];
  const auto negate = [](Truth truth) {
    return truth == Truth::Unknown ? truth : truth == Truth::True ? Truth::False : Truth::True;
  };
  switch (node.op) {
    case Op::Not: return negate(judge(node.args[0], valuation));
    case Op::And:
    case Op::Or: {
      const Truth decides = node.op == Op::And ? Truth::False : Truth::True;
      const Truth left = judge(node.args[0], valuation);
      const Truth right = judge(node.args[1], valuation);
      if (left == decides || right == decides) return decides;
      return left == right ? left : Truth::Unknown;
    }
    case Op::Eq:
    case Op::Ne: {
      if (layout_->program().exprs[node.args[0]].type.kind() != Type::Kind::ThreadRef) return Truth::Unknown;
      const Truth left = points_to_self(node.args[0], valuation);
      const Truth right = points_to_self(node.args[1], valuation);
      if (left == Truth::Unknown || right == Truth::Unknown) return Truth::Unknown;
      if (left == Truth::False && right == Truth::False) return Truth::Unknown;
      const bool equal = left == right;
      return equal == (node.op == Op::Eq) ? Truth::True : Truth::False;
    }
    default: return Truth::Unknown;
  }
}

std::size_t Activity::valuation(std::span<const Cell> cells, std::size_t process) const {
  std::size_t result = 0;
  for (std::size_t atom = 0; atom < atoms_.size(); ++atom) {
    if (cells[layout_->local_cell(process, atoms_[atom])] == process + 1) result |= std::size_t{1} << atom;
  }
  return result;
}

void Activity::reset(std::span<Cell> cells) const {
  for (std::size_t process = 0; process < layout_->processes(); ++process) reset(cells, process);
}

void Activity::reset(std::span<Cell> cells, std::size_t process) const {
  const auto& active = active_[cells[layout_->location_cell(process)]];
  const std::size_t v = valuation(cells, process);
  for (std::size_t var = 0; var < active.size(); ++var) {
    if ((active[var] >> v & 1U) == 0) cells[layout_->local_cell(process, var)] = layout_->local(var).default_cell;
  }
}

}  // namespace cohort::engine::pointer
