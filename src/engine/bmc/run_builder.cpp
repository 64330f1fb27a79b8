// Only unknowns are asked of the model, as far as possible: who runs, and values at the start.  The interpreter makes
// the steps, and where it has several, the values that the step assigns and the threads that it moves tell them apart.
// Slots of the formula are not those of the interpreter where every spawn has its own: `names_` maps one to the other.
// Of threads in the same state that a step may take, the interpreter takes the first and the formula any: where they
// differ, the two exchange their names, which no later step can tell.
#include "engine/bmc/run_builder.hpp"

#include <algorithm>
#include <set>

#include "base/contract.hpp"
#include "model/analysis/access.hpp"
#include "model/interpreter.hpp"

namespace cohort::engine::bmc {

using model::Interpreter;
using model::State;
using model::ThreadState;
using model::Transition;
using smt::Datum;

namespace {

class RunBuilder {
 public:
  RunBuilder(const Task& task, const Unrolling& unrolling, const smt::Numbers& numbers, const smt::Solver& solver,
             const Executed& executed)
      : program_(task.program),
        unrolling_(unrolling),
        numbers_(numbers),
        solver_(solver),
        executed_(executed),
        interpreter_(task.program, task.bound) {
    interpreter_.choose_among(choices());
  }

  model::Run build() {
    model::Run run;
    run.choices = choices();
    run.initial = initial_state();
    const State* state = &run.initial;
    run.steps.reserve(unrolling_.depth());
    for (std::size_t i = 0; i < unrolling_.depth(); ++i) {
      if (executed_[i] == nullptr) continue;
      run.steps.push_back(take(*state, i, *executed_[i]));
      state = &run.steps.back().target;
    }
    return run;
  }

 private:
  model::Value value(const Datum& datum) const {
    if (datum.is_boolean) return solver_.boolean_value(datum.term) ? 1 : 0;
    return numbers_.value(solver_, datum.number);
  }

  // The numbers that choices fall on; 0 is among them, for choices that simplification left out.
  std::vector<model::Value> choices() const {
    std::set<model::Value> values{0};
    for (std::size_t i = 0; i < unrolling_.depth(); ++i) {
      for (const auto& of_type : unrolling_.step(i).choices.drawn()) {
        for (const Datum& datum : of_type) {
          if (!datum.is_boolean) values.insert(value(datum));
        }
      }
    }
    return {values.begin(), values.end()};
  }

  State initial_state() {
    const SymbolicState& symbolic = unrolling_.state(0);
    State state;
    for (const Datum& datum : symbolic.shared) state.shared.push_back(value(datum));
    for (std::size_t slot = 0; slot < unrolling_.plan().slots().size(); ++slot) {
      const Slot& plan = unrolling_.plan().slots()[slot];
      names_.emplace_back();
      if (plan.starts.empty()) continue;
      names_.back() = state.threads.size();
      const auto start = std::find_if(plan.starts.begin(), plan.starts.end(), [&](const Home& one) {
        return solver_.boolean_value(symbolic.threads[slot].at[one.templ.value][one.location.value]);
      });
      COHORT_EXPECT(start != plan.starts.end(), "the thread of a slot starts somewhere");
      ThreadState thread{start->templ, start->location, false, {}};
      for (const Datum& datum : symbolic.threads[slot].locals[thread.templ.value])
        thread.locals.push_back(value(datum));
      state.threads.emplace_back(std::move(thread));
    }
    return state;
  }

  Transition take(const State& state, std::size_t index, const Instruction& instruction) {
    const bool fails = index + 1 == unrolling_.depth() && solver_.boolean_value(instruction.fails);
    COHORT_EXPECT(names_[instruction.thread], "a thread that moves has been made");
    auto candidates = interpreter_.successors(state, *names_[instruction.thread], instruction.edge);
    std::erase_if(candidates, [&](const Transition& candidate) { return candidate.fault.has_value() != fails; });
    if (!fails) exchange_taken(state, instruction);
    if (candidates.size() > 1 && !fails) {
      std::erase_if(candidates, [&](const Transition& one) { return !agrees(instruction, state, one); });
    }
    COHORT_EXPECT(!candidates.empty(), "a step of the model is a step of the interpreter");
    if (!candidates[0].fault) rename(instruction, candidates[0]);
    return std::move(candidates[0]);
  }

  // The threads that the step moves or ends, by their names in the run.
  template <class Visit>
  void for_each_displaced(const Instruction& instruction, Visit&& visit) const {
    for (const Displaced& one : instruction.effect.displaced) {
      if (!solver_.boolean_value(one.when)) continue;
      COHORT_EXPECT(names_[one.slot], "a thread that is moved has been made");
      visit(one, *names_[one.slot]);
    }
  }

  void exchange_taken(const State& state, const Instruction& instruction) {
    if (unrolling_.plan().names_threads()) return;
    std::set<std::size_t> taken{*names_[instruction.thread]};
    for_each_displaced(instruction, [&](const Displaced& one, std::size_t name) {
      if (!one.take) return;
      std::size_t first = 0;
      while (taken.contains(first) || state.threads[first] != state.threads[name]) ++first;
      taken.insert(first);
      if (first == name) return;
      const auto other = std::find(names_.begin(), names_.end(), std::optional(first));
      COHORT_EXPECT(other != names_.end(), "every thread of the run has a slot");
      std::swap(*other, names_[one.slot]);
    });
  }

  bool agrees_on_displaced(const Instruction& instruction, const State& state, const Transition& candidate) const {
    bool agrees = true;
    for_each_displaced(instruction, [&](const Displaced& one, std::size_t name) {
      const auto& threads = candidate.target.threads;
      const bool lives = name < threads.size() && threads[name].has_value();
      if (!one.to) {
        // A new thread may have its place already.
        const auto& born = candidate.spawned;
        agrees = agrees && (!lives || std::find(born.begin(), born.end(), name) != born.end());
        return;
      }
      agrees = agrees && lives && threads[name]->location == *one.to;
      // One that is taken is not passive.
      const bool keeps_locals = one.take && !unrolling_.plan().names_threads();
      agrees = agrees && (!keeps_locals || threads[name]->locals == state.threads[name]->locals);
    });
    return agrees;
  }

  // Of an array the updates hold every element that might be written.  The others keep their values, which may differ
  // from the model's where steps were left out.
  bool writes(const Instruction& instruction, const Update& update) const {
    std::optional<std::size_t> cell = unrolling_.cells().shared(update.slot);
    if (update.thread) {
      const auto& locals = program_.templ(update.templ).locals;
      std::size_t var = 0;
      while (locals[var].slot + locals[var].type.slots() <= update.slot) ++var;
      cell = unrolling_.cells().local(*update.thread, update.templ, model::VarId(var), update.slot - locals[var].slot);
    }
    if (!cell) return true;
    const auto& written = instruction.effect.writes;
    return std::any_of(written.begin(), written.end(), [&](const Access& access) {
      return access.cell == *cell && solver_.boolean_value(access.when);
    });
  }

  bool agrees(const Instruction& instruction, const State& state, const Transition& candidate) const {
    if (!agrees_on_displaced(instruction, state, candidate)) return false;
    for (const Update& update : instruction.effect.updates) {
      if (!writes(instruction, update)) continue;
      const model::Value wanted = value(update.value);
      if (!update.thread) {
        if (candidate.target.shared[update.slot] != wanted) return false;
        continue;
      }
      const auto& name = names_[*update.thread];
      if (!name || *name >= candidate.target.threads.size() || !candidate.target.threads[*name]) continue;
      const ThreadState& thread = *candidate.target.threads[*name];
      if (thread.templ == update.templ && thread.locals[update.slot] != wanted) return false;
    }
    std::size_t made = 0;
    for (const Child& child : instruction.effect.children) {
      if (!solver_.boolean_value(child.when)) continue;
      if (made == candidate.spawned.size()) return false;
      const auto& born = candidate.target.threads[candidate.spawned[made++]];
      for (std::size_t i = 0; i < child.locals.size(); ++i) {
        if (born && born->locals[i] != value(child.locals[i])) return false;
      }
    }
    return true;
  }

  void rename(const Instruction& instruction, const Transition& step) {
    for (const Displaced& one : instruction.effect.displaced) {
      if (!one.to && solver_.boolean_value(one.when)) names_[one.slot].reset();
    }
    std::size_t made = 0;
    for (const Child& child : instruction.effect.children) {
      if (!solver_.boolean_value(child.when)) continue;
      COHORT_EXPECT(made < step.spawned.size(), "every child is born");
      names_[child.slot] = step.spawned[made++];
    }
    COHORT_EXPECT(made == step.spawned.size(), "no other child is born");
    if (model::ends_thread(program_.edge(instruction.edge))) names_[instruction.thread].reset();
  }

  const model::Program& program_;
  const Unrolling& unrolling_;
  const smt::Numbers& numbers_;
  const smt::Solver& solver_;
  const Executed& executed_;
  Interpreter interpreter_;
  std::vector<std::optional<std::size_t>> names_;  // by slot of the formula: the interpreter's
};

}  // namespace

Executed executed_in_model(const Unrolling& unrolling, const smt::Solver& solver) {
  Executed executed(unrolling.depth(), nullptr);
  for (std::size_t i = 0; i < unrolling.depth(); ++i) {
    const Step& step = unrolling.step(i);
    const auto runs = std::find_if(step.runs.begin(), step.runs.end(),
                                   [&](smt::Term slot_runs) { return solver.boolean_value(slot_runs); });
    if (runs == step.runs.end()) continue;
    const auto slot = static_cast<std::size_t>(runs - step.runs.begin());
    const bool last = i + 1 == unrolling.depth();
    const auto taken = std::find_if(step.instructions.begin(), step.instructions.end(), [&](const Instruction& one) {
      return one.thread == slot && (solver.boolean_value(one.taken) || (last && solver.boolean_value(one.fails)));
    });
    COHORT_EXPECT(taken != step.instructions.end(), "a thread that runs takes an edge");
    executed[i] = &*taken;
  }
  return executed;
}

model::Run build_run(const Task& task, const Unrolling& unrolling, const smt::Numbers& numbers,
                     const smt::Solver& solver, const Executed& executed) {
  return RunBuilder(task, unrolling, numbers, solver, executed).build();
}

}  // namespace cohort::engine::bmc
