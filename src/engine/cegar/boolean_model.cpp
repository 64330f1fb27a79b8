#include "engine/cegar/boolean_model.hpp"

#include <algorithm>

#include <fmt/core.h>

#include "base/contract.hpp"

namespace cohort::engine::cegar {

using abstraction::BroadcastStep;
using abstraction::Cube;
using abstraction::Literal;
using abstraction::Role;
using model::Action;
using model::AtomicChange;
using model::Command;
using model::ExprId;
using model::LocId;
using model::PlaceId;
using model::TemplateId;
using model::Type;
using model::VarId;

namespace {

constexpr TemplateId only{0};

class Builder {
 public:
  Builder(abstraction::Oracle& oracle, const abstraction::Predicates& predicates,
          const std::vector<BroadcastStep>& steps)
      : oracle_(oracle),
        commands_(oracle.commands()),
        original_(commands_.program()),
        predicates_(predicates),
        steps_(steps) {}

  BooleanModel run() {
    model_.program.name = original_.name;
    model_.program.add_template({});
    error_ = model_.program.add_property({.kind = model::Property::Kind::Assertion, .text = "no error"});
    add_locations();
    note_starts();
    add_variables();
    add_starts();
    for (std::uint32_t i = 0; i < commands_.all().size(); ++i) add_command(i);
    for (std::size_t t = 0; t < tags_.size(); ++t) model_.tags.push_back(templ().local(tags_[t]).slot);
    return std::move(model_);
  }

 private:
  model::Template& templ() { return model_.program.templ(only); }
  model::ExprPool& pool() { return model_.program.exprs; }

  // ---- variables and places

  void add_locations() {
    templ().name = "thread";
    for (std::size_t i = 0; i < commands_.places().size(); ++i) {
      const PlaceId place(i);
      model::Location location{.label = fmt::format("L{}", i), .span = {}, .error = {}};
      if (commands_.error(place)) location.error = error_;
      templ().add_location(std::move(location));
      model_.templates.emplace_back(commands_.place(place).templ);
    }
    wrong_ = templ().add_location({.label = "wrong", .span = {}, .error = error_});
    model_.templates.emplace_back();
  }

  // The value that a predicate has in all initial states; none: both occur, or nobody starts with it.
  void note_starts() {
    initial_.assign(predicates_.all().size(), {});
    std::vector<bool> seen(initial_.size(), false);
    const auto note = [&](std::size_t predicate, char bit) {
      if (!seen[predicate]) {
        initial_[predicate] = bit == '1';
      } else if (initial_[predicate] != (bit == '1')) {
        initial_[predicate].reset();
      }
      seen[predicate] = true;
    };
    for (const abstraction::Start& start : oracle_.starts()) {
      const abstraction::Bits& shared = oracle_.states().bits(start.shared);
      for (std::size_t i = 0; i < shared.size(); ++i) note(predicates_.shared()[i], shared[i]);
      for (const auto& group : start.groups) {
        for (const abstraction::ThreadState thread : group) {
          const auto& own = predicates_.of(commands_.place(oracle_.states().place(thread)).templ);
          const abstraction::Bits& bits = oracle_.states().bits(thread);
          for (std::size_t i = 0; i < bits.size(); ++i) note(own[i], bits[i]);
        }
      }
    }
    for (std::size_t i = 0; i < seen.size(); ++i) {
      if (!seen[i]) initial_[i] = false;  // of threads that are created later, with values of their own
    }
  }

  void add_variables() {
    for (std::size_t i = 0; i < predicates_.all().size(); ++i) {
      model::Variable variable{.name = fmt::format("b{}", i), .type = Type::boolean(), .initial = {}, .span = {}};
      if (initial_[i]) variable.initial = {*initial_[i] ? 1 : 0};
      const bool shared = predicates_[i].is_shared();
      const VarId var = shared ? model_.program.add_shared(variable) : templ().add_local(variable);
      vars_.push_back(var);
      model_.slots.push_back(shared ? model_.program.shared[var.value].slot : templ().local(var).slot);
    }
    if (original_.templates.size() == 1) return;
    for (std::size_t t = 0; t < original_.templates.size(); ++t) {
      model::Variable variable{.name = fmt::format("is_{}", t), .type = Type::boolean(), .initial = {}, .span = {}};
      if (!starts_with(TemplateId(t))) variable.initial = {0};
      tags_.push_back(templ().add_local(variable));
    }
  }

  bool starts_with(TemplateId owner) const {
    return std::any_of(original_.initial.begin(), original_.initial.end(),
                       [&](const model::InitialThreads& group) { return group.templ == owner; });
  }

  void add_starts() {
    for (const model::InitialThreads& group : original_.initial) {
      const auto place = commands_.find({group.templ, group.location, false});
      COHORT_EXPECT(place.has_value(), "threads start at places within reach");
      model_.program.initial.push_back({only, location(*place), group.count});
    }
  }

  static LocId location(PlaceId place) { return LocId(place.value); }

  // ---- expressions

  ExprId value_of(const Literal& literal) {
    const VarId var = vars_[literal.predicate];
    const bool after = literal.role == Role::ActiveAfter || literal.role == Role::PassiveAfter;
    const bool passive = literal.role == Role::PassiveBefore || literal.role == Role::PassiveAfter;
    const Type type = Type::boolean();
    const ExprId value = predicates_[literal.predicate].is_shared() ? pool().shared(var, type, after)
                         : passive                                  ? pool().passive(var, type, after)
                                                                    : pool().local(var, type, after);
    return literal.value ? value : pool().negate(value);
  }

  // Whose thread the passive one of the cube is; none: the cube speaks of the active one alone.
  std::optional<TemplateId> passive_of(const Cube& cube) const {
    for (const Literal& literal : cube) {
      const bool passive = literal.role == Role::PassiveBefore || literal.role == Role::PassiveAfter;
      if (passive && !predicates_[literal.predicate].is_shared()) return predicates_[literal.predicate].templ;
    }
    return std::nullopt;
  }

  ExprId excluded(const Cube& cube) {
    ExprId result = pool().falsity();
    for (const Literal& literal : cube) result = pool().disj(result, pool().negate(value_of(literal)));
    const auto passive = passive_of(cube);
    if (passive && !tags_.empty()) result = pool().disj(pool().negate(is_passive_of(*passive)), result);
    return result;
  }

  ExprId is_passive_of(TemplateId owner) { return pool().passive(tags_[owner.value], Type::boolean()); }

  // A thread that exists at the start has any tags; with wrong ones it never moves.
  ExprId right_tags(TemplateId owner) {
    ExprId result = pool().truth();
    for (std::size_t t = 0; t < tags_.size(); ++t) {
      const ExprId tag = pool().local(tags_[t], Type::boolean());
      if (starts_with(TemplateId(t))) result = pool().conj(result, TemplateId(t) == owner ? tag : pool().negate(tag));
    }
    return result;
  }

  // ---- edges

  void add_edge(LocId from, LocId to, Action action, BooleanModel::Kind kind, std::uint32_t command) {
    templ().edges.push_back({from, to, {std::move(action)}});
    model_.edges.push_back({kind, command});
  }

  static AtomicChange change(bool before, bool after) {
    if (before == after) return AtomicChange::None;
    return after ? AtomicChange::Enter : AtomicChange::Exit;
  }

  void add_command(std::uint32_t index) {
    const Command& command = commands_.all()[index];
    const bool inside = commands_.place(command.from).atomic;
    const bool two_edges = !command.to || !command.children.empty();
    Action action = step_action(command, steps_[index]);
    if (two_edges) {
      const LocId middle = templ().add_location({.label = fmt::format("C{}", index), .span = {}, .error = {}});
      model_.templates.emplace_back(commands_.place(command.from).templ);
      action.atomic = change(inside, true);
      add_edge(location(command.from), middle, std::move(action), BooleanModel::Kind::Step, index);
      add_completion(middle, command, steps_[index], index);
    } else {
      action.atomic = change(inside, commands_.place(*command.to).atomic);
      add_edge(location(command.from), location(*command.to), std::move(action), BooleanModel::Kind::Step, index);
    }
    if (!steps_[index].may_go_wrong) return;
    Action trouble;
    ExprId possible = right_tags(commands_.place(command.from).templ);
    for (const Cube& cube : steps_[index].harmless) possible = pool().conj(possible, excluded(cube));
    trouble.guard = possible;
    add_edge(location(command.from), wrong_, std::move(trouble), BooleanModel::Kind::Trouble, index);
  }

  Action step_action(const Command& command, const BroadcastStep& step) {
    Action action;
    action.span = original_.edge(command.edge).actions.front().span;
    const auto havoc = [&](model::LValue::Kind kind, std::size_t predicate) {
      action.assigns.push_back({{.kind = kind, .var = vars_[predicate]}, pool().nondet(Type::boolean())});
    };
    for (const std::size_t i : step.own) {
      havoc(predicates_[i].is_shared() ? model::LValue::Kind::Shared : model::LValue::Kind::Local, i);
    }
    for (const std::size_t i : step.others) {
      havoc(model::LValue::Kind::Passive, i);
      if (tags_.empty()) continue;
      const ExprId keeps = pool().binary(model::Op::Eq, value_of({i, Role::PassiveAfter}),
                                         value_of({i, Role::PassiveBefore}), Type::boolean());
      action.constraint.push_back(pool().disj(is_passive_of(predicates_[i].templ), keeps));
    }
    ExprId guard = right_tags(commands_.place(command.from).templ);
    for (const Cube& cube : step.forbidden) {
      const bool before = std::all_of(cube.begin(), cube.end(),
                                      [](const Literal& literal) { return literal.role == Role::ActiveBefore; });
      if (before) {
        guard = pool().conj(guard, excluded(cube));
      } else {
        action.constraint.push_back(excluded(cube));
      }
    }
    if (!pool().is_true(guard)) action.guard = guard;
    return action;
  }

  // New threads, or the end.  The edge starts inside of an atomic section.
  void add_completion(LocId middle, const Command& command, const BroadcastStep& step, std::uint32_t index) {
    Action action;
    action.ends_thread = !command.to;
    if (command.to) action.atomic = change(true, commands_.place(*command.to).atomic);
    for (std::size_t child = 0; child < command.children.size(); ++child) {
      const PlaceId place = command.children[child].place;
      const TemplateId owner = commands_.place(place).templ;
      model::Spawn spawn{only, location(place), false, {}};
      const auto set = [&](VarId var, ExprId value) {
        spawn.locals.push_back({{.kind = model::LValue::Kind::Local, .var = var}, value});
      };
      const auto& own = predicates_.of(owner);
      for (std::size_t i = 0; i < own.size(); ++i) {
        const abstraction::ChildValue& value = step.children[child][i];
        if (value.constant) {
          set(vars_[own[i]], pool().boolean(*value.constant));
        } else if (value.creator) {
          set(vars_[own[i]], value_of({value.creator->predicate, Role::ActiveBefore, value.creator->value}));
        } else {
          set(vars_[own[i]], pool().nondet(Type::boolean()));
        }
      }
      for (std::size_t t = 0; t < tags_.size(); ++t) set(tags_[t], pool().boolean(TemplateId(t) == owner));
      action.spawns.push_back(std::move(spawn));
    }
    const LocId to = command.to ? location(*command.to) : middle;
    add_edge(middle, to, std::move(action), BooleanModel::Kind::Completion, index);
  }

  abstraction::Oracle& oracle_;
  const model::Commands& commands_;
  const model::Program& original_;
  const abstraction::Predicates& predicates_;
  const std::vector<BroadcastStep>& steps_;
  BooleanModel model_;
  model::PropertyId error_;
  LocId wrong_;
  std::vector<std::optional<bool>> initial_;
  std::vector<VarId> vars_;  // by predicate
  std::vector<VarId> tags_;  // by template; empty: there is one
};

}  // namespace

BooleanModel boolean_model(abstraction::Oracle& oracle, const abstraction::Predicates& predicates,
                           const std::vector<BroadcastStep>& steps) {
  COHORT_EXPECT(steps.size() == oracle.commands().all().size(), "there is a step for each command");
  return Builder(oracle, predicates, steps).run();
}

}  // namespace cohort::engine::cegar
