// What one thread's step does: the kernel of the semantics, shared by the interpreter (all threads in view) and by the
// thread system (one thread in view).  A step's outcomes are enumerated, one for each way its choices can fall, without
// duplicates.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "base/env.hpp"
#include "model/eval.hpp"
#include "model/program.hpp"
#include "model/state.hpp"

namespace cohort::model {

// All that a passive thread needs to know to update itself: the step's action and the active side before and after it.
struct Broadcast {
  EdgeRef edge;
  std::uint32_t action = 0;
  Valuation shared_before;
  Valuation shared_after;
  ThreadState active_before;
  ThreadState active_after;

  auto operator<=>(const Broadcast&) const = default;
};

struct RemoteWrite {
  std::size_t thread = 0;  // slot of the thread written to
  std::size_t slot = 0;    // in its valuation
  Value value = 0;

  auto operator<=>(const RemoteWrite&) const = default;
};

struct Outcome {
  Valuation shared;
  ThreadState thread;
  bool ended = false;
  std::vector<ThreadState> children;   // in order of creation; dropped by the caller beyond the bound
  std::optional<Broadcast> broadcast;  // set: every other thread moves by passive_outcomes()
  std::optional<std::uint32_t> takes;  // set: the edge's action with this index takes other threads along
  std::vector<RemoteWrite> remote;
  std::optional<FaultKind>
      fault;  // set: the step went wrong in action `fault_action`; the rest is as before that action
  std::uint32_t fault_action = 0;

  auto operator<=>(const Outcome&) const = default;
};

class Stepper {
 public:
  // `program` must be flat and outlive the stepper.  A step may have millions of outcomes: with `env`, which must
  // outlive the stepper, too, enumerating them ends at its limits by throwing Stopped.
  explicit Stepper(const Program& program, Env* env = nullptr);

  // Choices of types with too many values to enumerate fall on these values only: those that a run needs.
  void choose_among(std::vector<Value> values) { known_values_ = std::move(values); }
  // Has such a choice been made?  Then there are outcomes that were left out.
  bool has_sampled() const { return has_sampled_; }

  const Program& program() const { return *program_; }
  const OutEdges& out_edges(TemplateId templ) const { return out_edges_[templ.value]; }

  // Outcomes of `thread` (in slot `slot` of `state`, where that is given) executing `edge`, sorted and distinct.
  std::vector<Outcome> outcomes(EdgeRef edge, const Valuation& shared, const ThreadState& thread,
                                const State* state = nullptr, std::size_t slot = 0) const;

  // What `passive` may become in a broadcast, sorted and distinct; empty when it blocks the step.
  std::vector<ThreadState> passive_outcomes(const Broadcast& broadcast, const ThreadState& passive) const;
  // How many passive threads the broadcast ties to each other at most; 0: each of them stands on its own.
  std::size_t tied(const Broadcast& broadcast) const;
  // Do all that are tied to each other allow it, these being the passive threads before and after?
  bool ties_hold(const Broadcast& broadcast, std::span<const PassivePair> passive) const;

  // Every valuation that `variables` may have at the start.
  std::vector<Valuation> initial_valuations(const std::vector<Variable>& variables) const;

 private:
  // What an action says of passive threads of one template.
  struct PassiveInfo {
    TemplateId templ;
    std::vector<ExprId> choices;  // Nondet nodes
    std::vector<ExprId> conjuncts;
  };
  struct ActionInfo {
    std::vector<ExprId> choices;  // Nondet nodes of the active side
    std::vector<ExprId> active_conjuncts;
    std::vector<PassiveInfo> passive;
    std::vector<ExprId> ties;  // conjuncts over several passive threads
    bool broadcast = false;
    bool guard_chooses = false;
  };

  ActionInfo analyse(const Action& action) const;
  static PassiveInfo& passive_info(ActionInfo& info, TemplateId templ);
  const Action& action_of(const Broadcast& broadcast) const;
  const ActionInfo& info_of(const Broadcast& broadcast) const;
  bool tie_holds(EvalContext& context, ExprId conjunct, std::span<const PassivePair> passive,
                 std::span<const std::optional<TemplateId>> wanted, std::vector<std::size_t>& chosen) const;
  void execute(const Action& action, const ActionInfo& info, EdgeRef edge, std::uint32_t index, const Outcome& before,
               const State* state, std::size_t slot, std::vector<Outcome>& results) const;
  bool assign_active(const Action& action, EvalContext& context, std::size_t slot, Outcome& outcome) const;
  std::vector<std::vector<ThreadState>> children(const Action& action, EvalContext& context) const;

  void poll() const {
    if (env_ != nullptr) env_->poll("step-outcomes");
  }
  template <class T>
  void sort_unique(std::vector<T>& items) const;

  const Program* program_;
  Env* env_;
  std::optional<std::vector<Value>> known_values_;
  mutable bool has_sampled_ = false;
  std::vector<OutEdges> out_edges_;
  std::vector<std::vector<std::vector<ActionInfo>>> infos_;  // [template][edge][action]
};

}  // namespace cohort::model
