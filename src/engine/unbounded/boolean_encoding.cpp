#include "engine/unbounded/boolean_encoding.hpp"

#include <algorithm>

#include <fmt/core.h>

#include "base/contract.hpp"

namespace cohort::engine::unbounded {

using dd::Bdd;
using model::Op;

namespace {

bool is_boolean_node(const model::Expr& node) {
  switch (node.op) {
    case Op::Const:
    case Op::Nondet:
    case Op::SharedVar:
    case Op::LocalVar:
    case Op::Not:
    case Op::And:
    case Op::Or:
    case Op::Xor:
    case Op::Implies:
    case Op::Eq:
    case Op::Ne:
    case Op::Ite: return node.type.is_bool();
    default: return false;
  }
}

bool is_boolean(const model::Program& program, model::ExprId root) {
  bool fine = true;
  for_each_node(program.exprs, root,
                [&](const model::Expr& node, model::ExprId) { fine = fine && is_boolean_node(node); });
  return fine;
}

std::vector<model::ExprId> expressions(const model::Action& action) {
  std::vector<model::ExprId> all = action.constraint;
  if (action.guard) all.push_back(*action.guard);
  for (const model::Assign& assign : action.assigns) all.push_back(assign.value);
  for (const model::Spawn& spawn : action.spawns) {
    for (const model::Assign& assign : spawn.locals) all.push_back(assign.value);
  }
  return all;
}

std::vector<model::ExprId> choices_of(const model::Program& program, const model::Action& action) {
  std::vector<model::ExprId> choices;
  for (const model::ExprId root : expressions(action)) {
    for_each_node(program.exprs, root, [&](const model::Expr& node, model::ExprId id) {
      if (node.op == Op::Nondet && std::find(choices.begin(), choices.end(), id) == choices.end())
        choices.push_back(id);
    });
  }
  return choices;
}

bool all_boolean(const std::vector<model::Variable>& variables) {
  return std::all_of(variables.begin(), variables.end(),
                     [](const model::Variable& variable) { return variable.type.is_bool(); });
}

bool is_own_step(const model::Program& program, const model::Action& action) {
  if (!action.takes.empty() || model::is_broadcast(program.exprs, action) || action.call || action.ret) return false;
  const auto expressions_of_action = expressions(action);
  return std::all_of(expressions_of_action.begin(), expressions_of_action.end(),
                     [&](model::ExprId root) { return is_boolean(program, root); });
}

}  // namespace

std::optional<std::string> BooleanEncoding::refuses(const model::Program& program) {
  if (!all_boolean(program.shared)) return "a shared variable is no Boolean";
  if (program.initial_condition && !is_boolean(program, *program.initial_condition))
    return "the initial condition is not Boolean";
  for (const model::Property& property : program.properties) {
    if (property.condition && !is_boolean(program, *property.condition)) return "a property is not Boolean";
  }
  for (const model::Template& templ : program.templates) {
    if (!all_boolean(templ.locals)) return "a local variable is no Boolean";
    for (const model::Edge& edge : templ.edges) {
      std::size_t spawns = 0;
      for (const model::Action& action : edge.actions) {
        spawns += action.spawns.size();
        if (!is_own_step(program, action)) return "a step is not one thread's own over Booleans";
      }
      if (spawns > 1) return "a step creates several threads";
    }
  }
  return std::nullopt;
}

BooleanEncoding::BooleanEncoding(Env& env, const model::Program& program) : program_(&program) {
  COHORT_EXPECT(!refuses(program), "only Boolean programs are encoded");
  std::size_t locals = 0;
  std::size_t choices = 0;
  for (const model::Template& templ : program.templates) {
    locals = std::max(locals, templ.locals.size());
    for (const model::Edge& edge : templ.edges) {
      for (const model::Action& action : edge.actions) choices = std::max(choices, choices_of(program, action).size());
    }
  }
  dd::Var next = 0;
  std::vector<std::pair<dd::Var, dd::Var>> to_now;
  std::vector<std::pair<dd::Var, dd::Var>> to_local;
  for (std::size_t i = 0; i < program.shared.size(); ++i) {
    shared_now_.push_back(next++);
    shared_next_.push_back(next++);
    to_now.emplace_back(shared_next_[i], shared_now_[i]);
  }
  for (std::size_t i = 0; i < locals; ++i) {
    local_now_.push_back(next++);
    local_next_.push_back(next++);
    child_.push_back(next++);
    to_now.emplace_back(local_next_[i], local_now_[i]);
    to_local.emplace_back(child_[i], local_now_[i]);
  }
  for (std::size_t i = 0; i < choices; ++i) choice_.push_back(next++);
  manager_ = std::make_unique<dd::Manager>(dd::Settings{
      .variables = std::max<dd::Var>(next, 1), .stop_check = [&env] { return env.poll_now("karp-miller-diagrams"); }});
  shared_ = dd::VarSet(shared_now_);
  locals_ = dd::VarSet(local_now_);
  children_ = dd::VarSet(child_);
  choices_ = dd::VarSet(choice_);
  std::vector<dd::Var> now = shared_now_;
  now.insert(now.end(), local_now_.begin(), local_now_.end());
  now_ = dd::VarSet(now);
  next_to_now_ = std::make_unique<dd::Renaming>(to_now);
  child_to_local_ = std::make_unique<dd::Renaming>(to_local);
  for (std::size_t t = 0; t < program.templates.size(); ++t) {
    auto& edges = edges_.emplace_back();
    auto& relations = relations_.emplace_back();
    for (const model::Edge& edge : program.templates[t].edges) {
      SymbolicEdge symbolic{.target = edge.target};
      auto& actions = relations.emplace_back();
      for (const model::Action& action : edge.actions) {
        symbolic.ends = symbolic.ends || action.ends_thread;
        if (action.atomic != model::AtomicChange::None) symbolic.atomic = action.atomic;
        for (const model::Spawn& spawn : action.spawns) symbolic.child = {spawn.templ, spawn.location};
        actions.push_back(relation(model::TemplateId(t), action));
      }
      edges.push_back(symbolic);
    }
  }
}

Bdd BooleanEncoding::encode(model::ExprId expr, const std::vector<model::ExprId>& choices) const {
  const model::Expr& node = program_->exprs[expr];
  const auto arg = [&](std::size_t i) { return encode(node.args[i], choices); };
  switch (node.op) {
    case Op::Const: return Bdd(node.value != 0);
    case Op::Nondet: {
      const auto it = std::find(choices.begin(), choices.end(), expr);
      COHORT_EXPECT(it != choices.end(), "every choice of the action has a variable");
      return manager_->literal(choice_[static_cast<std::size_t>(it - choices.begin())]);
    }
    case Op::SharedVar: return manager_->literal((node.primed ? shared_next_ : shared_now_)[node.var.value]);
    case Op::LocalVar: return manager_->literal((node.primed ? local_next_ : local_now_)[node.var.value]);
    case Op::Not: return !arg(0);
    case Op::And: return arg(0) & arg(1);
    case Op::Or: return arg(0) | arg(1);
    case Op::Xor:
    case Op::Ne: return arg(0) ^ arg(1);
    case Op::Implies: return implies(arg(0), arg(1));
    case Op::Eq: return equivalent(arg(0), arg(1));
    case Op::Ite: return ite(arg(0), arg(1), arg(2));
    default: COHORT_UNREACHABLE("only Boolean expressions are encoded");
  }
}

Bdd BooleanEncoding::relation(model::TemplateId templ_id, const model::Action& action) const {
  const model::Template& templ = program_->templ(templ_id);
  const auto choices = choices_of(*program_, action);
  Bdd result = action.guard ? encode(*action.guard, choices) : Bdd(true);
  std::vector<std::optional<Bdd>> shared(program_->shared.size());
  std::vector<std::optional<Bdd>> locals(templ.locals.size());
  for (const model::Assign& assign : action.assigns) {
    auto& values = assign.target.kind == model::LValue::Kind::Shared ? shared : locals;
    values[assign.target.var.value] = encode(assign.value, choices);
  }
  for (std::size_t i = 0; i < shared.size(); ++i) {
    result &= equivalent(manager_->literal(shared_next_[i]), shared[i].value_or(manager_->literal(shared_now_[i])));
  }
  for (std::size_t i = 0; i < locals.size(); ++i) {
    result &= equivalent(manager_->literal(local_next_[i]), locals[i].value_or(manager_->literal(local_now_[i])));
  }
  for (const model::ExprId conjunct : action.constraint) result &= encode(conjunct, choices);
  for (const model::Spawn& spawn : action.spawns) {
    const auto& variables = program_->templ(spawn.templ).locals;
    std::vector<std::optional<Bdd>> values(variables.size());
    for (std::size_t i = 0; i < variables.size(); ++i) {
      if (spawn.copies_locals) {
        values[i] = manager_->literal(local_now_[i]);
      } else if (!variables[i].initial.empty()) {
        values[i] = Bdd(variables[i].initial[0] != 0);
      }
    }
    for (const model::Assign& assign : spawn.locals) values[assign.target.var.value] = encode(assign.value, choices);
    for (std::size_t i = 0; i < variables.size(); ++i) {
      if (values[i]) result &= equivalent(manager_->literal(child_[i]), *values[i]);
    }
  }
  return exists(result, choices_);
}

Bdd BooleanEncoding::image(model::EdgeRef ref, const Bdd& states) const {
  Bdd current = states;
  for (const Bdd& relation : relations_[ref.templ.value][ref.edge]) {
    current = (*next_to_now_)(and_exists(current, relation, now_));
  }
  return edge(ref).ends ? exists(current, locals_) : current;
}

Bdd BooleanEncoding::valuation(const std::vector<model::Variable>& variables, const std::vector<dd::Var>& at) const {
  Bdd result(true);
  for (std::size_t i = 0; i < variables.size(); ++i) {
    if (!variables[i].initial.empty()) result &= manager_->literal(at[i], variables[i].initial[0] != 0);
  }
  return result;
}

Bdd BooleanEncoding::initial_shared() const {
  Bdd result = valuation(program_->shared, shared_now_);
  if (program_->initial_condition) result &= encode(*program_->initial_condition, {});
  return result;
}

Bdd BooleanEncoding::initial_locals(model::TemplateId templ) const {
  return valuation(program_->templ(templ).locals, local_now_);
}

Bdd BooleanEncoding::shared_condition(model::ExprId condition) const {
  return encode(condition, {});
}

}  // namespace cohort::engine::unbounded
