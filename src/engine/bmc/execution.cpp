// The symbolic twin of model/step.cpp: the actions of an edge one after the other, each on the state that the one
// before left.  `going` is the condition under which execution gets to the current point; a fault there is the edge's
// fault.
//
// Reads and writes are those that the translation came across.  Short-circuit evaluation on values that are known at
// this depth leaves reads out; that is sound, since what is known after i steps also holds after fewer, and a
// projection only makes executions shorter.
#include "engine/bmc/execution.hpp"

#include <algorithm>

#include "base/contract.hpp"

namespace cohort::engine::bmc {

using model::Action;
using model::EdgeRef;
using model::LValue;
using model::Variable;
using smt::Datum;
using smt::Number;
using smt::Scene;
using smt::SymbolicValuation;
using smt::Term;
using smt::Translated;

namespace {

// The cells of `variable` that `index` may select, from `first` on.
void add_elements(smt::Translator& translator, std::vector<Access>& accesses, std::size_t first,
                  const Variable& variable, const Number* index) {
  const Term always = translator.context().truth();
  if (index == nullptr) {
    accesses.push_back({first, always});
    return;
  }
  for (std::size_t i = 0; i < variable.type.array_size(); ++i) {
    const auto value = static_cast<std::int64_t>(i);
    const Term here = translator.numbers().equal(*index, translator.numbers().constant(value));
    if (!translator.context().is_false(here)) accesses.push_back({first + i, here});
  }
}

// Collects reads of cells that other threads can write.
class Reads : public smt::ReadObserver {
 public:
  Reads(const model::Program& program, const Cells& cells, smt::Translator& translator, std::vector<Access>& accesses)
      : program_(program), cells_(cells), translator_(translator), accesses_(accesses) {}

  void shared(model::VarId var, const Number* index) override {
    const Variable& variable = program_.shared[var.value];
    add_elements(translator_, accesses_, cells_.shared(variable.slot), variable, index);
  }
  void local(std::size_t slot, model::TemplateId templ, model::VarId var, const Number* index) override {
    const auto first = cells_.local(slot, templ, var, 0);
    if (first) add_elements(translator_, accesses_, *first, program_.templ(templ).local(var), index);
  }
  void place(std::size_t slot, model::TemplateId templ, model::LocId location) override {
    const auto cell = cells_.place(slot, templ, location);
    if (cell) accesses_.push_back({*cell, translator_.context().truth()});
  }
  void alive(std::size_t slot) override { accesses_.push_back({cells_.alive(slot), translator_.context().truth()}); }

 private:
  const model::Program& program_;
  const Cells& cells_;
  smt::Translator& translator_;
  std::vector<Access>& accesses_;
};

}  // namespace

Datum Choices::draw(const model::Type& type) {
  std::size_t at = 0;
  while (at < types_.size() && !(types_[at] == type)) ++at;
  if (at == types_.size()) {
    types_.push_back(type);
    unknowns_.emplace_back();
    used_.push_back(0);
  }
  if (used_[at] == unknowns_[at].size()) {
    Term constraint;
    unknowns_[at].push_back(translator_->fresh("choice", type, threads_, constraint));
    solver_->add(constraint);
  }
  return unknowns_[at][used_[at]++];
}

Term Choices::pick(std::size_t index, std::size_t count) {
  smt::Context& context = translator_->context();
  Term result = context.truth();
  for (std::size_t bit = 0; (std::size_t{1} << bit) < count; ++bit) {
    if (bit == bits_.size()) bits_.push_back(context.fresh_boolean("branch"));
    const bool set = ((index >> bit) & 1U) != 0;
    result = context.conj(result, set ? bits_[bit] : context.negate(bits_[bit]));
  }
  return result;
}

struct Executor::Frame {
  const SymbolicState& state;
  std::size_t slot;
  EdgeRef edge;
  Choices& choices;
  Execution result;
  Term going;
  SymbolicValuation shared;
  SymbolicValuation self;
  std::vector<std::size_t> touched_shared;
  std::vector<std::size_t> touched_self;
  std::unordered_map<model::ExprId, Datum> chosen;
};

Scene Executor::scene_of(Frame& frame) {
  Scene scene;
  scene.shared = scene.shared_after = &frame.shared;
  scene.templ = frame.edge.templ;
  scene.self = scene.self_after = &frame.self;
  scene.threads = &frame.state.threads;
  scene.self_slot = frame.slot;
  scene.choice = [this, &frame](model::ExprId id) {
    const auto it = frame.chosen.find(id);
    if (it != frame.chosen.end()) return it->second;
    const Datum drawn = frame.choices.draw(program_.exprs[id].type);
    frame.chosen.emplace(id, drawn);
    return drawn;
  };
  return scene;
}

Execution Executor::execute(const SymbolicState& state, const View& view, std::size_t slot, EdgeRef ref,
                            Choices& choices) {
  const model::Edge& edge = program_.edge(ref);
  smt::Context& context = translator_.context();
  choices.begin_edge();
  Frame frame{state, slot, ref, choices, {}, context.truth(), view.shared, view.self, {}, {}, {}};
  frame.result.trouble = translator_.none();
  for (const Action& action : edge.actions) {
    run_action(frame, action);
    if (context.is_false(frame.going)) break;
  }
  frame.result.enabled = frame.going;
  for (const std::size_t at : frame.touched_shared) {
    frame.result.updates.push_back({std::nullopt, {}, at, frame.shared[at]});
  }
  for (const std::size_t at : frame.touched_self) {
    frame.result.updates.push_back({slot, ref.templ, at, frame.self[at]});
  }
  add_thread_accesses(frame, edge);
  return std::move(frame.result);
}

Translated Executor::evaluate(Frame& frame, const Scene& scene, model::ExprId id) {
  Reads reads(program_, cells_, translator_, frame.result.reads);
  Scene observed = scene;
  observed.observer = &reads;
  return translator_.translate(observed, id);
}

// Execution gets on where `holds` and nothing goes wrong.
void Executor::pass(Frame& frame, Term holds, const smt::Trouble& trouble) {
  smt::Context& context = translator_.context();
  frame.result.trouble = translator_.first(frame.result.trouble, translator_.when(frame.going, trouble));
  frame.going =
      context.conj(std::vector{frame.going, holds, context.negate(trouble.fault), context.negate(trouble.overflow)});
}

void Executor::run_action(Frame& frame, const Action& action) {
  const Scene scene = scene_of(frame);
  if (action.guard) {
    const Translated guard = evaluate(frame, scene, *action.guard);
    pass(frame, guard.value.term, guard.trouble);
    if (translator_.context().is_false(frame.going)) return;
  }
  if (!action.spawns.empty()) spawn(frame, scene, action);
  if (action.constraint.empty()) {
    assign(frame, scene, action);
    return;
  }
  const SymbolicValuation shared_before = frame.shared;
  const SymbolicValuation self_before = frame.self;
  assign(frame, scene, action);
  Scene both = scene;
  both.shared = &shared_before;
  both.self = &self_before;
  for (const model::ExprId conjunct : action.constraint) {
    const Translated holds = evaluate(frame, both, conjunct);
    pass(frame, holds.value.term, holds.trouble);
  }
}

const Variable& Executor::variable_of(const Frame& frame, const LValue& target) const {
  if (target.kind == LValue::Kind::Shared) return program_.shared[target.var.value];
  const model::TemplateId owner = target.kind == LValue::Kind::Remote ? target.templ : frame.edge.templ;
  return program_.templ(owner).local(target.var);
}

// All targets and values are known before the first is stored: the assignments happen at once.
void Executor::assign(Frame& frame, const Scene& scene, const Action& action) {
  smt::Trouble trouble = translator_.none();
  std::vector<Target> targets;
  std::vector<Datum> values;
  for (const model::Assign& one : action.assigns) {
    COHORT_EXPECT(one.target.kind != LValue::Kind::Passive, "passive updates are refused");
    targets.push_back(locate(frame, scene, one.target));
    const Translated value = evaluate(frame, scene, one.value);
    const Translated kept = translator_.fit(variable_of(frame, one.target).type, value.value);
    values.push_back(kept.value);
    for (const smt::Trouble& later : {targets.back().trouble, value.trouble, kept.trouble}) {
      trouble = translator_.first(trouble, later);
    }
  }
  for (std::size_t i = 0; i < targets.size(); ++i) store(frame, action.assigns[i].target, targets[i], values[i]);
  pass(frame, translator_.context().truth(), trouble);
}

Executor::Target Executor::locate(Frame& frame, const Scene& scene, const LValue& target) {
  smt::Context& context = translator_.context();
  Target result{{}, {}, translator_.none()};
  if (target.ref) {
    const Translated reference = evaluate(frame, scene, *target.ref);
    result.reference = reference.value.number;
    Term fine = context.falsity();  // it denotes a living thread of the template
    for (std::size_t slot = 0; slot < frame.state.threads.size(); ++slot) {
      const auto& places = frame.state.threads[slot].at[target.templ.value];
      const Number name = translator_.numbers().constant(static_cast<std::int64_t>(slot) + 1);
      const Term here = translator_.numbers().equal(*result.reference, name);
      if (!context.is_false(here)) frame.result.reads.push_back({cells_.alive(slot), context.truth()});
      fine = context.disj(fine, context.conj(here, context.disj(places)));
    }
    result.trouble = translator_.first(reference.trouble, translator_.fault(context.negate(fine)));
  }
  if (target.index) {
    const Translated index = evaluate(frame, scene, *target.index);
    result.index = index.value.number;
    const smt::Wide last = smt::Wide{variable_of(frame, target).type.array_size()} - 1;
    const Term outside = translator_.numbers().outside(*result.index, 0, last);
    result.trouble = translator_.first(result.trouble, translator_.first(index.trouble, translator_.fault(outside)));
  }
  return result;
}

void Executor::store(Frame& frame, const LValue& target, const Target& at, const Datum& value) {
  if (target.kind == LValue::Kind::Remote) return store_remote(frame, target, at, value);
  const bool shared = target.kind == LValue::Kind::Shared;
  const Variable& variable = variable_of(frame, target);
  const Number* index = at.index ? &*at.index : nullptr;
  const std::optional<std::size_t> first =
      shared ? std::optional(cells_.shared(variable.slot)) : cells_.local(frame.slot, frame.edge.templ, target.var, 0);
  if (first) add_elements(translator_, frame.result.writes, *first, variable, index);
  store_element(shared ? frame.shared : frame.self, shared ? frame.touched_shared : frame.touched_self, variable, index,
                translator_.context().truth(), value);
}

void Executor::store_element(SymbolicValuation& values, std::vector<std::size_t>& touched, const Variable& variable,
                             const Number* index, Term when, const Datum& value) {
  for (std::size_t i = 0; i < variable.type.slots(); ++i) {
    Term here = when;
    if (index != nullptr) {
      const auto element = static_cast<std::int64_t>(i);
      here = translator_.context().conj(when,
                                        translator_.numbers().equal(*index, translator_.numbers().constant(element)));
    }
    if (translator_.context().is_false(here)) continue;
    const std::size_t at = variable.slot + i;
    values[at] = translator_.ite(here, value, values[at]);
    if (std::find(touched.begin(), touched.end(), at) == touched.end()) touched.push_back(at);
  }
}

// The writer's own locals are updated at once; those of others when the step is complete, as in the interpreter.
void Executor::store_remote(Frame& frame, const LValue& target, const Target& at, const Datum& value) {
  smt::Context& context = translator_.context();
  const Variable& variable = variable_of(frame, target);
  const Number* index = at.index ? &*at.index : nullptr;
  for (std::size_t slot = 0; slot < frame.state.threads.size(); ++slot) {
    const smt::SymbolicThread& thread = frame.state.threads[slot];
    const Number name = translator_.numbers().constant(static_cast<std::int64_t>(slot) + 1);
    const Term here = translator_.numbers().equal(*at.reference, name);
    if (context.is_false(here) || thread.at[target.templ.value].empty()) continue;
    const auto first = cells_.local(slot, target.templ, target.var, 0);
    COHORT_EXPECT(first, "a local that others write is observed");
    std::vector<Access> elements;
    add_elements(translator_, elements, *first, variable, index);
    for (const Access& one : elements) frame.result.writes.push_back({one.cell, context.conj(one.when, here)});
    if (slot == frame.slot && target.templ == frame.edge.templ) {
      store_element(frame.self, frame.touched_self, variable, index, here, value);
      continue;
    }
    SymbolicValuation locals = thread.locals[target.templ.value];
    for (const Update& earlier : frame.result.updates) {
      if (earlier.thread == slot && earlier.templ == target.templ) locals[earlier.slot] = earlier.value;
    }
    std::vector<std::size_t> touched;
    store_element(locals, touched, variable, index, here, value);
    for (const std::size_t slot_written : touched) {
      frame.result.updates.push_back({slot, target.templ, slot_written, locals[slot_written]});
    }
  }
}

SymbolicValuation Executor::child_locals(Frame& frame, const Scene& scene, const model::Spawn& spawn) {
  const model::Template& templ = program_.templ(spawn.templ);
  SymbolicValuation locals;
  if (spawn.copies_locals) {
    locals = frame.self;
  } else {
    for (const Variable& variable : templ.locals) {
      for (std::size_t i = 0; i < variable.type.slots(); ++i) {
        if (variable.initial.empty()) {
          locals.push_back(frame.choices.draw(variable.type.element()));
        } else {
          locals.push_back(translator_.constant(variable.initial[variable.initial.size() == 1 ? 0 : i], variable.type));
        }
      }
    }
  }
  for (const model::Assign& one : spawn.locals) {
    const Variable& variable = templ.local(one.target.var);
    const Datum value = translator_.fit(variable.type, evaluate(frame, scene, one.value).value).value;
    std::optional<Number> index;
    if (one.target.index) index = evaluate(frame, scene, *one.target.index).value.number;
    std::vector<std::size_t> touched;
    store_element(locals, touched, variable, index ? &*index : nullptr, translator_.context().truth(), value);
  }
  return locals;
}

void Executor::spawn(Frame& frame, const Scene& scene, const Action& action) {
  smt::Context& context = translator_.context();
  std::vector<Term> alive;
  for (const smt::SymbolicThread& thread : frame.state.threads) alive.push_back(thread.alive);
  for (std::size_t i = 0; i < action.spawns.size(); ++i) {
    const model::Spawn& one = action.spawns[i];
    const SymbolicValuation locals = child_locals(frame, scene, one);
    if (!plan_.reuses_slots()) {
      const std::size_t slot = plan_.child(frame.slot, frame.edge.edge, i);
      frame.result.children.push_back({context.truth(), slot, one.templ, one.location, locals});
      continue;
    }
    Term lower_full = context.truth();
    for (std::size_t slot = 0; slot < alive.size(); ++slot) {
      frame.result.reads.push_back({cells_.alive(slot), context.truth()});
      const Term when = context.conj(lower_full, context.negate(alive[slot]));
      lower_full = context.conj(lower_full, alive[slot]);
      if (context.is_false(when)) continue;
      frame.result.children.push_back({when, slot, one.templ, one.location, locals});
      alive[slot] = context.disj(alive[slot], when);
    }
  }
}

void Executor::add_thread_accesses(Frame& frame, const model::Edge& edge) {
  const Term always = translator_.context().truth();
  auto& writes = frame.result.writes;
  const bool ends =
      std::any_of(edge.actions.begin(), edge.actions.end(), [](const Action& one) { return one.ends_thread; });
  if (ends || edge.source != edge.target) {
    if (const auto cell = cells_.place(frame.slot, frame.edge.templ, edge.source)) writes.push_back({*cell, always});
    const auto cell = cells_.place(frame.slot, frame.edge.templ, edge.target);
    if (cell && !ends) writes.push_back({*cell, always});
  }
  if (ends) writes.push_back({cells_.alive(frame.slot), always});
  for (const Child& child : frame.result.children) {
    writes.push_back({cells_.alive(child.slot), child.when});
    if (const auto cell = cells_.place(child.slot, child.templ, child.location)) writes.push_back({*cell, child.when});
    const auto& locals = program_.templ(child.templ).locals;
    for (std::size_t i = 0; i < locals.size(); ++i) {
      for (std::size_t element = 0; element < locals[i].type.slots(); ++element) {
        const auto cell = cells_.local(child.slot, child.templ, model::VarId(i), element);
        if (cell) writes.push_back({*cell, child.when});
      }
    }
  }
}

Term Executor::holds(const SymbolicState& state, model::ExprId condition, std::vector<Access>& reads) {
  Reads observer(program_, cells_, translator_, reads);
  Scene scene;
  scene.shared = &state.shared;
  scene.threads = &state.threads;
  scene.observer = &observer;
  const Translated result = translator_.translate(scene, condition);
  smt::Context& context = translator_.context();
  const Term holds = context.conj(result.value.term, context.negate(result.trouble.fault));
  return context.disj(holds, result.trouble.overflow);
}

void Executor::split(Literal literal, std::vector<Literal>& disjuncts) const {
  const auto& [id, positive] = literal;
  const model::Expr& node = program_.exprs[id];
  if (node.op == model::Op::Not) return split({node.args[0], !positive}, disjuncts);
  if (node.op == model::Op::Implies && positive) {
    split({node.args[0], false}, disjuncts);
    return split({node.args[1], true}, disjuncts);
  }
  if (node.op != (positive ? model::Op::Or : model::Op::And)) return disjuncts.push_back(literal);
  for (const model::ExprId arg : node.args) split({arg, positive}, disjuncts);
}

std::vector<Executor::Reason> Executor::reasons(const SymbolicState& state, model::ExprId condition) {
  smt::Context& context = translator_.context();
  std::vector<Literal> disjuncts;
  split({condition, true}, disjuncts);
  std::vector<Reason> results;
  for (const auto& [id, positive] : disjuncts) {
    Reason& reason = results.emplace_back();
    Reads observer(program_, cells_, translator_, reason.reads);
    Scene scene;
    scene.shared = &state.shared;
    scene.threads = &state.threads;
    scene.observer = &observer;
    const Translated result = translator_.translate(scene, id);
    reason.holds = positive ? result.value.term : context.negate(result.value.term);
    if (context.is_false(result.trouble.fault) && context.is_false(result.trouble.overflow)) continue;
    // What goes wrong in one disjunct decides about those that would be evaluated after it.
    results.assign(1, {});
    results[0].holds = holds(state, condition, results[0].reads);
    break;
  }
  return results;
}

}  // namespace cohort::engine::bmc
