#include "smt/command_terms.hpp"

#include <algorithm>

#include <fmt/core.h>

#include "base/contract.hpp"

namespace cohort::smt {

using model::Assign;
using model::Command;
using model::LValue;
using model::Variable;

namespace {

template <class Visit>
void for_each_conjunct(const model::ExprPool& pool, model::ExprId expr, Visit&& visit) {
  std::vector<model::ExprId> stack{expr};
  while (!stack.empty()) {
    const model::ExprId id = stack.back();
    stack.pop_back();
    if (pool[id].op == model::Op::And) {
      stack.insert(stack.end(), pool[id].args.rbegin(), pool[id].args.rend());
    } else if (!pool.is_true(id)) {
      visit(id);
    }
  }
}

}  // namespace

// The state before the step, and the choices made in it.
struct CommandTerms::Frame {
  const SymbolicValuation& shared;
  const SymbolicValuation& self;
  const SymbolicValuation* passive;
  model::TemplateId templ;
  Term constraint;
  std::unordered_map<model::ExprId, Datum> chosen;
};

Unknowns CommandTerms::any(const std::vector<Variable>& variables, const std::string& prefix) {
  Context& context = translator_.context();
  Unknowns result{{}, context.truth()};
  for (const Variable& variable : variables) {
    for (std::uint32_t element = 0; element < variable.type.slots(); ++element) {
      Term constraint;
      const std::string name = variable.type.is_array() ? fmt::format("{}.{}.{}", prefix, variable.name, element)
                                                        : fmt::format("{}.{}", prefix, variable.name);
      result.values.push_back(translator_.fresh(name, variable.type.element(), 0, constraint));
      result.constraint = context.conj(result.constraint, constraint);
    }
  }
  return result;
}

Unknowns CommandTerms::initial(const std::vector<Variable>& variables, const std::string& prefix) {
  Unknowns result = any(variables, prefix);
  for (const Variable& variable : variables) {
    if (variable.initial.empty()) continue;
    for (std::uint32_t element = 0; element < variable.type.slots(); ++element) {
      const model::Value value = variable.initial.size() == 1 ? variable.initial[0] : variable.initial[element];
      result.values[variable.slot + element] = translator_.constant(value, variable.type.element());
    }
  }
  return result;
}

Scene CommandTerms::scene_of(Frame& frame, model::TemplateId templ) {
  Scene scene;
  scene.shared = &frame.shared;
  scene.templ = templ;
  scene.self = &frame.self;
  scene.passive = frame.passive;
  scene.choice = [this, &frame](model::ExprId id) {
    const auto it = frame.chosen.find(id);
    if (it != frame.chosen.end()) return it->second;
    Term constraint;
    Datum drawn = translator_.fresh("choice", commands_.program().exprs[id].type, 0, constraint);
    frame.constraint = translator_.context().conj(frame.constraint, constraint);
    frame.chosen.emplace(id, drawn);
    return drawn;
  };
  return scene;
}

// Values that do not fit are trouble, of which trouble_of() speaks.
void CommandTerms::store(Frame& frame, const Assign& assign, const Variable& variable, SymbolicValuation& values) {
  const Scene scene = scene_of(frame, frame.templ);
  const Datum value = translator_.fit(variable.type, translator_.translate(scene, assign.value).value).value;
  if (!assign.target.index) {
    values[variable.slot] = value;
    return;
  }
  const Number index = translator_.translate(scene, *assign.target.index).value.number;
  for (std::uint32_t element = 0; element < variable.type.slots(); ++element) {
    const Term here = translator_.numbers().equal(index, translator_.numbers().constant(element));
    Datum& slot = values[variable.slot + element];
    slot = translator_.ite(here, value, slot);
  }
}

Trouble CommandTerms::trouble_of(Frame& frame, const Command& command) {
  const Scene scene = scene_of(frame, frame.templ);
  Trouble result = translator_.none();
  for (const model::Evaluation& evaluation : command.evaluations) {
    const Term when = translator_.translate(scene, evaluation.when).value.term;
    const Translated what = translator_.translate(scene, evaluation.what);
    Trouble trouble = what.trouble;
    if (evaluation.kept) {
      const Term outside =
          translator_.numbers().outside(what.value.number, evaluation.kept->lo(), evaluation.kept->hi());
      trouble = translator_.first(trouble, translator_.fault(outside));
    }
    result = translator_.first(result, translator_.when(when, trouble));
  }
  return result;
}

SymbolicValuation CommandTerms::child(Frame& frame, const model::CommandChild& child) {
  const model::Program& program = commands_.program();
  const model::Template& templ = program.templ(commands_.place(child.place).templ);
  Context& context = translator_.context();
  SymbolicValuation locals;
  if (child.copies_locals) {
    locals = frame.self;
  } else {
    const Unknowns start = initial(templ.locals, "child");
    frame.constraint = context.conj(frame.constraint, start.constraint);
    locals = start.values;
  }
  for (const Assign& assign : child.assigns) store(frame, assign, templ.local(assign.target.var), locals);
  return locals;
}

ActiveStep CommandTerms::active(const Command& command, const SymbolicValuation& shared,
                                const SymbolicValuation& self) {
  const model::Program& program = commands_.program();
  Context& context = translator_.context();
  Frame frame{shared, self, nullptr, command.edge.templ, context.truth(), {}};
  ActiveStep step;
  step.trouble = trouble_of(frame, command);
  const Scene before = scene_of(frame, frame.templ);
  for_each_conjunct(program.exprs, command.guard, [&](model::ExprId conjunct) {
    step.conjuncts.emplace_back(conjunct, translator_.translate(before, conjunct).value.term);
  });
  const Term guard = translator_.translate(before, command.guard).value.term;
  step.enabled =
      context.conj(std::vector{guard, context.negate(step.trouble.fault), context.negate(step.trouble.overflow)});
  step.shared = shared;
  step.self = self;
  for (const Assign& assign : command.assigns) {
    const bool is_shared = assign.target.kind == LValue::Kind::Shared;
    COHORT_EXPECT(is_shared || assign.target.kind == LValue::Kind::Local, "a command assigns its own variables");
    const Variable& variable =
        is_shared ? program.shared[assign.target.var.value] : program.templ(frame.templ).local(assign.target.var);
    store(frame, assign, variable, is_shared ? step.shared : step.self);
  }
  for (const model::CommandChild& one : command.children) step.children.push_back(child(frame, one));
  step.constraint = frame.constraint;
  step.choices.assign(frame.chosen.begin(), frame.chosen.end());
  std::sort(step.choices.begin(), step.choices.end(),
            [](const auto& left, const auto& right) { return left.first < right.first; });
  return step;
}

PassiveStep CommandTerms::passive(const Command& command, const SymbolicValuation& shared,
                                  const SymbolicValuation& self, const SymbolicValuation& passive) {
  Context& context = translator_.context();
  Frame frame{shared, self, &passive, command.edge.templ, context.truth(), {}};
  PassiveStep step;
  step.possible = context.truth();
  for (const model::ExprId conjunct : command.passive_conjuncts) {
    const Translated holds = translator_.translate(scene_of(frame, frame.templ), conjunct);
    step.possible = context.conj(step.possible, holds.value.term);
  }
  step.locals = passive;
  const model::Template& templ = commands_.program().templ(frame.templ);
  for (const Assign& assign : command.passive_assigns) {
    store(frame, assign, templ.local(assign.target.var), step.locals);
  }
  step.constraint = frame.constraint;
  return step;
}

Translated CommandTerms::expression(model::ExprId expr, model::TemplateId templ, const SymbolicValuation& shared,
                                    const SymbolicValuation& self) {
  Scene scene;
  scene.shared = &shared;
  scene.templ = templ;
  scene.self = &self;
  scene.choice = [](model::ExprId) -> Datum { COHORT_UNREACHABLE("the expression makes no choices"); };
  return translator_.translate(scene, expr);
}

}  // namespace cohort::smt
