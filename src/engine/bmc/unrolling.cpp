// The encoding of section 5.2 of the PBMC paper, with these differences.
//
// - The paper has an unknown for each variable after each step and one implication for each instruction.  Here the
// state
//   after a step is a term over the state before: x' = ite(instruction 1 taken, its value, ite(...)).  Only what is
//   chosen is unknown: who runs, which of several enabled edges it takes, the values of choices, and the start.  Frame
//   conditions (the paper's M and most of T) then cost nothing, and what is constant at a depth is folded before the
//   solver sees it: in particular places that cannot be reached within i steps have no instructions in step i.
// - `sel` is a one-hot choice of the thread; the thread's place, and its guards, say which instruction it is.  Only
// where
//   edges from one place may be enabled together do a few more bits, shared by all threads, choose between them.  So
//   the unknowns of a step are as many as there are threads, not as many as there are instructions.
// - Idle steps come first, as in the paper: no idle step follows one that moves.
//
// A thread in an atomic section runs alone; a step that enters an error location or faults violates by itself and is
// allowed only where executions may end.  Edges from one place exclude each other when the guard of one is the negation
// of the other's.
#include "engine/bmc/unrolling.hpp"

#include <algorithm>
#include <set>

#include <fmt/core.h>

#include "base/contract.hpp"
#include "model/analysis/access.hpp"

namespace cohort::engine::bmc {

using model::Action;
using model::Edge;
using model::EdgeRef;
using model::ExprId;
using model::Op;
using model::Template;
using model::TemplateId;
using smt::Datum;
using smt::SymbolicThread;
using smt::SymbolicValuation;
using smt::Term;

namespace {

// Conjuncts of a guard, through nested conjunctions.
void collect_conjuncts(const model::ExprPool& exprs, ExprId id, std::set<ExprId>& conjuncts) {
  if (exprs[id].op == Op::And) {
    for (const ExprId arg : exprs[id].args) collect_conjuncts(exprs, arg, conjuncts);
    return;
  }
  conjuncts.insert(id);
}

// Can the two edges never be taken in the same state?  Sure only where a conjunct of one guard negates one of the
// other.  Edges draw their choices in the order in which they come across them, so that the same choice may be another
// unknown in each; it is the same if the guards are nothing but the two conjuncts.
bool exclude_each_other(const model::ExprPool& exprs, const Edge& one, const Edge& other) {
  if (!one.actions[0].guard || !other.actions[0].guard) return false;
  std::set<ExprId> left;
  std::set<ExprId> right;
  collect_conjuncts(exprs, *one.actions[0].guard, left);
  collect_conjuncts(exprs, *other.actions[0].guard, right);
  const auto negated_in = [&](const std::set<ExprId>& from, const std::set<ExprId>& in) {
    return std::any_of(from.begin(), from.end(), [&](ExprId id) {
      if (exprs[id].op != Op::Not || !in.contains(exprs[id].args[0])) return false;
      return (left.size() == 1 && right.size() == 1) || !mentions(exprs, id, Op::Nondet);
    });
  };
  return negated_in(left, right) || negated_in(right, left);
}

std::vector<bool> branching_places(const model::Program& program, const Template& templ, const model::OutEdges& out) {
  std::vector<bool> result(templ.locations.size(), false);
  for (std::size_t place = 0; place < result.size(); ++place) {
    const auto& edges = out.of(model::LocId(place));
    for (std::size_t i = 0; i < edges.size(); ++i) {
      for (std::size_t j = i + 1; j < edges.size(); ++j) {
        if (!exclude_each_other(program.exprs, templ.edges[edges[i]], templ.edges[edges[j]])) result[place] = true;
      }
    }
  }
  return result;
}

}  // namespace

Unrolling::Unrolling(Env& env, const Task& task, const Plan& plan, smt::Translator& translator, smt::Solver& solver,
                     Start start)
    : env_(env),
      task_(task),
      program_(task.program),
      plan_(plan),
      cells_(task.program, plan),
      translator_(translator),
      context_(translator.context()),
      solver_(solver),
      executor_(task.program, plan, cells_, translator) {
  for (const Template& templ : program_.templates) {
    out_edges_.emplace_back(templ);
    branches_.push_back(branching_places(program_, templ, out_edges_.back()));
  }
  // From anywhere threads have moved before, and some contexts are past.
  const bool initial = start == Start::Initial;
  symmetric_ = initial && task.options.symmetry && !plan.names_threads();
  moved_.assign(plan.slots().size(), context_.falsity());
  if (initial && task.options.bmc.contexts) switches_.assign(*task.options.bmc.contexts + 1, context_.falsity());
  if (initial && task.options.bmc.growing_contexts) switches_.assign(most_growing_contexts + 1, context_.falsity());
  initial ? add_initial_state() : add_any_state();
}

Datum Unrolling::initial_value(const model::Variable& variable, std::size_t element, const std::string& name) {
  if (!variable.initial.empty()) {
    return translator_.constant(variable.initial[variable.initial.size() == 1 ? 0 : element], variable.type);
  }
  Term constraint;
  // References are to threads that are there at the start.
  const auto threads = static_cast<std::size_t>(
      std::count_if(plan_.slots().begin(), plan_.slots().end(), [](const Slot& slot) { return !slot.starts.empty(); }));
  const Datum value = translator_.fresh(name, variable.type.element(), threads, constraint);
  solver_.add(constraint);
  return value;
}

void Unrolling::add_initial_state() {
  SymbolicState state;
  const auto values_of = [&](const std::vector<model::Variable>& variables, const std::string& prefix) {
    SymbolicValuation values;
    for (const model::Variable& variable : variables) {
      for (std::size_t i = 0; i < variable.type.slots(); ++i) {
        values.push_back(initial_value(variable, i, prefix + variable.name));
      }
    }
    return values;
  };
  state.shared = values_of(program_.shared, "");
  for (std::size_t i = 0; i < plan_.slots().size(); ++i) {
    const Slot& slot = plan_.slots()[i];
    SymbolicThread& thread = state.threads.emplace_back();
    thread.alive = context_.boolean(!slot.starts.empty());
    thread.atomic = context_.falsity();
    thread.locals.resize(program_.templates.size());
    thread.at.resize(program_.templates.size());
    for (const TemplateId id : slot.templates) {
      const Template& templ = program_.templ(id);
      thread.at[id.value].assign(templ.locations.size(), context_.falsity());
      const bool starts =
          std::any_of(slot.starts.begin(), slot.starts.end(), [&](const Home& start) { return start.templ == id; });
      if (starts) {
        thread.locals[id.value] = values_of(templ.locals, fmt::format("t{}.", i));
        continue;
      }
      for (const model::Variable& variable : templ.locals) {
        const Datum dummy = translator_.constant(variable.type.default_value(), variable.type);
        thread.locals[id.value].insert(thread.locals[id.value].end(), variable.type.slots(), dummy);
      }
    }
  }
  add_starts(state);
  if (program_.initial_condition) {
    std::vector<Access> reads;
    solver_.add(executor_.holds(state, *program_.initial_condition, reads));
  }
  begin_with(std::move(state));
}

// A slot that several groups share belongs to one of them: a number, which does not fall from slot to slot.
void Unrolling::add_starts(SymbolicState& state) {
  std::optional<smt::Number> previous;
  for (std::size_t i = 0; i < plan_.slots().size(); ++i) {
    const auto& starts = plan_.slots()[i].starts;
    const auto& before = i == 0 ? starts : plan_.slots()[i - 1].starts;
    const auto is_at = [&](const Home& start, Term when) {
      Term& at = state.threads[i].at[start.templ.value][start.location.value];
      at = context_.disj(at, when);
    };
    if (starts.size() <= 1) {
      if (!starts.empty()) is_at(starts[0], context_.truth());
      const bool alike = i > 0 && !starts.empty() && before.size() == 1 && before[0].group == starts[0].group;
      like_previous_.push_back(context_.boolean(alike));
      continue;
    }
    const auto [group, within] =
        translator_.numbers().fresh(fmt::format("t{}.group", i), 0, static_cast<smt::Wide>(starts.size()) - 1);
    solver_.add(within);
    for (std::size_t k = 0; k < starts.size(); ++k) {
      const smt::Number index = translator_.numbers().constant(static_cast<std::int64_t>(k));
      is_at(starts[k], translator_.numbers().equal(group, index));
    }
    if (previous) solver_.add(context_.negate(translator_.numbers().less(group, *previous)));
    like_previous_.push_back(previous ? translator_.numbers().equal(group, *previous) : context_.falsity());
    previous = group;
  }
}

void Unrolling::begin_with(SymbolicState state) {
  knowledge_.emplace(program_, translator_, state, plan_.reuses_slots());
  states_.push_back(std::move(state));
}

SymbolicValuation Unrolling::any_values(const std::vector<model::Variable>& variables, const std::string& prefix) {
  SymbolicValuation values;
  for (const model::Variable& variable : variables) {
    for (std::size_t i = 0; i < variable.type.slots(); ++i) {
      Term constraint;
      values.push_back(
          translator_.fresh(prefix + variable.name, variable.type.element(), plan_.slots().size(), constraint));
      solver_.add(constraint);
    }
  }
  return values;
}

// Every state that an execution can reach is among these; most of these are reached by none.  A slot is empty or holds
// one thread, which has one place: a number that counts the places of the slot's templates one after the other, and
// one more for none.  At most one thread is in an atomic section, since no other moves while it is.
void Unrolling::add_any_state() {
  SymbolicState state;
  state.shared = any_values(program_.shared, "any.");
  std::vector<Term> sections;
  for (std::size_t i = 0; i < plan_.slots().size(); ++i) {
    SymbolicThread& thread = state.threads.emplace_back();
    thread.locals.resize(program_.templates.size());
    thread.at.resize(program_.templates.size());
    std::size_t count = 0;
    for (const TemplateId id : plan_.slots()[i].templates) count += program_.templ(id).locations.size();
    const auto [place, within] = translator_.numbers().fresh(fmt::format("any.t{}.place", i), 0, smt::Wide(count));
    solver_.add(within);
    std::int64_t next = 0;
    std::vector<Term> places;
    for (const TemplateId id : plan_.slots()[i].templates) {
      const Template& templ = program_.templ(id);
      thread.locals[id.value] = any_values(templ.locals, fmt::format("any.t{}.", i));
      const auto reachable = plan_.reachable_places(program_, i, id);
      for (std::size_t at = 0; at < templ.locations.size(); ++at) {
        const Term here = translator_.numbers().equal(place, translator_.numbers().constant(next++));
        const bool possible = reachable[at] && !templ.locations[at].error;
        if (!possible) solver_.add(context_.negate(here));
        thread.at[id.value].push_back(possible ? here : context_.falsity());
        places.push_back(thread.at[id.value].back());
      }
    }
    thread.alive = context_.disj(places);
    const Term section = context_.fresh_boolean(fmt::format("any.t{}.atomic", i));
    thread.atomic = context_.conj(section, thread.alive);
    sections.push_back(thread.atomic);
  }
  solver_.add(context_.at_most_one(sections));
  begin_with(std::move(state));
}

void Unrolling::extend(Term ends) {
  const SymbolicState& state = states_.back();
  Step step{{}, {}, {}, {}, Choices(translator_, solver_, state)};
  add_instructions(step, state, ends);
  schedule(step, state);
  if (symmetric_) break_symmetry(step);
  if (!switches_.empty()) bound_contexts(step);
  SymbolicState next = next_state(step, state);
  knowledge_->advance(state, step.instructions);
  used_grew_ = false;
  for (const Instruction& one : step.instructions) {
    used_grew_ = used_.emplace(one.thread, one.edge).second || used_grew_;
  }
  for (std::size_t slot = 0; slot < moved_.size(); ++slot) moved_[slot] = context_.disj(moved_[slot], step.runs[slot]);
  steps_.push_back(std::move(step));
  states_.push_back(std::move(next));
}

// An execution of as many steps as the depth takes edges of used_ only.
bool Unrolling::covers_all() const {
  if (used_grew_) return false;  // nothing is settled yet, and the question costs a pass over the program
  const auto longest = plan_.longest_execution(program_, [&](std::size_t slot, EdgeRef edge) {
    return used_.contains({slot, edge});
  });
  return longest && *longest < depth();
}

void Unrolling::add_instructions(Step& step, const SymbolicState& state, Term ends) {
  step.errs = context_.falsity();
  step.overflows = context_.falsity();
  for (std::size_t slot = 0; slot < state.threads.size(); ++slot) {
    env_.stop_requested("bmc-step");
    add_thread(step, state, slot, ends);
  }
}

void Unrolling::add_thread(Step& step, const SymbolicState& state, std::size_t slot, Term ends) {
  const std::size_t first = step.instructions.size();
  const Term runs = context_.fresh_boolean(fmt::format("run.{}.{}", steps_.size(), slot));
  std::vector<Term> ways;
  for (const TemplateId id : plan_.slots()[slot].templates) {
    const Template& templ = program_.templ(id);
    for (std::size_t place = 0; place < templ.locations.size(); ++place) {
      const Term at = state.threads[slot].at[id.value][place];
      if (context_.is_false(at)) continue;
      const auto& edges = out_edges_[id.value].of(model::LocId(place));
      if (edges.empty()) continue;
      const Executor::View view = this->view(slot, id, model::LocId(place));
      for (std::size_t i = 0; i < edges.size(); ++i) {
        Instruction instruction{slot, EdgeRef{id, edges[i]}, {}, {}, {}};
        instruction.effect = executor_.execute(state, view, slot, instruction.edge, step.choices);
        Term selected = context_.conj(runs, at);
        if (branches_[id.value][place]) selected = context_.conj(selected, step.choices.pick(i, edges.size()));
        instruction.taken = context_.conj(selected, instruction.effect.enabled);
        instruction.fails = context_.conj(std::vector{selected, failure(instruction.effect.trouble), ends});
        const Term overflows = context_.conj(std::vector{selected, instruction.effect.trouble.overflow, ends});
        step.overflows = context_.disj(step.overflows, overflows);
        const Term errs = enters_error(instruction);
        if (!context_.is_false(errs))
          instruction.taken = context_.conj(instruction.taken, context_.disj(ends, context_.negate(errs)));
        step.errs = context_.disj(step.errs, context_.disj(context_.conj(instruction.taken, errs), instruction.fails));
        if (context_.is_false(instruction.taken) && context_.is_false(instruction.fails)) continue;
        ways.push_back(context_.disj(instruction.taken, instruction.fails));
        step.instructions.push_back(std::move(instruction));
      }
    }
  }
  const bool can_run = step.instructions.size() > first;
  step.runs.push_back(can_run ? runs : context_.falsity());
  if (can_run) solver_.add(context_.implies(runs, context_.disj(ways)));
}

Executor::View Unrolling::view(std::size_t slot, TemplateId templ, model::LocId place) const {
  return {knowledge_->shared(states_.back(), slot, templ, place),
          knowledge_->locals(states_.back(), slot, templ, place)};
}

// An overflow is no violation, but the search must not pass it by: the interpreter refuses the execution that has it.
Term Unrolling::failure(const smt::Trouble& trouble) const {
  return program_.faults == model::FaultPolicy::Violation ? context_.disj(trouble.fault, trouble.overflow)
                                                          : trouble.overflow;
}

// When taking the instruction, without a fault, leads some thread to an error location.
Term Unrolling::enters_error(const Instruction& instruction) const {
  const Edge& edge = program_.edge(instruction.edge);
  const auto is_error = [&](TemplateId templ, model::LocId location) {
    return program_.templ(templ).locations[location.value].error.has_value();
  };
  if (!model::ends_thread(edge) && is_error(instruction.edge.templ, edge.target)) return context_.truth();
  Term result = context_.falsity();
  for (const Child& child : instruction.effect.children) {
    if (is_error(child.templ, child.location)) result = context_.disj(result, child.when);
  }
  for (const Displaced& one : instruction.effect.displaced) {
    if (one.to && is_error(one.templ, *one.to)) result = context_.disj(result, one.when);
  }
  return result;
}

void Unrolling::schedule(Step& step, const SymbolicState& state) {
  step.moves = context_.disj(step.runs);
  solver_.add(context_.at_most_one(step.runs));
  if (!steps_.empty()) solver_.add(context_.implies(steps_.back().moves, step.moves));
  for (std::size_t slot = 0; slot < step.runs.size(); ++slot) {
    for (std::size_t other = 0; other < step.runs.size(); ++other) {
      if (other == slot) continue;
      solver_.add(context_.implies(step.runs[slot], context_.negate(state.threads[other].atomic)));
    }
  }
}

// Initial threads of one group are alike until they first run, so they may as well do that in the order of their slots.
void Unrolling::break_symmetry(const Step& step) {
  for (std::size_t slot = 1; slot < step.runs.size(); ++slot) {
    solver_.add(context_.implies(context_.conj(step.runs[slot], like_previous_[slot]), moved_[slot - 1]));
  }
}

Term Unrolling::has_at_most(std::uint32_t contexts) const {
  COHORT_EXPECT(contexts < switches_.size(), "so many contexts are counted");
  return context_.negate(switches_[contexts]);
}

void Unrolling::bound_contexts(const Step& step) {
  Term switches = step.moves;  // the first step that moves opens the first context
  if (!steps_.empty()) {
    for (std::size_t slot = 0; slot < step.runs.size(); ++slot) {
      const Term goes_on = context_.conj(steps_.back().runs[slot], step.runs[slot]);
      switches = context_.conj(switches, context_.negate(goes_on));
    }
  }
  for (std::size_t n = switches_.size(); n-- > 0;) {
    const Term reached = n == 0 ? context_.truth() : switches_[n - 1];
    switches_[n] = context_.disj(switches_[n], context_.conj(reached, switches));
  }
  if (task_.options.bmc.contexts) solver_.add(context_.negate(switches_.back()));
}

SymbolicState Unrolling::next_state(const Step& step, const SymbolicState& state) {
  SymbolicState next = state;
  for (const Instruction& instruction : step.instructions) {
    for (const Update& update : instruction.effect.updates) {
      Datum& value = update.thread ? next.threads[*update.thread].locals[update.templ.value][update.slot]
                                   : next.shared[update.slot];
      value = translator_.ite(instruction.taken, update.value, value);
    }
  }
  move_threads(step, state, next);
  return next;
}

// All leave before any arrives: a place may be left and reached in one step.
void Unrolling::displace(const Step& step, SymbolicState& next) {
  for (const Instruction& instruction : step.instructions) {
    for (const Displaced& one : instruction.effect.displaced) {
      SymbolicThread& thread = next.threads[one.slot];
      const Term leaves = context_.conj(instruction.taken, one.when);
      Term& at = thread.at[one.templ.value][one.from.value];
      at = context_.conj(at, context_.negate(leaves));
      if (!one.to) thread.alive = context_.conj(thread.alive, context_.negate(leaves));
    }
  }
  for (const Instruction& instruction : step.instructions) {
    for (const Displaced& one : instruction.effect.displaced) {
      if (!one.to) continue;
      Term& at = next.threads[one.slot].at[one.templ.value][one.to->value];
      at = context_.disj(at, context_.conj(instruction.taken, one.when));
    }
  }
}

void Unrolling::move_threads(const Step& step, const SymbolicState& state, SymbolicState& next) {
  for (std::size_t slot = 0; slot < next.threads.size(); ++slot) {
    SymbolicThread& thread = next.threads[slot];
    const Term stays = context_.negate(step.runs[slot]);
    for (auto& places : thread.at) {
      for (Term& at : places) at = context_.conj(at, stays);
    }
  }
  displace(step, next);
  for (const Instruction& instruction : step.instructions) {
    const Edge& edge = program_.edge(instruction.edge);
    SymbolicThread& thread = next.threads[instruction.thread];
    const Term taken = instruction.taken;
    const bool ends = model::ends_thread(edge);
    for (const Action& action : edge.actions) {
      if (action.atomic == model::AtomicChange::None) continue;
      thread.atomic = context_.ite(taken, context_.boolean(action.atomic == model::AtomicChange::Enter), thread.atomic);
    }
    if (ends) {
      thread.alive = context_.conj(thread.alive, context_.negate(taken));
      thread.atomic = context_.conj(thread.atomic, context_.negate(taken));
    } else {
      Term& at = thread.at[instruction.edge.templ.value][edge.target.value];
      at = context_.disj(at, taken);
    }
    for (const Child& child : instruction.effect.children) {
      const Term made = context_.conj(taken, child.when);
      SymbolicThread& born = next.threads[child.slot];
      born.alive = context_.disj(born.alive, made);
      Term& at = born.at[child.templ.value][child.location.value];
      at = context_.disj(at, made);
      for (std::size_t i = 0; i < child.locals.size(); ++i) {
        Datum& value = born.locals[child.templ.value][i];
        value = translator_.ite(made, child.locals[i], value);
      }
    }
  }
  // A step that faults changes nothing, and ends the execution: what its thread's place would be is never asked.
  (void)state;
}

}  // namespace cohort::engine::bmc
