// Only unknowns are asked of the model, as far as possible: who runs, and values at the start.  The interpreter makes
// the steps, and where it has several, the values that the step assigns tell them apart.  Slots of the formula are not
// those of the interpreter where every spawn has its own: `names_` maps one to the other.
#include "engine/bmc/run_builder.hpp"

#include <algorithm>
#include <set>

#include "base/contract.hpp"
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
      if (!plan.initial) continue;
      names_.back() = state.threads.size();
      ThreadState thread{plan.templates[0], *plan.initial, false, {}};
      for (const Datum& datum : symbolic.threads[slot].locals[thread.templ.value])
        thread.locals.push_back(value(datum));
      state.threads.emplace_back(std::move(thread));
    }
    return state;
  }

  Transition take(const State& state, std::size_t index, const Instruction& instruction) {
    const bool fails = index + 1 == unrolling_.depth() && solver_.boolean_value(instruction.fails);
    if (unrolling_.plan().reuses_slots()) names_[instruction.thread] = instruction.thread;
    COHORT_EXPECT(names_[instruction.thread], "a thread that moves has been made");
    auto candidates = interpreter_.successors(state, *names_[instruction.thread], instruction.edge);
    std::erase_if(candidates, [&](const Transition& candidate) { return candidate.fault.has_value() != fails; });
    if (candidates.size() > 1 && !fails) {
      std::erase_if(candidates, [&](const Transition& one) { return !agrees(instruction, one); });
    }
    COHORT_EXPECT(!candidates.empty(), "a step of the model is a step of the interpreter");
    name_children(instruction, candidates[0]);
    return std::move(candidates[0]);
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

  bool agrees(const Instruction& instruction, const Transition& candidate) const {
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

  void name_children(const Instruction& instruction, const Transition& step) {
    if (unrolling_.plan().reuses_slots() || step.fault) return;
    COHORT_EXPECT(step.spawned.size() == instruction.effect.children.size(), "every child is born");
    for (std::size_t i = 0; i < step.spawned.size(); ++i) names_[instruction.effect.children[i].slot] = step.spawned[i];
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
