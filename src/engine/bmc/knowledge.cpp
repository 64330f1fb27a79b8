// The terms of the unrolling carry intervals, but an interval of a variable holds whatever the place of its thread: a
// counter in a loop of five statements would seem to grow with every step.  Here each thread has, for each of its
// places, the values that its variables can have when it stands there after at most i steps, and a step from a place is
// executed on these.  So the counter grows with every fifth step, indices are known to be few, and whole parts of the
// program are seen to be out of reach before the solver is asked.
//
// K_i(t, p) is what is known of thread t at place p after i steps.  A thread may stay where it is, so
//     K_{i+1}(t, p) = K_i(t, p) united with the values after each edge to p, executed on K_i(t, its source),
// and with K_i(t, q) where a step of another thread may bring t from q to p: it changes no tracked variable of t.
// Only variables that no other thread writes are tracked: locals, unless others observe them, and shared variables for
// as long as one thread alone has had an edge that writes them.  When another thread's edge that writes one is reached,
// it is dropped from the next step on.
//
// Invariant: in every execution of at most i steps that ends with t at p, each tracked variable has a value in
// K_i(t, p).  K grows with i, so what is concluded from it for a step also holds for any earlier one, which is what the
// reductions ask (see execution.cpp).  Terms that are narrowed by it mean nothing where the thread is elsewhere; all
// that is made of them stands under the condition that the thread is there and runs.
//
// Cost: each edge within reach is joined once in a step, for each variable of its thread.
#include "engine/bmc/knowledge.hpp"

#include "base/contract.hpp"
#include "model/analysis/access.hpp"

namespace cohort::engine::bmc {

using model::LocId;
using model::TemplateId;
using smt::Datum;
using smt::SymbolicValuation;
using smt::ValueSet;

namespace {

ValueSet values_of(const smt::Context& context, const Datum& datum) {
  if (!datum.is_boolean) return datum.number;
  return {context.is_true(datum.term) ? 1 : 0, context.is_false(datum.term) ? 0 : 1, nullptr};
}

}  // namespace

Knowledge::Knowledge(const model::Program& program, smt::Translator& translator, const SymbolicState& first,
                     bool reuses_slots)
    : program_(program), reuses_slots_(reuses_slots), translator_(translator), writers_(first.shared.size()) {
  const smt::Context& context = translator.context();
  for (const Datum& datum : first.shared) start_.push_back(values_of(context, datum));
  const model::Observed observed(program);
  for (std::size_t id = 0; id < program.templates.size(); ++id) {
    auto& slots = private_.emplace_back();
    const auto& locals = program.templates[id].locals;
    for (std::size_t i = 0; i < locals.size(); ++i) {
      slots.insert(slots.end(), locals[i].type.slots(), !observed.local(TemplateId(id), model::VarId(i)));
    }
  }
  for (const smt::SymbolicThread& thread : first.threads) {
    auto& templates = known_.emplace_back();
    for (std::size_t id = 0; id < program.templates.size(); ++id) {
      ByPlace& places = templates.emplace_back(program.templates[id].locations.size());
      Values start;
      for (const Datum& datum : thread.locals[id]) start.locals.push_back(values_of(context, datum));
      for (std::size_t place = 0; place < thread.at[id].size(); ++place) {
        if (!context.is_false(thread.at[id][place])) places[place] = start;
      }
    }
  }
}

std::optional<Knowledge::Values>& Knowledge::at(std::size_t slot, TemplateId templ, LocId place) {
  return known_[slot][templ.value][place.value];
}

const std::optional<Knowledge::Values>& Knowledge::at(std::size_t slot, TemplateId templ, LocId place) const {
  return known_[slot][templ.value][place.value];
}

Datum Knowledge::narrowed(const Datum& datum, const ValueSet& values) const {
  if (!datum.is_boolean) return Datum::of(translator_.numbers().within(datum.number, values));
  return values.is_constant() ? Datum::boolean(translator_.context().boolean(values.lo != 0)) : datum;
}

SymbolicValuation Knowledge::shared(const SymbolicState& state, std::size_t slot, TemplateId templ, LocId place) const {
  SymbolicValuation result = state.shared;
  const auto& values = at(slot, templ, place);
  COHORT_EXPECT(values, "a place that is reached is known");
  for (const auto& [cell, known] : values->shared) {
    if (!writers_[cell].several) result[cell] = narrowed(result[cell], known);
  }
  return result;
}

SymbolicValuation Knowledge::locals(const SymbolicState& state, std::size_t slot, TemplateId templ, LocId place) const {
  SymbolicValuation result = state.threads[slot].locals[templ.value];
  const auto& values = at(slot, templ, place);
  COHORT_EXPECT(values, "a place that is reached is known");
  for (std::size_t i = 0; i < result.size(); ++i) {
    if (private_[templ.value][i]) result[i] = narrowed(result[i], values->locals[i]);
  }
  return result;
}

// Until a thread writes a shared variable for the first time, it has the value of the start everywhere.
void Knowledge::note_writer(std::size_t slot, std::size_t shared_slot) {
  Writer& writer = writers_[shared_slot];
  if (writer.several || writer.slot == slot) return;
  if (writer.slot) {
    writer.several = true;
    return;
  }
  writer.slot = slot;
  for (ByPlace& places : known_[slot]) {
    for (auto& values : places) {
      if (values) values->shared.emplace(shared_slot, start_[shared_slot]);
    }
  }
}

void Knowledge::advance(const SymbolicState& state, const std::vector<Instruction>& instructions) {
  std::vector<const Instruction*> possible;
  for (const Instruction& instruction : instructions) {
    if (!translator_.context().is_false(instruction.taken)) possible.push_back(&instruction);
  }
  for (const Instruction* instruction : possible) {
    for (const Update& update : instruction->effect.updates) {
      if (!update.thread) note_writer(instruction->thread, update.slot);
    }
  }
  std::vector<Arrival> arrivals;
  for (const Instruction* instruction : possible) {
    const model::TemplateId templ = instruction->edge.templ;
    const LocId target = program_.edge(instruction->edge).target;
    arrivals.push_back({instruction->thread, templ, target, after(*instruction)});
    for (const Child& child : instruction->effect.children) {
      arrivals.push_back({child.slot, child.templ, child.location, born(state, child)});
    }
    for (const Displaced& one : instruction->effect.displaced) {
      if (!one.to) continue;
      const auto& before = at(one.slot, one.templ, one.from);
      COHORT_EXPECT(before, "a thread is taken from a place that is reached");
      arrivals.push_back({one.slot, one.templ, *one.to, *before});
    }
  }
  for (const Arrival& arrival : arrivals) join(at(arrival.slot, arrival.templ, arrival.place), arrival.values);
}

Knowledge::Values Knowledge::after(const Instruction& instruction) const {
  const model::EdgeRef ref = instruction.edge;
  const auto& before = at(instruction.thread, ref.templ, program_.edge(ref).source);
  COHORT_EXPECT(before, "an edge is taken from a place that is reached");
  Values result = *before;
  for (const Update& update : instruction.effect.updates) {
    const ValueSet values = values_of(translator_.context(), update.value);
    if (!update.thread) {
      result.shared[update.slot] = values;
    } else if (*update.thread == instruction.thread && update.templ == ref.templ) {
      result.locals[update.slot] = values;
    }
  }
  return result;
}

// A slot of its own holds one thread only, which has written nothing before it is born.
Knowledge::Values Knowledge::born(const SymbolicState& state, const Child& child) const {
  Values result;
  for (const Datum& datum : child.locals) result.locals.push_back(values_of(translator_.context(), datum));
  for (std::size_t cell = 0; cell < writers_.size(); ++cell) {
    if (writers_[cell].slot != child.slot) continue;
    result.shared[cell] = reuses_slots_ ? values_of(translator_.context(), state.shared[cell]) : start_[cell];
  }
  return result;
}

// A shared variable that is known on one side only stays unknown: the other side has it dropped.
void Knowledge::join(std::optional<Values>& into, const Values& values) const {
  if (!into) {
    into = values;
    return;
  }
  for (std::size_t i = 0; i < into->locals.size(); ++i) into->locals[i] = unite(into->locals[i], values.locals[i]);
  std::erase_if(into->shared, [&](const auto& entry) {
    return writers_[entry.first].several || !values.shared.contains(entry.first);
  });
  for (auto& [cell, known] : into->shared) known = unite(known, values.shared.at(cell));
}

}  // namespace cohort::engine::bmc
