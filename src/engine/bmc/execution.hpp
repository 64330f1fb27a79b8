// One thread taking one edge, as terms: when it can, what it changes, and what it reads and writes.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "engine/bmc/cells.hpp"
#include "engine/bmc/plan.hpp"
#include "model/program.hpp"
#include "smt/scene.hpp"
#include "smt/solver.hpp"
#include "smt/translator.hpp"

namespace cohort::engine::bmc {

struct SymbolicState {
  smt::SymbolicValuation shared;
  std::vector<smt::SymbolicThread> threads;
};

// The unknowns that choices of one step from a state stand for.  Only one edge is taken in a step, so all edges draw on
// the same ones.
class Choices {
 public:
  Choices(smt::Translator& translator, smt::Solver& solver, const SymbolicState& state);
  Choices(const Choices&) = default;
  Choices& operator=(const Choices&) = default;
  virtual ~Choices() = default;

  virtual void begin_edge() { std::fill(used_.begin(), used_.end(), 0); }
  virtual smt::Datum draw(const model::Type& type);
  // Two edges that may both be enabled are told apart by a number below `count`: this one is `index`.
  smt::Term pick(std::size_t index, std::size_t count);
  const std::vector<std::vector<smt::Datum>>& drawn() const { return unknowns_; }

 protected:
  std::size_t threads() const { return named_.size(); }
  // May a reference be this one, which is not negative?  The interpreter has no threads behind the last that is alive.
  smt::Term allows(const smt::Number& reference) const;

 private:
  smt::Translator* translator_;
  smt::Solver* solver_;
  std::vector<smt::Term> named_;  // by slot: a thread is alive there or behind it
  std::vector<model::Type> types_;
  std::vector<std::vector<smt::Datum>> unknowns_;  // by type
  std::vector<std::size_t> used_;
  std::vector<smt::Term> bits_;
};

// A value that a step gives to a shared variable or a local.
struct Update {
  std::optional<std::size_t> thread;  // none: shared
  model::TemplateId templ;
  std::size_t slot = 0;  // in the valuation
  smt::Datum value;
};

struct Child {
  smt::Term when;  // the slot is the one that it takes
  std::size_t slot = 0;
  model::TemplateId templ;
  model::LocId location;
  smt::SymbolicValuation locals;
};

// Another thread that the step brings to a place, or ends.
struct Displaced {
  smt::Term when;  // it stands at `from`, and is the one that is chosen, or chooses this move
  std::size_t slot = 0;
  model::TemplateId templ;
  model::LocId from;
  std::optional<model::LocId> to;   // none: it ends
  std::optional<std::size_t> take;  // by this take of the action; none: by a move of a broadcast
};

struct Execution {
  smt::Term enabled;     // no guard blocks, nothing goes wrong, and other threads allow it
  smt::Trouble trouble;  // no guard before it blocks; other threads are not asked
  smt::Term possible;    // as far as other threads go
  std::vector<Displaced> displaced;
  std::vector<Update> updates;
  std::vector<Child> children;
  std::vector<Access> reads;
  std::vector<Access> writes;
};

// A thread taking an edge in a certain step.
struct Instruction {
  std::size_t thread = 0;
  model::EdgeRef edge;
  smt::Term taken;  // this one is executed, and does not fault
  smt::Term fails;  // this one is executed and faults
  Execution effect;
};

class Executor {
 public:
  Executor(const model::Program& program, const Plan& plan, const Cells& cells, smt::Translator& translator)
      : program_(program),
        plan_(plan),
        cells_(cells),
        translator_(translator),
        blocks_at_bound_(model::looks_for_deadlocks(program)) {}

  // What the thread sees of the shared variables and its locals may be known more narrowly than the state has it.
  struct View {
    smt::SymbolicValuation shared;
    smt::SymbolicValuation self;
  };
  Execution execute(const SymbolicState& state, const View& view, std::size_t slot, model::EdgeRef edge,
                    Choices& choices);

  // The condition in a whole state, with what it reads; a condition that faults does not hold.  One that overflows
  // does, so that the interpreter gets to see the state and says so.
  smt::Term holds(const SymbolicState& state, model::ExprId condition, std::vector<Access>& reads);

  // In which states conditions overflowed that were asked for since overflows were forgotten.
  smt::Term overflows() const { return overflows_; }
  void forget_overflows() { overflows_ = translator_.context().falsity(); }

  // The same for a property: a bad condition that faults counts as holding where faults are violations.
  smt::Term is_bad(const SymbolicState& state, model::ExprId condition, std::vector<Access>& reads);

  // A reason for which a bad condition holds, with what that reads.
  struct Reason {
    smt::Term holds;
    std::vector<Access> reads;
  };
  // The state is bad exactly when one of these holds: the condition's disjuncts, or the condition itself where they
  // could go wrong.
  std::vector<Reason> reasons(const SymbolicState& state, model::ExprId condition);

 private:
  struct Frame;
  using Literal = std::pair<model::ExprId, bool>;  // an expression, and whether it is to hold

  smt::Translated translate(const SymbolicState& state, model::ExprId condition, std::vector<Access>& reads);
  void split(Literal literal, std::vector<Literal>& disjuncts) const;

  void see_threads(Frame& frame, const model::Action& action);
  void run_action(Frame& frame, const model::Action& action);
  void pass(Frame& frame, smt::Term holds, const smt::Trouble& trouble);
  smt::Translated evaluate(Frame& frame, const smt::Scene& scene, model::ExprId id);
  void assign(Frame& frame, const smt::Scene& scene, const model::Action& action);
  // A target of an assignment in the state before.
  struct Target {
    std::optional<smt::Number> index;
    std::optional<smt::Number> reference;
    smt::Trouble trouble;
  };

  const model::Variable& variable_of(const Frame& frame, const model::LValue& target) const;
  Target locate(Frame& frame, const smt::Scene& scene, const model::LValue& target);
  void store(Frame& frame, const model::LValue& target, const Target& at, const smt::Datum& value);
  void store_remote(Frame& frame, const model::LValue& target, const Target& at, const smt::Datum& value);
  void spawn(Frame& frame, const smt::Scene& scene, const model::Action& action);
  smt::SymbolicValuation child_locals(Frame& frame, const smt::Scene& scene, const model::Spawn& spawn);
  smt::Scene scene_of(Frame& frame);
  void add_thread_accesses(Frame& frame, const model::Edge& edge);

  const model::Program& program_;
  const Plan& plan_;
  const Cells& cells_;
  smt::Translator& translator_;
  const bool blocks_at_bound_;
  smt::Term overflows_ = translator_.context().falsity();
};

}  // namespace cohort::engine::bmc
