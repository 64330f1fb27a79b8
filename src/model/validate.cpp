// One walk over the program.  Expressions are checked against the scope they stand in: which template's locals they may
// name, whether they may speak of the state after the step (primed) or of passive threads, whether they may choose
// (`*`), and how many quantifiers enclose them.  Types are checked by class (Boolean, number, thread reference), not by
// width: assignments wrap or fault as the type of the target says.
#include "model/validate.hpp"
#include "model/analysis/visit.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "base/contract.hpp"
#include "model/property.hpp"

namespace cohort::model {

namespace {

enum class TypeClass { Boolean, Number, Reference, Array };

TypeClass class_of(const Type& type) {
  if (type.is_array()) return TypeClass::Array;
  switch (type.kind()) {
    case Type::Kind::Bool: return TypeClass::Boolean;
    case Type::Kind::ThreadRef: return TypeClass::Reference;
    default: return TypeClass::Number;
  }
}

struct Scope {
  const Template* templ = nullptr;  // none: no thread executes here, so there are neither locals nor Self
  bool primed = false;
  bool passive = false;
  bool choices = true;
  bool quantifiers = true;
};

bool effective(const Program& program, const Action& action) {
  return !action.spawns.empty() || !action.takes.empty() || action.ends_thread || is_broadcast(program.exprs, action);
}

class Validator {
 public:
  explicit Validator(const Program& program) : program_(program) {}

  void run() {
    place_ = "shared variables";
    check_variables(program_.shared);
    for (std::size_t i = 0; i < program_.properties.size(); ++i) check_property(program_.properties[i], i);
    for (const Template& templ : program_.templates) check_signature(templ);
    for (const Template& templ : program_.templates) check_edges(templ);
    place_ = "initial threads";
    for (const InitialThreads& group : program_.initial) check_location(group.templ, group.location);
    if (program_.initial_condition) {
      place_ = "initial condition";
      check_boolean(*program_.initial_condition, {.choices = false}, "the initial condition");
    }
  }

 private:
  std::string place() const {
    std::string text = place_;
    if (edge_) text += fmt::format(", edge {}", *edge_);
    if (action_) text += fmt::format(", action {}", *action_);
    return text;
  }

  // The words are put together where they are needed only: a program may have very many parts.
  template <class... Arguments>
  void require(bool holds, fmt::format_string<Arguments...> rule, Arguments&&... arguments) const {
    if (holds) return;
    throw InternalError(
        fmt::format("invalid program: {}: {}", place(), fmt::format(rule, std::forward<Arguments>(arguments)...)));
  }

  void check_variables(const std::vector<Variable>& variables) const {
    std::uint32_t slot = 0;
    for (const Variable& variable : variables) {
      require(variable.slot == slot, "the slots of the variables follow each other up to {}", variable.name);
      slot += variable.type.slots();
      const std::size_t values = variable.initial.size();
      require(values <= 1 || values == variable.type.slots(), "{} has one initial value, or one for each element",
              variable.name);
      for (const Value value : variable.initial) {
        require(variable.type.element().contains(value), "the initial value {} of {} is of its type", value,
                variable.name);
      }
    }
  }

  const Template& check_template_id(TemplateId id) const {
    require(id.value < program_.templates.size(), "template {} exists", id.value);
    return program_.templ(id);
  }

  void check_location(TemplateId id, LocId location) const {
    const Template& templ = check_template_id(id);
    require(location.value < templ.locations.size(), "location {} of template {} exists", location.value, templ.name);
  }

  void check_property(const Property& property, std::size_t index) {
    place_ = fmt::format("property {}", index);
    for (const auto& [templ, location] : property.threads) check_location(templ, location);
    const bool cover = property.kind == Property::Kind::Cover;
    require(cover || property.threads.empty(), "only a Cover property names locations");
    if (property.kind == Property::Kind::Condition)
      require(property.condition.has_value(), "a Condition property has a condition");
    if (!property.condition) return;
    require(cover || property.kind == Property::Kind::Condition,
            "only Cover and Condition properties have a condition");
    check_boolean(*property.condition, {.choices = false, .quantifiers = !cover}, "a property's condition");
  }

  void check_signature(const Template& templ) {
    place_ = fmt::format("template {}", templ.name);
    check_variables(templ.locals);
    std::set<VarId> params;
    for (const VarId param : templ.params) {
      require(param.value < templ.locals.size(), "each parameter is a local variable");
      require(params.insert(param).second, "no local variable is two parameters");
      require(!templ.local(param).type.is_array(), "a parameter is a scalar");
    }
    require(templ.entry.value < templ.locations.size(), "the entry location exists");
    for (const Location& location : templ.locations) {
      if (!location.error) continue;
      require(location.error->value < program_.properties.size(), "the property of an error location exists");
      require(is_at_location(program_.properties[location.error->value].kind),
              "an error location is marked with an assertion, an error label or a cut");
    }
  }

  void check_edges(const Template& templ) {
    place_ = fmt::format("template {}", templ.name);
    for (std::size_t i = 0; i < templ.edges.size(); ++i) {
      edge_ = i;
      check_edge(templ, templ.edges[i]);
    }
    edge_.reset();
  }

  void check_edge(const Template& templ, const Edge& edge) {
    require(edge.source.value < templ.locations.size() && edge.target.value < templ.locations.size(),
            "source and target are locations of the template");
    require(!edge.actions.empty(), "an edge has at least one action");
    std::size_t effects = 0;
    std::set<ExprId> choices;
    for (std::size_t i = 0; i < edge.actions.size(); ++i) {
      const Action& action = edge.actions[i];
      action_ = i;
      check_action(templ, action);
      require(i + 1 == edge.actions.size() || !action.ends_thread, "nothing follows the end of the thread");
      require(edge.actions.size() == 1 || (!action.call && !action.ret), "a call or return is alone on its edge");
      if (effective(program_, action)) ++effects;
      for (const ExprId choice : choices_of(action)) {
        require(choices.insert(choice).second, "no nondeterministic choice is shared by two actions of one edge");
      }
    }
    action_.reset();
    require(effects <= 1, "at most one action of an edge spawns, broadcasts, takes or ends");
  }

  std::set<ExprId> choices_of(const Action& action) const {
    std::set<ExprId> choices;
    const auto collect = [&](ExprId root) {
      for_each_node(program_.exprs, root, [&](const Expr& node, ExprId id) {
        if (node.op == Op::Nondet) choices.insert(id);
      });
    };
    for_each_root(action, collect);
    return choices;
  }

  void check_action(const Template& templ, const Action& action) const {
    const Scope before{.templ = &templ};
    if (action.guard) check_boolean(*action.guard, before, "a guard");
    check_assigns(templ, action.assigns);
    for (const ExprId conjunct : action.constraint) {
      check_boolean(conjunct, {.templ = &templ, .primed = true, .passive = true}, "a conjunct of a constraint");
      check_passive(conjunct);
    }
    for (const Take& take : action.takes) {
      check_location(take.templ, take.from);
      if (take.to) check_location(take.templ, *take.to);
    }
    for (const PassiveMove& move : action.moves) {
      check_location(move.templ, move.from);
      check_location(move.templ, move.to);
    }
    const auto is_local = [](const Assign& assign) { return assign.target.kind == LValue::Kind::Local; };
    require(action.spawns.empty() || std::none_of(action.assigns.begin(), action.assigns.end(), is_local),
            "an action that spawns assigns no locals");
    for (const Spawn& spawn : action.spawns) check_spawn(templ, spawn);
    if (action.call) check_call(templ, action);
    if (action.ret) check_return(templ, action);
  }

  void check_spawn(const Template& templ, const Spawn& spawn) const {
    check_location(spawn.templ, spawn.location);
    const Template& child = program_.templ(spawn.templ);
    require(!spawn.copies_locals || &child == &templ, "only a thread of the same template copies its creator's locals");
    std::set<std::pair<VarId, std::optional<ExprId>>> seen;
    for (const Assign& assign : spawn.locals) {
      require(assign.target.kind == LValue::Kind::Local, "a spawn sets locals of the new thread only");
      require(assign.target.var.value < child.locals.size(), "the local that a spawn sets exists");
      require(seen.emplace(assign.target.var, assign.target.index).second, "a spawn sets no local twice");
      const Type& type = child.local(assign.target.var).type;
      check_access(type, assign.target.index, {.templ = &templ});
      check_value(assign.value, type.element(), {.templ = &templ});
    }
  }

  void check_alone(const Action& action) const {
    require(action.assigns.empty() && action.constraint.empty() && action.takes.empty() && action.moves.empty() &&
                action.spawns.empty() && !action.ends_thread && action.atomic == AtomicChange::None &&
                !(action.call && action.ret),
            "a call or return does nothing else");
  }

  void check_call(const Template& templ, const Action& action) const {
    check_alone(action);
    const Call& call = *action.call;
    const Template& callee = check_template_id(call.callee);
    require(call.args.size() == callee.params.size(), "a call of {} has as many arguments as parameters", callee.name);
    require(call.results.size() == callee.result_count, "a call of {} takes as many results as it has", callee.name);
    for (std::size_t i = 0; i < call.args.size(); ++i) {
      check_value(call.args[i], callee.local(callee.params[i]).type, {.templ = &templ});
    }
    std::set<std::tuple<LValue::Kind, VarId, std::optional<ExprId>>> seen;
    for (const auto& result : call.results) {
      if (!result) continue;
      require(result->kind == LValue::Kind::Local || result->kind == LValue::Kind::Shared,
              "a result goes to a local or shared variable");
      check_target(templ, *result);
      require(seen.emplace(result->kind, result->var, result->index).second, "no variable takes two results");
    }
  }

  void check_return(const Template& templ, const Action& action) const {
    check_alone(action);
    require(action.ret->values.size() == templ.result_count,
            "a return gives as many values as its procedure has results");
    for (const ExprId value : action.ret->values) check_expr(value, {.templ = &templ});
  }

  void check_assigns(const Template& templ, const std::vector<Assign>& assigns) const {
    std::set<std::tuple<LValue::Kind, VarId, TemplateId, std::optional<ExprId>, std::optional<ExprId>>> seen;
    for (const Assign& assign : assigns) {
      const LValue& target = assign.target;
      const Type& type = check_target(templ, target);
      const bool of_others = target.kind == LValue::Kind::Remote || target.kind == LValue::Kind::Passive;
      const TemplateId owner = of_others ? target.templ : TemplateId{};
      require(seen.emplace(target.kind, target.var, owner, target.index, target.ref).second,
              "no variable is assigned twice in one action");
      check_value(assign.value, type.element(), {.templ = &templ, .passive = target.kind == LValue::Kind::Passive});
      if (target.kind == LValue::Kind::Passive) check_update(assign);
    }
  }

  // A passive update speaks of the thread that it changes, and of no other passive one.
  void check_update(const Assign& assign) const {
    const auto check = [&](ExprId root) {
      for_each_node(program_.exprs, root, [&](const Expr& node, ExprId) {
        if (node.op != Op::PassiveVar) return;
        require(node.value == 0 && node.templ == assign.target.templ, "a passive update speaks of one passive thread");
      });
    };
    check(assign.value);
    if (assign.target.index) check(*assign.target.index);
  }

  // Passive threads are counted from 0, each has one template, and nobody chooses for several at once.
  void check_passive(ExprId conjunct) const {
    std::map<Value, TemplateId> owners;
    bool chooses = false;
    for_each_node(program_.exprs, conjunct, [&](const Expr& node, ExprId) {
      chooses = chooses || node.op == Op::Nondet;
      if (node.op != Op::PassiveVar) return;
      require(owners.emplace(node.value, node.templ).first->second == node.templ, "a passive thread has one template");
    });
    if (owners.empty()) return;
    require(owners.begin()->first == 0 && owners.rbegin()->first == static_cast<Value>(owners.size()) - 1,
            "passive threads are counted from 0");
    require(owners.size() == 1 || !chooses, "no conjunct over several passive threads makes a choice");
  }

  // The type of the variable that `target` names.
  const Type& check_target(const Template& templ, const LValue& target) const {
    const bool remote = target.kind == LValue::Kind::Remote;
    require(remote == target.ref.has_value(), "a remote target, and only that, goes through a reference");
    const Scope scope{.templ = &templ, .passive = target.kind == LValue::Kind::Passive};
    if (remote) check_class(*target.ref, TypeClass::Reference, scope, "the thread of a remote target");
    const Template& owner = remote || scope.passive ? check_template_id(target.templ) : templ;
    const auto& variables = target.kind == LValue::Kind::Shared ? program_.shared : owner.locals;
    require(target.var.value < variables.size(), "the variable that is assigned exists");
    const Type& type = variables[target.var.value].type;
    check_access(type, target.index, scope);
    return type;
  }

  void check_access(const Type& type, std::optional<ExprId> index, const Scope& scope) const {
    require(type.is_array() == index.has_value(), "arrays, and only arrays, are indexed");
    if (index) check_class(*index, TypeClass::Number, scope, "an index");
  }

  void check_value(ExprId value, const Type& type, const Scope& scope) const {
    check_class(value, class_of(type), scope, "a value that is assigned");
  }

  void check_boolean(ExprId id, const Scope& scope, std::string_view what) const {
    check_class(id, TypeClass::Boolean, scope, what);
  }

  void check_class(ExprId id, TypeClass expected, const Scope& scope, std::string_view what) const {
    check_expr(id, scope);
    require(class_of(program_.exprs[id].type) == expected, "{} has the type that its place asks for", what);
  }

  void check_expr(ExprId root, const Scope& scope) const {
    std::set<std::pair<ExprId, std::size_t>> seen{{root, 0}};
    std::vector<std::pair<ExprId, std::size_t>> stack{{root, 0}};
    while (!stack.empty()) {
      const auto [id, depth] = stack.back();
      stack.pop_back();
      require(id.value < program_.exprs.size(), "the expression exists");
      const Expr& node = program_.exprs[id];
      check_node(node, scope, depth);
      const bool quantifier = node.op == Op::ForallThread || node.op == Op::ExistsThread;
      for (const ExprId arg : node.args) {
        const std::pair<ExprId, std::size_t> next{arg, depth + (quantifier ? 1 : 0)};
        if (seen.insert(next).second) stack.push_back(next);
      }
    }
  }

  void check_node(const Expr& node, const Scope& scope, std::size_t depth) const {
    require(!node.type.is_array(), "an expression is a scalar");
    const bool variable = node.op == Op::SharedVar || node.op == Op::LocalVar || node.op == Op::PassiveVar;
    require(!node.primed || (variable && scope.primed), "only variables in a constraint are primed");
    switch (node.op) {
      case Op::Const:
        require(node.args.empty() && node.type.contains(node.value), "a constant is a value of its type");
        break;
      case Op::Nondet:
        require(scope.choices && node.args.empty(), "a choice stands only where steps are described");
        break;
      case Op::SharedVar: check_read(node, program_.shared, 0); break;
      case Op::PassiveVar:
        require(scope.passive, "a passive variable stands only in a constraint or a passive update");
        check_read(node, check_template_id(node.templ).locals, 0);
        break;
      case Op::LocalVar:
        require(scope.templ != nullptr, "a local variable is read by a thread");
        check_read(node, scope.templ->locals, 0);
        break;
      case Op::RemoteVar:
        require(!node.args.empty() && arg_class(node, 0) == TypeClass::Reference,
                "a remote read goes through a reference");
        check_read(node, check_template_id(node.templ).locals, 1);
        break;
      case Op::Self: require(scope.templ != nullptr, "Self is the thread that executes"); break;
      case Op::BoundThread:
        require(node.value >= 0 && static_cast<std::size_t>(node.value) < depth,
                "a bound thread has its quantifier around it");
        break;
      case Op::AtLocation:
        require(node.args.size() == 1 && arg_class(node, 0) == TypeClass::Reference, "AtLocation speaks of a thread");
        require(node.value >= 0, "a location is a number from 0 on");
        check_location(node.templ, LocId(static_cast<std::size_t>(node.value)));
        break;
      case Op::ForallThread:
      case Op::ExistsThread:
        require(scope.quantifiers, "no quantifier stands here");
        check_operator(node, 1, TypeClass::Boolean, TypeClass::Boolean);
        break;
      default: check_operation(node); break;
    }
    if (node.op == Op::AtLocation) require(node.type.is_bool(), "AtLocation is Boolean");
    if (node.op == Op::Self || node.op == Op::BoundThread) {
      require(class_of(node.type) == TypeClass::Reference, "a thread is a reference");
    }
  }

  TypeClass arg_class(const Expr& node, std::size_t index) const {
    return class_of(program_.exprs[node.args[index]].type);
  }

  void check_read(const Expr& node, const std::vector<Variable>& variables, std::size_t index_at) const {
    require(node.var.value < variables.size(), "the variable that is read exists");
    const Variable& variable = variables[node.var.value];
    require(variable.type.element() == node.type, "{} is read with its own type", variable.name);
    require(node.args.size() == index_at + (variable.type.is_array() ? 1 : 0), "arrays, and only arrays, are indexed");
    if (variable.type.is_array()) require(arg_class(node, index_at) == TypeClass::Number, "an index is a number");
  }

  void check_operator(const Expr& node, std::size_t arity, TypeClass operands, TypeClass result) const {
    require(node.args.size() == arity, "an operator has its operands");
    for (std::size_t i = 0; i < arity; ++i) require(arg_class(node, i) == operands, "the operands fit the operator");
    require(class_of(node.type) == result, "the result fits the operator");
  }

  void check_operation(const Expr& node) const {
    constexpr TypeClass boolean = TypeClass::Boolean;
    constexpr TypeClass number = TypeClass::Number;
    switch (node.op) {
      case Op::Not: check_operator(node, 1, boolean, boolean); break;
      case Op::And:
      case Op::Or:
      case Op::Xor:
      case Op::Implies: check_operator(node, 2, boolean, boolean); break;
      case Op::Eq:
      case Op::Ne:
        require(node.args.size() == 2 && node.type.is_bool(), "an equation has two sides and is Boolean");
        require(arg_class(node, 0) == arg_class(node, 1), "both sides of an equation are of one kind");
        break;
      case Op::Lt:
      case Op::Le:
      case Op::Gt:
      case Op::Ge: check_operator(node, 2, number, boolean); break;
      case Op::Neg:
      case Op::BitNot: check_operator(node, 1, number, number); break;
      case Op::Ite:
        require(node.args.size() == 3 && arg_class(node, 0) == boolean,
                "a choice by condition has a condition and two values");
        require(arg_class(node, 1) == class_of(node.type) && arg_class(node, 2) == class_of(node.type),
                "both values of a choice by condition are of its kind");
        break;
      case Op::Cast:
        require(node.args.size() == 1, "a cast has one operand");
        require(class_of(node.type) == number ||
                    (class_of(node.type) == TypeClass::Reference && arg_class(node, 0) == number),
                "a cast makes a number, or a reference of a number");
        break;
      default: check_operator(node, 2, number, number); break;
    }
  }

  const Program& program_;
  // Where something is wrong.
  std::string place_;
  std::optional<std::size_t> edge_{};
  std::optional<std::size_t> action_{};
};

}  // namespace

void validate(const Program& program) {
  Validator(program).run();
}

}  // namespace cohort::model
