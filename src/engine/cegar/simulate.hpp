// Is an abstract path a real one?  The path becomes one bit-precise formula: the values of all variables at the start
// are unknowns, each command is executed symbolically by its thread, and what must hold for it to be taken is a
// literal.  Where all literals together are satisfiable the path is a run, which is then made by the interpreter; else
// the shortest prefix that is not, and a minimal set of literals that contradict each other in it, say why.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/env.hpp"
#include "engine/cegar/path.hpp"
#include "engine/engine.hpp"
#include "model/commands.hpp"
#include "model/run.hpp"
#include "smt/command_terms.hpp"
#include "smt/solver.hpp"

namespace cohort::engine::cegar {

class Simulation {
 public:
  enum class Outcome : std::uint8_t { Feasible, Infeasible, Overflows, Stopped };

  // One thing that must hold for the path: a conjunct of a guard (or the condition at the end), or that a step goes
  // wrong, or does not.
  struct Need {
    enum class Kind : std::uint8_t { Condition, Trouble, NoTrouble };

    std::size_t step = 0;
    Kind kind = Kind::Condition;
    model::ExprId expr;  // Condition: over the state before the step
    smt::Term literal;
  };

  // All must outlive the simulation.
  Simulation(Env& env, const model::Commands& commands, const Path& path);
  ~Simulation();

  Outcome run();

  // Infeasible: the contradicting needs, by step.
  const std::vector<Need>& core() const { return core_; }
  // Before step `position`, on the path so far: is the local (a number) of the thread always `offset` more than the
  // shared variable?
  bool always_differ_by(std::size_t position, std::size_t thread, model::VarId local, model::VarId shared,
                        model::Value offset);
  // Values that variables have before step `position`, in one execution of the feasible part of the path.
  struct Values {
    model::Valuation shared;
    std::vector<model::Valuation> locals;  // by thread; empty: it does not exist
  };
  std::vector<Values> example();

  // Feasible: the run.  None: the interpreter does not agree, which the caller reports as a broken contract.
  std::optional<model::Run> build_run(const Task& task);

  std::uint64_t queries() const { return solver_.checks(); }
  const std::string& reason() const { return solver_.reason(); }

 private:
  struct Moment {
    smt::SymbolicValuation shared;
    std::vector<smt::SymbolicValuation> locals;
  };

  void start();
  void execute(std::size_t index);
  void need(std::size_t step, Need::Kind kind, model::ExprId expr, smt::Term holds);
  void minimise();
  std::vector<smt::Term> literals_before(std::size_t step) const;
  model::Value value(const smt::Datum& datum) const;
  model::Valuation values(const smt::SymbolicValuation& data) const;
  model::State initial_state(const Task& task, std::vector<std::optional<std::size_t>>& slots) const;
  bool agrees(const model::State& state, std::size_t index, const std::vector<std::optional<std::size_t>>& slots) const;
  bool children_agree(const model::Transition& candidate, std::size_t index) const;

  Env& env_;
  const model::Commands& commands_;
  const Path& path_;
  smt::Context context_;
  smt::Numbers numbers_;
  smt::Translator translator_;
  smt::CommandTerms terms_;
  smt::Solver solver_;
  std::vector<Moment> moments_;  // before each step, and at the end
  std::vector<std::vector<smt::Datum>> choices_;
  std::vector<Need> needs_;
  std::vector<Need> core_;
  std::size_t feasible_ = 0;  // steps that are possible one after the other
  std::optional<smt::Term> overflow_;
};

}  // namespace cohort::engine::cegar
