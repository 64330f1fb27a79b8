#include "engine/symbolic/transitions.hpp"

#include <algorithm>
#include <set>

#include <fmt/core.h>

#include "base/contract.hpp"
#include "model/passive.hpp"

namespace cohort::engine::symbolic {

using model::Action;
using model::Assign;
using model::Expr;
using model::ExprId;
using model::LValue;
using model::Op;

// How names and choices of the action at hand are read: each Nondet node has its choice variable, and a primed variable
// that the action does not assign is its value before.
struct Transitions::Choices {
  std::unordered_map<ExprId, dd::Var> variables;
  std::set<std::uint32_t> assigned_shared;
  std::set<std::uint32_t> assigned_local;
  std::set<std::uint32_t> assigned_passive;

  explicit Choices(const Action& action) {
    for (const Assign& assign : action.assigns) {
      switch (assign.target.kind) {
        case LValue::Kind::Shared: assigned_shared.insert(assign.target.var.value); break;
        case LValue::Kind::Local: assigned_local.insert(assign.target.var.value); break;
        case LValue::Kind::Passive: assigned_passive.insert(assign.target.var.value); break;
        case LValue::Kind::Remote: COHORT_UNREACHABLE("remote writes are refused");
      }
    }
  }
};

namespace {

bool is_passive_conjunct(const model::Program& program, ExprId conjunct) {
  return model::mentions(program.exprs, conjunct, Op::PassiveVar);
}

dd::Bdd initial_values(const Encoding& encoding, const std::vector<model::Variable>& variables,
                       const std::function<dd::Var(std::size_t)>& var_of) {
  dd::Bdd result(true);
  for (const model::Variable& variable : variables) {
    if (!variable.initial.empty()) result &= encoding.literal(var_of(variable.slot), variable.initial[0] != 0);
  }
  return result;
}

}  // namespace

Transitions::Transitions(const model::Program& program, const Encoding& encoding)
    : program_(&program), encoding_(&encoding) {
  for (std::size_t t = 0; t < program.templates.size(); ++t) {
    const model::Template& templ = program.templates[t];
    edges_.emplace_back(templ.locations.size());
    for (std::uint32_t e = 0; e < templ.edges.size(); ++e) {
      edges_.back()[templ.edges[e].source.value].push_back(compile({model::TemplateId(t), e}));
      ++edge_count_;
      if (!edges_.back()[templ.edges[e].source.value].back().splice_candidates.empty()) ++candidate_count_;
    }
    always_enabled_.emplace_back();
    for (const auto& leaving : edges_.back()) {
      dd::Bdd some;
      for (const EdgeRelation& edge : leaving) some |= edge.enabled;
      always_enabled_.back().push_back(some.is_true());
    }
  }
}

const EdgeRelation& Transitions::edge(model::EdgeRef ref) const {
  for (const EdgeRelation& relation : from(ref.templ, program_->edge(ref).source)) {
    if (relation.ref == ref) return relation;
  }
  COHORT_UNREACHABLE("every edge has a relation");
}

dd::Bdd Transitions::initial_shared() const {
  dd::Bdd result =
      initial_values(*encoding_, program_->shared, [&](std::size_t slot) { return encoding_->shared(slot); });
  if (program_->initial_condition) result &= condition(*program_->initial_condition);
  return result;
}

dd::Bdd Transitions::initial_locals(model::TemplateId templ) const {
  return initial_values(*encoding_, program_->templ(templ).locals,
                        [&](std::size_t slot) { return encoding_->local(slot); });
}

dd::Bdd Transitions::condition(ExprId root) const {
  Choices none{Action{}};
  return expression(root, none);
}

EdgeRelation Transitions::compile(model::EdgeRef ref) const {
  const model::Edge& edge = program_->edge(ref);
  EdgeRelation result;
  result.ref = ref;
  result.target = edge.target;
  for (const Action& action : edge.actions) {
    find_splices(action, result);
    if (action.atomic != model::AtomicChange::None) result.atomic = action.atomic;
    result.ends = result.ends || action.ends_thread;
    for (const model::Spawn& spawn : action.spawns) result.children.push_back({spawn.templ, spawn.location});
    if (model::is_broadcast(program_->exprs, action)) {
      COHORT_EXPECT(!result.broadcast, "an edge broadcasts at most once");
      result.broadcast = compile_broadcast(ref.templ, action);
      result.touches_shared = true;
      continue;
    }
    Relation& part = result.broadcast ? result.rest : result.main;
    part = compose(*encoding_, part, compile_active(action));
  }
  for (std::size_t i = 0; i < result.children.size(); ++i) {
    for (const dd::Var variable : encoding_->child_vars(i)) result.child_vars.push_back(variable);
  }
  result.may_splice = result.may_splice || !result.children.empty() || result.broadcast;
  if (!result.broadcast) result.enabled = domain(result.main, result.child_vars);
  return result;
}

Relation Transitions::compile_active(const Action& action) const {
  Choices choices(action);
  dd::Bdd relation(true);
  if (action.guard) relation &= expression(*action.guard, choices);
  std::vector<dd::Var> modified;
  for (auto it = action.assigns.begin(); it != action.assigns.end(); ++it) {
    const LValue& target = it->target;
    if (target.kind == LValue::Kind::Passive) continue;
    const dd::Var before =
        target.kind == LValue::Kind::Shared ? encoding_->shared(target.var.value) : encoding_->local(target.var.value);
    COHORT_EXPECT(std::find(modified.begin(), modified.end(), before) == modified.end(),
                  "an action assigns a variable once");
    modified.push_back(before);
    relation &= dd::equivalent(encoding_->literal(Encoding::after(before)), expression(it->value, choices));
  }
  for (const ExprId conjunct : action.constraint) {
    if (!is_passive_conjunct(*program_, conjunct)) relation &= expression(conjunct, choices);
  }
  relation &= compile_children(action, choices);
  return {dd::exists(relation, encoding_->choice_vars()), dd::VarSet(std::move(modified))};
}

dd::Bdd Transitions::compile_children(const Action& action, Choices& choices) const {
  dd::Bdd relation(true);
  for (std::size_t number = 0; number < action.spawns.size(); ++number) {
    const model::Spawn& spawn = action.spawns[number];
    const model::Template& templ = program_->templ(spawn.templ);
    for (const model::Variable& local : templ.locals) {
      const dd::Bdd start = encoding_->literal(encoding_->child(number, local.slot));
      const auto given = std::find_if(spawn.locals.begin(), spawn.locals.end(), [&](const Assign& assign) {
        return templ.local(assign.target.var).slot == local.slot;
      });
      if (given != spawn.locals.end()) {
        relation &= dd::equivalent(start, expression(given->value, choices));
      } else if (spawn.copies_locals) {
        relation &= dd::equivalent(start, encoding_->literal(encoding_->local(local.slot)));
      } else if (!local.initial.empty()) {
        relation &= local.initial[0] != 0 ? start : !start;
      }
    }
  }
  return relation;
}

BroadcastPart Transitions::compile_broadcast(model::TemplateId templ, const Action& action) const {
  BroadcastPart part;
  part.active = compile_active(action);
  Choices choices(action);
  std::vector<dd::Var> modified;
  for (const Assign& assign : action.assigns) {
    if (assign.target.kind != LValue::Kind::Passive) continue;
    const dd::Var before = encoding_->passive(program_->templ(templ).local(assign.target.var).slot);
    COHORT_EXPECT(std::find(modified.begin(), modified.end(), before) == modified.end(),
                  "an action assigns a variable once");
    modified.push_back(before);
    part.passive &= dd::equivalent(encoding_->literal(Encoding::after(before)), expression(assign.value, choices));
  }
  for (const ExprId conjunct : action.constraint) {
    if (is_passive_conjunct(*program_, conjunct)) part.passive &= expression(conjunct, choices);
  }
  part.passive = dd::exists(part.passive, encoding_->choice_vars());
  part.passive_modified = dd::VarSet(std::move(modified));
  std::set<dd::Var> passive_side;
  for (std::uint32_t slot = 0; slot < encoding_->local_slots(); ++slot) {
    passive_side.insert(encoding_->passive(slot));
    passive_side.insert(encoding_->passive(slot, Copy::After));
  }
  std::vector<dd::Var> deciding;
  for (const dd::Var variable : dd::support(part.passive)) {
    if (!passive_side.contains(variable)) deciding.push_back(variable);
  }
  part.deciding = dd::VarSet(std::move(deciding));
  return part;
}

dd::Bdd Transitions::variable(const Expr& node, const Choices& choices) const {
  const std::uint32_t var = node.var.value;
  switch (node.op) {
    case Op::SharedVar:
      return encoding_->literal(
          encoding_->shared(var, node.primed && choices.assigned_shared.contains(var) ? Copy::After : Copy::Before));
    case Op::LocalVar:
      return encoding_->literal(
          encoding_->local(var, node.primed && choices.assigned_local.contains(var) ? Copy::After : Copy::Before));
    case Op::PassiveVar:
      return encoding_->literal(
          encoding_->passive(var, node.primed && choices.assigned_passive.contains(var) ? Copy::After : Copy::Before));
    default: COHORT_UNREACHABLE("a variable of a Boolean program");
  }
}

dd::Bdd Transitions::expression(ExprId id, Choices& choices) const {
  const Expr& node = program_->exprs[id];
  const auto argument = [&](std::size_t i) { return expression(node.args[i], choices); };
  switch (node.op) {
    case Op::Const: return dd::Bdd(node.value != 0);
    case Op::Nondet: {
      const auto next = encoding_->choice(choices.variables.size());
      return encoding_->literal(choices.variables.emplace(id, next).first->second);
    }
    case Op::SharedVar:
    case Op::LocalVar:
    case Op::PassiveVar: return variable(node, choices);
    case Op::Not: return !argument(0);
    case Op::And: return argument(0) & argument(1);
    case Op::Or: return argument(0) | argument(1);
    case Op::Xor:
    case Op::Ne: return argument(0) ^ argument(1);
    case Op::Implies: return dd::implies(argument(0), argument(1));
    case Op::Eq: return dd::equivalent(argument(0), argument(1));
    case Op::Ite: return dd::ite(argument(0), argument(1), argument(2));
    case Op::Cast: return argument(0);
    default: COHORT_UNREACHABLE("an operator of a Boolean program");
  }
}

void Transitions::find_splices(const Action& action, EdgeRelation& edge) const {
  std::set<ExprId> choices_seen;
  const auto look_at = [&](ExprId root, unsigned target_side, std::optional<dd::Var> target) {
    unsigned sides = target_side;
    std::vector<dd::Var> shared;
    std::set<ExprId> choices;
    if (target) shared.push_back(*target);
    model::for_each_node(program_->exprs, root, [&](const Expr& node, ExprId id) {
      if (node.op == Op::SharedVar) {
        sides |= 1U;
        shared.push_back(encoding_->shared(node.var.value));
      }
      if (node.op == Op::LocalVar || node.op == Op::PassiveVar) sides |= 2U;
      if (node.op == Op::Nondet) choices.insert(id);
    });
    // A choice that two parts of the action share ties them to each other.
    for (const ExprId choice : choices) edge.may_splice = !choices_seen.insert(choice).second || edge.may_splice;
    if ((sides & 1U) != 0) edge.touches_shared = true;
    if (sides == 3) {
      edge.may_splice = true;
      edge.splice_candidates.insert(edge.splice_candidates.end(), shared.begin(), shared.end());
    }
  };
  if (action.guard) look_at(*action.guard, 0, std::nullopt);
  for (const Assign& assign : action.assigns) {
    const bool is_shared = assign.target.kind == LValue::Kind::Shared;
    look_at(assign.value, is_shared ? 1U : 2U,
            is_shared ? std::optional(encoding_->shared(assign.target.var.value)) : std::nullopt);
  }
  for (const ExprId conjunct : action.constraint) look_at(conjunct, 0, std::nullopt);
  for (const model::Spawn& spawn : action.spawns) {
    for (const Assign& assign : spawn.locals) look_at(assign.value, 2U, std::nullopt);
  }
  std::sort(edge.splice_candidates.begin(), edge.splice_candidates.end());
  edge.splice_candidates.erase(std::unique(edge.splice_candidates.begin(), edge.splice_candidates.end()),
                               edge.splice_candidates.end());
}

namespace {

std::optional<std::string> unencodable_variables(const std::vector<model::Variable>& variables) {
  for (const model::Variable& variable : variables) {
    if (!variable.type.is_bool()) return fmt::format("variable {} is not Boolean", variable.name);
  }
  return std::nullopt;
}

bool is_boolean(const model::ExprPool& exprs, ExprId root, bool shared_only) {
  bool fine = true;
  model::for_each_node(exprs, root, [&](const Expr& node, ExprId) {
    switch (node.op) {
      case Op::LocalVar:
      case Op::PassiveVar:
      case Op::Nondet: fine = fine && !shared_only; [[fallthrough]];
      case Op::Const:
      case Op::SharedVar:
      case Op::Not:
      case Op::And:
      case Op::Or:
      case Op::Xor:
      case Op::Implies:
      case Op::Eq:
      case Op::Ne:
      case Op::Ite:
      case Op::Cast: fine = fine && node.type.is_bool(); break;
      default: fine = false;
    }
  });
  return fine;
}

bool is_boolean(const model::ExprPool& exprs, const Action& action) {
  const auto fine = [&](ExprId root) { return is_boolean(exprs, root, false); };
  const auto assign_fine = [&](const Assign& assign) {
    return assign.target.kind != LValue::Kind::Remote && fine(assign.value);
  };
  return (!action.guard || fine(*action.guard)) &&
         std::all_of(action.assigns.begin(), action.assigns.end(), assign_fine) &&
         std::all_of(action.constraint.begin(), action.constraint.end(), fine) &&
         std::all_of(action.spawns.begin(), action.spawns.end(), [&](const model::Spawn& spawn) {
           return std::all_of(spawn.locals.begin(), spawn.locals.end(), assign_fine);
         });
}

std::optional<std::string> unencodable_action(const model::Program& program, const Action& action) {
  const std::string place = to_string(action.span);
  const std::string at = place.empty() ? std::string() : " at " + place;
  if (!is_boolean(program.exprs, action)) return "the statement" + at + " is not over Boolean variables of one thread";
  if (!action.takes.empty()) return "the statement" + at + " takes other threads along";
  if (!action.moves.empty()) return "the statement" + at + " moves passive threads to another place";
  return std::nullopt;
}

}  // namespace

std::optional<std::string> unencodable(const model::Program& program) {
  if (auto problem = unencodable_variables(program.shared)) return problem;
  if (const auto what = model::first_tie(program)) return "it ties several passive threads to each other: " + *what;
  if (const auto what = model::first_foreign_passive(program)) {
    return "it speaks of passive threads of another template: " + *what;
  }
  for (const model::Template& templ : program.templates) {
    if (auto problem = unencodable_variables(templ.locals)) return problem;
    for (const model::Edge& edge : templ.edges) {
      for (const Action& action : edge.actions) {
        if (auto problem = unencodable_action(program, action)) return problem;
      }
    }
  }
  const auto over_shared = [&](const std::optional<ExprId>& root) {
    return !root || is_boolean(program.exprs, *root, true);
  };
  if (!over_shared(program.initial_condition))
    return "the initial condition speaks of more than Boolean shared variables";
  for (const model::Property& property : program.properties) {
    if (!over_shared(property.condition)) return "a property speaks of more than Boolean shared variables";
  }
  return std::nullopt;
}

}  // namespace cohort::engine::symbolic
