// What a step does to threads other than the one that takes it: those that it takes along, and the passive threads of a
// broadcast.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "engine/bmc/cells.hpp"
#include "engine/bmc/execution.hpp"
#include "engine/bmc/plan.hpp"
#include "model/program.hpp"
#include "smt/scene.hpp"
#include "smt/translator.hpp"

namespace cohort::engine::bmc {

// The thread that executes a broadcast, before and after the action that is one.
struct ActiveSide {
  std::size_t slot = 0;
  model::TemplateId templ;
  const model::Action* action = nullptr;
  smt::SymbolicValuation shared_before;
  smt::SymbolicValuation shared_after;
  smt::SymbolicValuation self_before;
  smt::SymbolicValuation self_after;
};

class Others {
 public:
  Others(const model::Program& program, const Plan& plan, const Cells& cells, smt::Translator& translator)
      : program_(program), plan_(plan), cells_(cells), translator_(translator) {}

  // The threads that the action of the thread in slot `mover` takes along: who they are is chosen.
  void take(const SymbolicState& state, std::size_t mover, const model::Action& action, Choices& choices,
            Execution& result);
  // When all actions of the edge are done: takes as the interpreter makes them where threads have names.
  void require_first(const SymbolicState& state, std::size_t mover, const model::Action& action, Execution& result);
  // When all actions of the edge are done: every other thread that was not taken.
  void broadcast(const SymbolicState& state, const ActiveSide& active, Choices& choices, Execution& result);

  // By slot: the step takes its thread along.
  smt::Term is_taken(const Execution& result, std::size_t slot);

 private:
  void move(const SymbolicState& state, std::size_t slot, const model::Action& action, Choices& choices,
            Execution& result);
  // A slot where a passive thread of the template may be, what it becomes, and when there is none.
  struct Passive {
    std::size_t slot = 0;
    model::TemplateId templ;
    smt::SymbolicValuation before;
    smt::SymbolicValuation after;
    smt::Term exempt;
  };

  std::optional<Passive> update(const SymbolicState& state, std::size_t slot, model::TemplateId templ,
                                const ActiveSide& active, Choices& choices, Execution& result);
  smt::Scene scene_of(const ActiveSide& active, smt::ReadObserver& reads) const;
  void tie(const ActiveSide& active, const std::vector<Passive>& passive, model::ExprId conjunct,
           std::vector<const Passive*>& chosen, Execution& result);
  void add_writes(const Displaced& displaced, Execution& result);
  smt::SymbolicValuation locals_of(const SymbolicState& state, std::size_t slot, model::TemplateId templ,
                                   const Execution& result) const;

  const model::Program& program_;
  const Plan& plan_;
  const Cells& cells_;
  smt::Translator& translator_;
};

}  // namespace cohort::engine::bmc
