// All interleavings of a given length as a formula, step by step: states that are terms over the choices made so far,
// and for each step which thread runs and which edge it takes.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "base/env.hpp"
#include "engine/bmc/cells.hpp"
#include "engine/bmc/execution.hpp"
#include "engine/bmc/knowledge.hpp"
#include "engine/bmc/plan.hpp"
#include "engine/engine.hpp"
#include "model/program.hpp"
#include "smt/solver.hpp"
#include "smt/translator.hpp"

namespace cohort::engine::bmc {

struct Step {
  std::vector<smt::Term> runs;  // by slot
  smt::Term moves;              // some thread runs; otherwise the step is idle
  std::vector<Instruction> instructions;
  smt::Term errs;  // the step reaches an error location, faults or overflows; only where the execution may end here
  Choices choices;
  smt::Term overflows;  // the last of what errs says
};

// With growing contexts: how many at most are asked for by themselves.  Most violations need few, and a formula that
// allows few has few solutions to go through.
inline constexpr std::uint32_t most_growing_contexts = 8;

// Where executions begin: at the start of the program, or in any state that the types of its variables allow and that
// no error location violates.
enum class Start : std::uint8_t { Initial, Anywhere };

class Unrolling {
 public:
  Unrolling(Env& env, const Task& task, const Plan& plan, smt::Translator& translator, smt::Solver& solver,
            Start start = Start::Initial);

  std::size_t depth() const { return steps_.size(); }
  const model::Program& program() const { return program_; }
  const Plan& plan() const { return plan_; }
  const Cells& cells() const { return cells_; }
  Executor& executor() { return executor_; }
  const SymbolicState& state(std::size_t index) const { return states_[index]; }
  const Step& step(std::size_t index) const { return steps_[index]; }

  // What a thread that stands there sees in the last state.
  Executor::View view(std::size_t slot, model::TemplateId templ, model::LocId place) const;

  // Adds a step.  `ends`: when executions may end with it; only then may it violate a property by itself.
  void extend(smt::Term ends);

  // Every execution that has not violated a property before has fewer steps than the depth, as can be seen from the
  // edges that are within reach: they make no cycles, and their paths are too short.
  bool covers_all() const;

  // With contexts that grow: the steps so far are made in at most so many contexts.
  smt::Term has_at_most(std::uint32_t contexts) const;

 private:
  void add_initial_state();
  void add_starts(SymbolicState& state);
  void add_any_state();
  void begin_with(SymbolicState state);
  smt::SymbolicValuation any_values(const std::vector<model::Variable>& variables, const std::string& prefix);
  smt::Datum initial_value(const model::Variable& variable, std::size_t element, const std::string& name);
  void add_instructions(Step& step, const SymbolicState& state, smt::Term ends);
  void add_thread(Step& step, const SymbolicState& state, std::size_t slot, smt::Term ends);
  void schedule(Step& step, const SymbolicState& state);
  void break_symmetry(const Step& step);
  void bound_contexts(const Step& step);
  SymbolicState next_state(const Step& step, const SymbolicState& state);
  void displace(const Step& step, SymbolicState& next);
  void move_threads(const Step& step, const SymbolicState& state, SymbolicState& next);
  smt::Term failure(const smt::Trouble& trouble) const;
  smt::Term enters_error(const Instruction& instruction) const;

  Env& env_;
  const Task& task_;
  const model::Program& program_;
  const Plan& plan_;
  const Cells cells_;
  smt::Translator& translator_;
  smt::Context& context_;
  smt::Solver& solver_;
  Executor executor_;
  std::optional<Knowledge> knowledge_;  // of the last state; none before there is one
  std::vector<model::OutEdges> out_edges_;
  // [template][location]: do several edges from there need a choice between them?
  std::vector<std::vector<bool>> branches_;
  bool symmetric_ = false;
  std::vector<smt::Term> like_previous_;  // by slot: its thread at the start is of the group of the one before
  std::set<std::pair<std::size_t, model::EdgeRef>> used_;  // by some step so far, in this slot
  bool used_grew_ = false;                                 // with the last step
  std::vector<SymbolicState> states_;
  std::vector<Step> steps_;
  std::vector<smt::Term> moved_;     // by slot: has run before
  std::vector<smt::Term> switches_;  // switches_[n]: more than n contexts so far
};

}  // namespace cohort::engine::bmc
