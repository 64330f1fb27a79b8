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
#include "engine/bmc/accesses.hpp"
#include "engine/bmc/others.hpp"
#include "model/analysis/access.hpp"

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

Choices::Choices(smt::Translator& translator, smt::Solver& solver, const SymbolicState& state)
    : translator_(&translator), solver_(&solver), named_(state.threads.size()) {
  Term named = translator.context().falsity();
  for (std::size_t slot = named_.size(); slot-- > 0;) {
    named = translator.context().disj(named, state.threads[slot].alive);
    named_[slot] = named;
  }
}

Term Choices::allows(const Number& reference) const {
  smt::Context& context = translator_->context();
  Term result = context.truth();
  for (std::size_t slot = 0; slot < named_.size(); ++slot) {
    const Number name = translator_->numbers().constant(static_cast<std::int64_t>(slot) + 1);
    result = context.conj(result, context.implies(translator_->numbers().equal(reference, name), named_[slot]));
  }
  return result;
}

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
    unknowns_[at].push_back(translator_->fresh("choice", type, threads(), constraint));
    solver_->add(constraint);
    if (type.kind() == model::Type::Kind::ThreadRef) solver_->add(allows(unknowns_[at].back().number));
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
  std::optional<ActiveSide> active;              // set by the action that broadcasts
  std::vector<smt::SymbolicThread> threads_now;  // after the actions so far, for one that looks at other threads
};

Scene Executor::scene_of(Frame& frame) {
  Scene scene;
  scene.shared = scene.shared_after = &frame.shared;
  scene.templ = frame.edge.templ;
  scene.self = scene.self_after = &frame.self;
  scene.threads = frame.threads_now.empty() ? &frame.state.threads : &frame.threads_now;
  scene.self_slot = frame.slot;
  scene.choice = [this, &frame](model::ExprId id) {
    const auto it = frame.chosen.find(id);
    if (it != frame.chosen.end()) return it->second;
    const model::Type& type = program_.exprs[id].type;
    if (type.kind() == model::Type::Kind::ThreadRef) {
      // Which threads there are says what may be chosen.
      for (std::size_t slot = 0; slot < frame.state.threads.size(); ++slot) {
        frame.result.reads.push_back({cells_.alive(slot), translator_.context().truth()});
      }
    }
    Datum drawn = frame.choices.draw(type);
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
  Frame frame{state, slot, ref, choices, {}, context.truth(), view.shared, view.self, {}, {}, {}, {}, {}};
  frame.result.trouble = translator_.none();
  frame.result.possible = context.truth();
  for (const Action& action : edge.actions) {
    if (&action != edge.actions.data()) see_threads(frame, action);
    run_action(frame, action);
    if (context.is_false(frame.going)) break;
  }
  Others others(program_, plan_, cells_, translator_);
  for (const Action& action : edge.actions) {
    if (!action.takes.empty() && plan_.names_threads()) others.require_first(state, slot, action, frame.result);
  }
  if (frame.active) others.broadcast(state, *frame.active, choices, frame.result);
  frame.result.enabled = context.conj(frame.going, frame.result.possible);
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
  if (!action.takes.empty()) {
    Others(program_, plan_, cells_, translator_).take(frame.state, frame.slot, action, frame.choices, frame.result);
  }
  if (!action.spawns.empty()) spawn(frame, scene, action);
  const bool broadcasts = model::is_broadcast(program_.exprs, action);
  if (action.constraint.empty() && !broadcasts) {
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
    if (broadcasts && model::mentions(program_.exprs, conjunct, model::Op::PassiveVar)) continue;
    const Translated holds = evaluate(frame, both, conjunct);
    pass(frame, holds.value.term, holds.trouble);
  }
  if (!broadcasts) return;
  frame.active =
      ActiveSide{frame.slot, frame.edge.templ, &action, shared_before, frame.shared, self_before, frame.self};
}

// Later actions of an edge see what the earlier ones did, through references too.
void Executor::see_threads(Frame& frame, const Action& action) {
  if (!model::uses_other_threads(program_.exprs, action)) return;
  frame.threads_now = frame.state.threads;
  for (const Update& update : frame.result.updates) {
    if (update.thread) frame.threads_now[*update.thread].locals[update.templ.value][update.slot] = update.value;
  }
  frame.threads_now[frame.slot].locals[frame.edge.templ.value] = frame.self;
}

const Variable& Executor::variable_of(const Frame& frame, const LValue& target) const {
  if (target.kind == LValue::Kind::Shared) return program_.shared[target.var.value];
  const model::TemplateId owner = target.kind == LValue::Kind::Remote ? target.templ : frame.edge.templ;
  return program_.templ(owner).local(target.var);
}

// All targets and values are known before the first is stored: the assignments happen at once.
void Executor::assign(Frame& frame, const Scene& scene, const Action& action) {
  smt::Trouble trouble = translator_.none();
  std::vector<const model::Assign*> assigns;
  std::vector<Target> targets;
  std::vector<Datum> values;
  for (const model::Assign& one : action.assigns) {
    if (one.target.kind == LValue::Kind::Passive) continue;
    assigns.push_back(&one);
    targets.push_back(locate(frame, scene, one.target));
    const Translated value = evaluate(frame, scene, one.value);
    const Translated kept = translator_.fit(variable_of(frame, one.target).type, value.value);
    values.push_back(kept.value);
    for (const smt::Trouble& later : {targets.back().trouble, value.trouble, kept.trouble}) {
      trouble = translator_.first(trouble, later);
    }
  }
  for (std::size_t i = 0; i < targets.size(); ++i) store(frame, assigns[i]->target, targets[i], values[i]);
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
  if (first) add_elements(translator_, frame.result.writes, *first, variable, index, translator_.context().truth());
  store_element(translator_, shared ? frame.shared : frame.self, shared ? frame.touched_shared : frame.touched_self,
                variable, index, translator_.context().truth(), value);
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
    add_elements(translator_, frame.result.writes, *first, variable, index, here);
    if (slot == frame.slot && target.templ == frame.edge.templ) {
      store_element(translator_, frame.self, frame.touched_self, variable, index, here, value);
      continue;
    }
    SymbolicValuation locals = thread.locals[target.templ.value];
    for (const Update& earlier : frame.result.updates) {
      if (earlier.thread == slot && earlier.templ == target.templ) locals[earlier.slot] = earlier.value;
    }
    std::vector<std::size_t> touched;
    store_element(translator_, locals, touched, variable, index, here, value);
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
    for (std::size_t var = 0; var < templ.locals.size(); ++var) {
      for (std::size_t i = 0; i < templ.locals[var].type.slots(); ++i) {
        const auto cell = cells_.local(frame.slot, spawn.templ, model::VarId(var), i);
        if (cell) frame.result.reads.push_back({*cell, translator_.context().truth()});
      }
    }
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
    store_element(translator_, locals, touched, variable, index ? &*index : nullptr, translator_.context().truth(),
                  value);
  }
  return locals;
}

void Executor::spawn(Frame& frame, const Scene& scene, const Action& action) {
  smt::Context& context = translator_.context();
  std::vector<Term> alive;
  for (const smt::SymbolicThread& thread : frame.state.threads) alive.push_back(thread.alive);
  for (const Displaced& one : frame.result.displaced) {
    if (!one.to) alive[one.slot] = context.conj(alive[one.slot], context.negate(one.when));
  }
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
    if (blocks_at_bound_) frame.result.possible = context.conj(frame.result.possible, context.negate(lower_full));
  }
}

void Executor::add_thread_accesses(Frame& frame, const model::Edge& edge) {
  const Term always = translator_.context().truth();
  auto& writes = frame.result.writes;
  if (cells_.others_move(frame.edge.templ, edge.source)) {
    frame.result.reads.push_back({*cells_.place(frame.slot, frame.edge.templ, edge.source), always});
  }
  const bool ends = model::ends_thread(edge);
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

Translated Executor::translate(const SymbolicState& state, model::ExprId condition, std::vector<Access>& reads) {
  Reads observer(program_, cells_, translator_, reads);
  Scene scene;
  scene.shared = &state.shared;
  scene.threads = &state.threads;
  scene.observer = &observer;
  return translator_.translate(scene, condition);
}

Term Executor::holds(const SymbolicState& state, model::ExprId condition, std::vector<Access>& reads) {
  smt::Context& context = translator_.context();
  const Translated result = translate(state, condition, reads);
  const Term holds = context.conj(result.value.term, context.negate(result.trouble.fault));
  overflows_ = context.disj(overflows_, result.trouble.overflow);
  return context.disj(holds, result.trouble.overflow);
}

Term Executor::is_bad(const SymbolicState& state, model::ExprId condition, std::vector<Access>& reads) {
  const Term holds = this->holds(state, condition, reads);
  if (program_.faults == model::FaultPolicy::Drop) return holds;
  return translator_.context().disj(holds, translate(state, condition, reads).trouble.fault);
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
    const Translated result = translate(state, id, reason.reads);
    reason.holds = positive ? result.value.term : context.negate(result.value.term);
    if (context.is_false(result.trouble.fault) && context.is_false(result.trouble.overflow)) continue;
    // What goes wrong in one disjunct decides about those that would be evaluated after it.
    results.assign(1, {});
    results[0].holds = is_bad(state, condition, results[0].reads);
    break;
  }
  return results;
}

}  // namespace cohort::engine::bmc
