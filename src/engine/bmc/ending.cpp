// Projections (PBMC paper, section 4): of all executions that violate the property only those are searched in which
// each step influences the violation, directly or through later steps.
//
// The paper's constraint C_F asks of each step i that it writes a variable of F, or that d_ij holds for some later step
// j: i writes what j reads.  All pairs of steps are a quadratic number of terms, each over all pairs of instructions.
// Here one pass from the end keeps, for each cell v (a variable or an array element), the term
//     needed_i(v): the value of v after step i matters to what follows,
//     needed_k(v) = v in F,     needed_{i-1}(v) = (needed_i(v) and step i does not overwrite v) or step i reads v,
// and asks of each step that it writes a cell that is needed after it, or that its thread runs again later (which
// stands for the thread's place and its own locals: the next step of the thread reads them).
//
// Without the part about overwriting this is C_F: the disjunction over j > i of "i writes some v and j reads v" is "i
// writes some v, and some j > i reads v", where j ranges over the steps that are selected, all of which are in the
// projection; idle steps read nothing.  For an element of an array the condition that the indices are equal is split
// over the elements.  The size is linear in depth times cells.
//
// With overwriting it asks more than the paper, and still loses no violation.  Proof.  Let p be a violating execution
// of the least length m <= k, put at the end of the k steps.  Let i be the last of its steps that breaks the
// constraint: it writes nothing that is needed after it and its thread does not run again.  Leave i out.  By induction
// over the later steps, the state without i agrees with the state of p on all needed cells, on the places and own
// locals of the other threads, and in the flags of atomic sections as far as it matters (below): a later step reads
// only cells that are needed before it, so it can be taken and writes the same; a cell that becomes needed only after a
// step was needed before it or was overwritten by it.  So the end violates the property as well, with m - 1 steps,
// which contradicts the choice of p.  Hence every shortest violating execution satisfies the constraint, at every step.
//
// The same argument covers all constraints together.  Among the shortest violating executions, which all satisfy this
// one, the one whose sequence of threads is least in lexicographic order satisfies the constraint of
// engine/bmc/normal_form.cpp and that of Unrolling::break_symmetry: were it to break one, commuting steps or renaming
// threads would make a smaller sequence of the same length that violates the same.  So projections, partial-order
// reduction and symmetry breaking lose no violation in any combination.  That executions do not violate before they end
// is of this kind too.
//
// Encoding.  needed_i(v) only ever stands for a reason, so it is an unknown that implies its definition rather than a
// name for it: that it may be false although the definition holds allows no execution more, and half the clauses are
// enough.  That a step is needed is asked twice, of each instruction and of the thread that runs: either implies the
// other, but the solver propagates along the first where it knows the thread's place and along the second where it does
// not.  On litmus tests the first is worth a third of the conflicts, on the indexer the second is worth most of them.
//
// Atomic sections.  A step of another thread needs that a thread is in no section.  Leaving out the step that enters
// one can only help; what is needed is the step that leaves: it counts as influencing every later step of another
// thread. If step i of thread t is left out, t does not run after it, so t stays as it was before i: were it in a
// section, then since another thread runs later, t must have left it in step i or later, that is in i, which would be
// needed.
//
// Steps that change other threads (broadcasts, takes).  What they write of another thread are cells: its locals that
// broadcasts write and its places that threads are brought to or taken from.  They read the cells of the places that
// they take threads from, and the locals of passive threads; which of several threads is taken is a choice, and stays
// the same.  So in the proof, where step i is left out, thread u may stand elsewhere than in p, at a place with a cell
// that is not needed.  That each later step of u can still be taken is seen from the place s that it starts from.  If s
// has a cell, the step reads it, so it is needed before and agrees.  If not, no other thread brings u to s or takes it
// away from there; so u came there by its own last step, or started there, and has stood there since, in p and without
// i.
//
// Deadlocks are about the place of every thread, so every step of a thread that is still alive influences one.  They
// are searched without projections.
//
// Properties of states (conditions, covers): F is what the property that is chosen reads.  A condition that is a
// disjunction counts as one property for each disjunct, so that "some process is wrong" needs one process only.  An
// error location or a fault is reached by the last step itself, which needs no other reason.
//
// The same steps, for the known values of one execution, leave from it the steps that matter: influencing() makes a
// projection of an execution that was found without the constraint.
#include "engine/bmc/ending.hpp"

#include <algorithm>
#include <map>

#include "base/contract.hpp"
#include "engine/bmc/deadlock.hpp"

namespace cohort::engine::bmc {

using model::Property;
using smt::Term;

namespace {

bool touches_atomic(const model::Edge& edge) {
  return std::any_of(edge.actions.begin(), edge.actions.end(), [](const model::Action& action) {
    return action.atomic == model::AtomicChange::Exit || action.ends_thread;
  });
}

}  // namespace

Ending::Ending(const model::Program& program, Unrolling& unrolling, smt::Translator& translator, smt::Solver& solver,
               Term ends)
    : program_(program),
      unrolling_(unrolling),
      translator_(translator),
      context_(translator.context()),
      solver_(solver),
      ends_(ends) {}

bool Ending::require_violation() {
  const SymbolicState& last = unrolling_.state(unrolling_.depth());
  unrolling_.executor().forget_overflows();
  for (const Property& property : program_.properties) {
    if (property.kind == Property::Kind::Condition) {
      for (auto& reason : unrolling_.executor().reasons(last, *property.condition)) {
        add_target(reason.holds, std::move(reason.reads));
      }
    } else if (property.kind == Property::Kind::Cover) {
      std::vector<Access> reads;
      const Term holds = covers(property, reads);
      add_target(holds, std::move(reads));
    } else if (property.kind == Property::Kind::Deadlock) {
      add_target(is_deadlock(unrolling_, translator_, solver_), {});
    }
  }
  overflows_ = unrolling_.executor().overflows();
  std::vector<Term> violations;
  for (const Target& target : targets_) violations.push_back(target.chosen);
  if (unrolling_.depth() > 0) {
    overflows_ = context_.disj(overflows_, unrolling_.step(unrolling_.depth() - 1).overflows);
    const Term errs = unrolling_.step(unrolling_.depth() - 1).errs;
    violations.push_back(errs);
    // A step that faults leads to no state of which a property could hold.
    for (const Target& target : targets_)
      solver_.add(context_.disj(context_.negate(target.chosen), context_.negate(errs)));
  } else {
    for (const smt::SymbolicThread& thread : last.threads) {
      for (std::size_t id = 0; id < thread.at.size(); ++id) {
        for (std::size_t place = 0; place < thread.at[id].size(); ++place) {
          if (program_.templates[id].locations[place].error) violations.push_back(thread.at[id][place]);
        }
      }
    }
  }
  const Term violation = context_.disj(violations);
  solver_.add(context_.implies(ends_, violation));
  return !context_.is_false(violation);
}

void Ending::add_target(Term holds, std::vector<Access> reads) {
  if (context_.is_false(holds)) return;
  const Term chosen = context_.fresh_boolean("target");
  solver_.add(context_.implies(chosen, holds));
  targets_.push_back({chosen, std::move(reads)});
}

Term Ending::covers(const Property& property, std::vector<Access>& reads) {
  const SymbolicState& last = unrolling_.state(unrolling_.depth());
  Term result = context_.truth();
  if (property.condition) result = unrolling_.executor().holds(last, *property.condition, reads);
  std::map<std::pair<model::TemplateId, model::LocId>, std::size_t> wanted;
  for (const auto& place : property.threads) ++wanted[place];
  for (const auto& [place, count] : wanted) {
    std::vector<Term> there;
    for (std::size_t slot = 0; slot < last.threads.size(); ++slot) {
      const auto& places = last.threads[slot].at[place.first.value];
      if (places.empty()) continue;
      there.push_back(places[place.second.value]);
      const auto cell = unrolling_.cells().place(slot, place.first, place.second);
      COHORT_EXPECT(cell, "places of a property are observed");
      reads.push_back({*cell, context_.truth()});
    }
    result = context_.conj(result, at_least(there, count));
  }
  return result;
}

// reached[n]: more than n of the terms looked at so far hold.
Term Ending::at_least(const std::vector<Term>& terms, std::size_t count) {
  std::vector<Term> reached(count, context_.falsity());
  for (const Term term : terms) {
    for (std::size_t n = count; n-- > 0;) {
      reached[n] = context_.disj(reached[n], context_.conj(n == 0 ? context_.truth() : reached[n - 1], term));
    }
  }
  return count == 0 ? context_.truth() : reached.back();
}

void Ending::require_projection() {
  COHORT_EXPECT(!model::looks_for_deadlocks(program_), "every step influences a deadlock");
  needed_.assign(unrolling_.cells().size(), context_.falsity());
  for (const Target& target : targets_) {
    for (const Access& read : target.reads) {
      needed_[read.cell] = context_.disj(needed_[read.cell], context_.conj(target.chosen, read.when));
    }
  }
  std::vector<Term> later_runs(unrolling_.plan().slots().size(), context_.falsity());
  for (std::size_t i = unrolling_.depth(); i-- > 0;) {
    const Step& step = unrolling_.step(i);
    std::vector<std::vector<Term>> reasons(later_runs.size());
    for (const Instruction& instruction : step.instructions) {
      const Term later = later_runs[instruction.thread];
      if (context_.is_true(later)) continue;
      const Term needed = is_needed(instruction, later_runs, unrolling_.state(i));
      std::vector<Term> allowed{context_.negate(instruction.taken), needed, later, context_.negate(ends_)};
      if (i + 1 == unrolling_.depth()) allowed.push_back(step.errs);
      solver_.add(context_.disj(allowed));
      reasons[instruction.thread].push_back(context_.conj(instruction.taken, needed));
    }
    for (std::size_t slot = 0; slot < later_runs.size(); ++slot) {
      if (context_.is_false(step.runs[slot])) continue;
      auto& allowed = reasons[slot];
      allowed.push_back(later_runs[slot]);
      allowed.push_back(context_.negate(step.runs[slot]));
      allowed.push_back(context_.negate(ends_));
      if (i + 1 == unrolling_.depth()) allowed.push_back(step.errs);
      solver_.add(context_.disj(allowed));
    }
    step_back(step);
    for (std::size_t slot = 0; slot < later_runs.size(); ++slot) {
      later_runs[slot] = context_.disj(later_runs[slot], step.runs[slot]);
    }
  }
}

Term Ending::is_needed(const Instruction& instruction, const std::vector<Term>& later_runs,
                       const SymbolicState& before) {
  std::vector<Term> reasons;
  for (const Access& write : instruction.effect.writes) {
    reasons.push_back(context_.conj(write.when, needed_[write.cell]));
  }
  for (const Child& child : instruction.effect.children) {
    reasons.push_back(context_.conj(child.when, later_runs[child.slot]));
  }
  if (touches_atomic(program_.edge(instruction.edge))) {
    Term others = context_.falsity();
    for (std::size_t slot = 0; slot < later_runs.size(); ++slot) {
      if (slot != instruction.thread) others = context_.disj(others, later_runs[slot]);
    }
    reasons.push_back(context_.conj(before.threads[instruction.thread].atomic, others));
  }
  return context_.disj(reasons);
}

void Ending::step_back(const Step& step) {
  struct Accesses {
    std::vector<Term> reads;
    std::vector<Term> writes;
  };
  std::map<std::size_t, Accesses> accesses;
  for (const Instruction& instruction : step.instructions) {
    const Term executed = context_.disj(instruction.taken, instruction.fails);
    for (const Access& read : instruction.effect.reads) {
      accesses[read.cell].reads.push_back(context_.conj(executed, read.when));
    }
    for (const Access& write : instruction.effect.writes) {
      if (context_.is_false(needed_[write.cell])) continue;
      accesses[write.cell].writes.push_back(context_.conj(instruction.taken, write.when));
    }
  }
  for (const auto& [cell, by] : accesses) {
    const Term kept = context_.conj(needed_[cell], context_.negate(context_.disj(by.writes)));
    const Term reason = context_.disj(kept, context_.disj(by.reads));
    if (context_.is_constant(reason)) {
      needed_[cell] = reason;
      continue;
    }
    needed_[cell] = context_.fresh_boolean("needed");
    solver_.add(context_.implies(needed_[cell], reason));
  }
}

std::vector<const Instruction*> Ending::influencing(std::vector<const Instruction*> executed) const {
  std::vector<bool> needed(unrolling_.cells().size(), false);
  const auto chosen =
      std::find_if(targets_.begin(), targets_.end(), [&](const Target& target) { return holds(target.chosen); });
  if (chosen != targets_.end()) {
    for (const Access& read : chosen->reads) needed[read.cell] = needed[read.cell] || holds(read.when);
  }
  std::vector<bool> later_runs(unrolling_.plan().slots().size(), false);
  for (std::size_t i = executed.size(); i-- > 0;) {
    if (executed[i] == nullptr) continue;
    const bool errs = i + 1 == executed.size() && holds(unrolling_.step(i).errs);
    if (!errs && !influences(*executed[i], needed, later_runs, unrolling_.state(i))) {
      executed[i] = nullptr;
      continue;
    }
    for (const Access& write : executed[i]->effect.writes) {
      if (needed[write.cell] && holds(write.when)) needed[write.cell] = false;
    }
    for (const Access& read : executed[i]->effect.reads) {
      if (!needed[read.cell] && holds(read.when)) needed[read.cell] = true;
    }
    later_runs[executed[i]->thread] = true;
  }
  return executed;
}

// is_needed() for known values.
bool Ending::influences(const Instruction& instruction, const std::vector<bool>& needed,
                        const std::vector<bool>& later_runs, const SymbolicState& before) const {
  if (later_runs[instruction.thread]) return true;
  const auto& effect = instruction.effect;
  if (std::any_of(effect.writes.begin(), effect.writes.end(),
                  [&](const Access& write) { return needed[write.cell] && holds(write.when); })) {
    return true;
  }
  if (std::any_of(effect.children.begin(), effect.children.end(),
                  [&](const Child& child) { return later_runs[child.slot] && holds(child.when); })) {
    return true;
  }
  return touches_atomic(program_.edge(instruction.edge)) && holds(before.threads[instruction.thread].atomic) &&
         std::find(later_runs.begin(), later_runs.end(), true) != later_runs.end();
}

}  // namespace cohort::engine::bmc
