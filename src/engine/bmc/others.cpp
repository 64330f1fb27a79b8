// The symbolic twin of Interpreter::take and Interpreter::broadcast, in their order: remote writes have happened, then
// threads are taken, then every other thread that was not is passive.  A fault of the active side comes before all of
// it, so what other threads forbid is kept apart from the guards, in Execution::possible.
//
// A step that takes threads chooses them: one unknown number of a slot for each take.  Takes that differ in nothing
// have their slots in ascending order.  Among threads in the same state the interpreter takes the first, which makes no
// difference where threads have no names: then any may be taken here, so that renaming threads maps executions to
// executions, as the reductions need, and the builder of runs renames (see run_builder.cpp).  Where threads have names,
// the first is required and there are no reductions that would mind.
//
// What others do to a thread goes through cells: the locals that broadcasts write, and the places that threads are
// brought to or taken from.  A thread's own step reads the cell of such a place that it starts from, since it is not
// only its own steps that brought it there.
#include "engine/bmc/others.hpp"

#include <algorithm>
#include <set>
#include <unordered_map>

#include "base/contract.hpp"
#include "engine/bmc/accesses.hpp"
#include "model/passive.hpp"

namespace cohort::engine::bmc {

using model::Action;
using model::LValue;
using smt::Datum;
using smt::Number;
using smt::Scene;
using smt::SymbolicThread;
using smt::SymbolicValuation;
using smt::Term;

namespace {

// Of which templates a broadcast says something.
std::vector<model::TemplateId> passive_templates(const model::Program& program, const Action& action) {
  std::set<model::TemplateId> result;
  for (const model::Assign& assign : action.assigns) {
    if (assign.target.kind == LValue::Kind::Passive) result.insert(assign.target.templ);
  }
  for (const model::ExprId conjunct : action.constraint) {
    for (const auto& templ : model::passive_threads(program.exprs, conjunct)) result.insert(*templ);
  }
  return {result.begin(), result.end()};
}

}  // namespace

Term Others::is_taken(const Execution& result, std::size_t slot) {
  Term taken = translator_.context().falsity();
  for (const Displaced& one : result.displaced) {
    if (one.slot == slot && one.take) taken = translator_.context().disj(taken, one.when);
  }
  return taken;
}

void Others::take(const SymbolicState& state, std::size_t mover, const Action& action, Choices& choices,
                  Execution& result) {
  smt::Context& context = translator_.context();
  const auto last = static_cast<std::int64_t>(state.threads.size()) - 1;
  std::vector<Number> chosen;
  for (std::size_t i = 0; i < action.takes.size(); ++i) {
    const model::Take& take = action.takes[i];
    chosen.push_back(choices.draw(model::Type::range(0, last)).number);
    for (std::size_t j = 0; j < i; ++j) {
      const model::Take& earlier = action.takes[j];
      if (earlier.templ != take.templ || earlier.from != take.from) continue;
      result.possible = context.conj(
          result.possible, earlier.to == take.to ? translator_.numbers().less(chosen[j], chosen[i])
                                                 : context.negate(translator_.numbers().equal(chosen[j], chosen[i])));
    }
    Term found = context.falsity();
    for (std::size_t slot = 0; slot < state.threads.size(); ++slot) {
      const auto& places = state.threads[slot].at[take.templ.value];
      if (slot == mover || places.empty() || context.is_false(places[take.from.value])) continue;
      const Number name = translator_.numbers().constant(static_cast<std::int64_t>(slot));
      const Term selected = translator_.numbers().equal(chosen[i], name);
      const Displaced one{context.conj(selected, places[take.from.value]), slot, take.templ, take.from, take.to, i};
      if (context.is_false(one.when)) continue;
      if (const auto cell = cells_.place(slot, take.templ, take.from)) result.reads.push_back({*cell, selected});
      found = context.disj(found, one.when);
      add_writes(one, result);
      result.displaced.push_back(one);
    }
    result.possible = context.conj(result.possible, found);
  }
}

void Others::require_first(const SymbolicState& state, std::size_t mover, const Action& action, Execution& result) {
  smt::Context& context = translator_.context();
  for (const Displaced& one : result.displaced) {
    if (!one.take) continue;
    const model::Take& take = action.takes[*one.take];
    const SymbolicValuation locals = locals_of(state, one.slot, take.templ, result);
    for (std::size_t slot = 0; slot < one.slot; ++slot) {
      const auto& places = state.threads[slot].at[take.templ.value];
      if (slot == mover || places.empty()) continue;
      std::vector<Term> alike{one.when, places[take.from.value]};
      for (const Displaced& earlier : result.displaced) {
        if (earlier.slot == slot && earlier.take < one.take) alike.push_back(context.negate(earlier.when));
      }
      const SymbolicValuation values = locals_of(state, slot, take.templ, result);
      for (std::size_t i = 0; i < values.size(); ++i) alike.push_back(translator_.equal(values[i], locals[i]));
      result.possible = context.conj(result.possible, context.negate(context.conj(alike)));
    }
  }
}

void Others::broadcast(const SymbolicState& state, const ActiveSide& active, Choices& choices, Execution& result) {
  const std::vector<model::TemplateId> templates = passive_templates(program_, *active.action);
  std::vector<Passive> passive;
  for (std::size_t slot = 0; slot < state.threads.size(); ++slot) {
    if (slot == active.slot) continue;
    for (const model::TemplateId templ : templates) {
      if (auto one = update(state, slot, templ, active, choices, result)) passive.push_back(std::move(*one));
    }
    move(state, slot, *active.action, choices, result);
  }
  for (const model::ExprId conjunct : active.action->constraint) {
    std::vector<const Passive*> chosen;
    if (model::ties_threads(program_.exprs, conjunct)) tie(active, passive, conjunct, chosen, result);
  }
}

// The conjunct must hold for every choice of different threads of the right templates.
void Others::tie(const ActiveSide& active, const std::vector<Passive>& passive, model::ExprId conjunct,
                 std::vector<const Passive*>& chosen, Execution& result) {
  smt::Context& context = translator_.context();
  const auto wanted = model::passive_threads(program_.exprs, conjunct);
  if (chosen.size() < wanted.size()) {
    for (const Passive& one : passive) {
      const bool taken =
          std::any_of(chosen.begin(), chosen.end(), [&](const Passive* other) { return other->slot == one.slot; });
      if (taken || one.templ != wanted[chosen.size()]) continue;
      chosen.push_back(&one);
      tie(active, passive, conjunct, chosen, result);
      chosen.pop_back();
    }
    return;
  }
  Reads reads(program_, cells_, translator_, result.reads);
  Scene scene = scene_of(active, reads);
  Term exempt = context.falsity();
  for (const Passive* one : chosen) {
    exempt = context.disj(exempt, one->exempt);
    reads.alive(one->slot);
    if (one != chosen.front()) scene.further_passive.push_back({&one->before, &one->after, one->slot});
  }
  scene.passive = &chosen.front()->before;
  scene.passive_after = &chosen.front()->after;
  scene.passive_slot = chosen.front()->slot;
  const Term holds = translator_.translate(scene, conjunct).value.term;
  result.possible = context.conj(result.possible, context.disj(exempt, holds));
}

Scene Others::scene_of(const ActiveSide& active, smt::ReadObserver& reads) const {
  Scene scene;
  scene.shared = &active.shared_before;
  scene.shared_after = &active.shared_after;
  scene.templ = active.templ;
  scene.self = &active.self_before;
  scene.self_after = &active.self_after;
  scene.self_slot = active.slot;
  scene.observer = &reads;
  return scene;
}

// Several moves from one place are a choice that each thread makes for itself.
void Others::move(const SymbolicState& state, std::size_t slot, const Action& action, Choices& choices,
                  Execution& result) {
  smt::Context& context = translator_.context();
  const Term passive = context.negate(is_taken(result, slot));
  std::vector<bool> done(action.moves.size(), false);
  for (std::size_t i = 0; i < action.moves.size(); ++i) {
    const model::PassiveMove& first = action.moves[i];
    const auto& places = state.threads[slot].at[first.templ.value];
    if (done[i] || places.empty() || context.is_false(places[first.from.value])) continue;
    std::vector<model::LocId> targets;
    for (std::size_t j = i; j < action.moves.size(); ++j) {
      const model::PassiveMove& other = action.moves[j];
      if (other.templ != first.templ || other.from != first.from) continue;
      targets.push_back(other.to);
      done[j] = true;
    }
    const auto cell = cells_.place(slot, first.templ, first.from);
    COHORT_EXPECT(cell, "a place that threads are moved from is observed");
    result.reads.push_back({*cell, context.truth()});
    std::optional<Number> choice;
    if (targets.size() > 1) {
      choice = choices.draw(model::Type::range(0, static_cast<std::int64_t>(targets.size()) - 1)).number;
    }
    for (std::size_t target = 0; target < targets.size(); ++target) {
      Term when = context.conj(passive, places[first.from.value]);
      if (choice) {
        const Number index = translator_.numbers().constant(static_cast<std::int64_t>(target));
        when = context.conj(when, translator_.numbers().equal(*choice, index));
      }
      if (context.is_false(when)) continue;
      const Displaced one{when, slot, first.templ, first.from, targets[target], std::nullopt};
      add_writes(one, result);
      result.displaced.push_back(one);
    }
  }
}

void Others::add_writes(const Displaced& displaced, Execution& result) {
  if (displaced.to == displaced.from) return;
  const auto add_place = [&](model::LocId location) {
    const auto cell = cells_.place(displaced.slot, displaced.templ, location);
    COHORT_EXPECT(cell, "a place that others move threads from or to has a cell");
    result.writes.push_back({*cell, displaced.when});
  };
  add_place(displaced.from);
  if (displaced.to) {
    add_place(*displaced.to);
  } else {
    result.writes.push_back({cells_.alive(displaced.slot), displaced.when});
  }
}

// As they are after the remote writes of the step.
SymbolicValuation Others::locals_of(const SymbolicState& state, std::size_t slot, model::TemplateId templ,
                                    const Execution& result) const {
  SymbolicValuation locals = state.threads[slot].locals[templ.value];
  for (const Update& update : result.updates) {
    if (update.thread == slot && update.templ == templ) locals[update.slot] = update.value;
  }
  return locals;
}

// What the broadcast says of threads of one template, for the one in this slot; none: there never is one.  What is
// written to a slot that holds no thread of the template is never read.
std::optional<Others::Passive> Others::update(const SymbolicState& state, std::size_t slot, model::TemplateId templ,
                                              const ActiveSide& active, Choices& choices, Execution& result) {
  smt::Context& context = translator_.context();
  const Action& action = *active.action;
  const SymbolicThread& thread = state.threads[slot];
  const Term lives = context.disj(thread.at[templ.value]);
  if (context.is_false(lives)) return std::nullopt;
  const Term taken = is_taken(result, slot);
  const SymbolicValuation before = locals_of(state, slot, templ, result);
  SymbolicValuation after = before;
  std::unordered_map<model::ExprId, Datum> chosen;
  Reads reads(program_, cells_, translator_, result.reads);
  Scene scene = scene_of(active, reads);
  scene.passive = &before;
  scene.passive_after = &before;
  scene.passive_slot = slot;
  // A choice is made anew for each passive thread.
  scene.choice = [&](model::ExprId id) {
    const auto it = chosen.find(id);
    return it != chosen.end() ? it->second : chosen.emplace(id, choices.draw(program_.exprs[id].type)).first->second;
  };
  std::vector<std::size_t> touched;
  for (const model::Assign& one : action.assigns) {
    if (one.target.kind != LValue::Kind::Passive || one.target.templ != templ) continue;
    const model::Variable& variable = program_.templ(templ).local(one.target.var);
    std::optional<Number> index;
    if (one.target.index) index = translator_.translate(scene, *one.target.index).value.number;
    const Datum value = translator_.fit(variable.type, translator_.translate(scene, one.value).value).value;
    const Number* element = index ? &*index : nullptr;
    const auto first = cells_.local(slot, templ, one.target.var, 0);
    COHORT_EXPECT(first, "a local that broadcasts write is observed");
    add_elements(translator_, result.writes, *first, variable, element, context.negate(taken));
    store_element(translator_, after, touched, variable, element, context.negate(taken), value);
  }
  for (const std::size_t at : touched) result.updates.push_back({slot, templ, at, after[at]});
  scene.passive_after = &after;
  bool asked = false;
  const Term exempt = context.disj(context.negate(lives), taken);
  for (const model::ExprId conjunct : action.constraint) {
    if (!model::speaks_of_one(program_.exprs, conjunct, templ)) continue;
    const Term holds = translator_.translate(scene, conjunct).value.term;
    result.possible = context.conj(result.possible, context.disj(exempt, holds));
    asked = true;
  }
  if (asked) reads.alive(slot);
  return Passive{slot, templ, before, after, exempt};
}

}  // namespace cohort::engine::bmc
