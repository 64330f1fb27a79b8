// The Cartesian abstraction of commands by cubes: what a Boolean broadcast program of the SymmPA paper (its figures 2
// to 4) says of one step.
//
// A step changes the truth of some predicates, of the thread that takes it and (mixed ones) of all others.  Each such
// value is havocked and then constrained: a cube over the predicates before the step that implies the value after it
// forbids the other value.  All constraints have this one form, a combination of values that no step has, and so have
// the conjuncts that refinement adds.
//
// Precision c.  c = 0 is the paper's initial abstraction with its improvement: a value that is constant after the step,
// or that of one tracked predicate or its negation before it, is assigned; else it is free.  c = 1, 2: cubes of at most
// c literals.  For a passive thread, a cube has one literal of each of the two threads at c = 1 already, which is what
// the broadcast s = l with s == l needs.  Guards are translated as values are, though the paper's figure 4 drops them.
// Literals that share no variable with what is asked are left out: fewer constraints are sound.
//
// Cost: for p predicates p^c queries for each value that a command changes.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <vector>

#include "abstraction/oracle.hpp"
#include "abstraction/predicates.hpp"

namespace cohort::abstraction {

using Cube = std::vector<Literal>;

// What a predicate of a new thread is: constant, that of its creator after the step, or anything.
struct ChildValue {
  std::optional<bool> constant;
  std::optional<Literal> creator;
};

struct BroadcastStep {
  std::vector<std::size_t> own;     // predicates with a new value, shared ones and those of the active thread
  std::vector<std::size_t> others;  // predicates of which all other threads get a new value
  std::vector<Cube> forbidden;      // no step has all these values
  bool may_go_wrong = false;
  std::vector<Cube> harmless;                     // with these values before, the step does not go wrong
  std::vector<std::vector<ChildValue>> children;  // by child and predicate of its template
};

class Cartesian {
 public:
  // All must outlive this object.
  Cartesian(Oracle& oracle, const Predicates& predicates, std::uint32_t cube_length)
      : oracle_(oracle), commands_(oracle.commands()), predicates_(predicates), cube_length_(cube_length) {}

  // Where the oracle stopped the result means nothing.
  BroadcastStep step(std::uint32_t command);

 private:
  // Variables that a cube may speak of: shared ones, locals of the active and of the passive thread.
  struct Variables {
    std::set<model::VarId> shared;
    std::set<model::VarId> active;
    std::set<model::VarId> passive;
  };
  struct Question {
    std::uint32_t command = 0;
    std::optional<model::TemplateId> passive;
    Variables variables;
  };

  void note(model::ExprId expr, Variables& variables) const;
  Variables before(const model::Command& command, const Predicate& predicate, bool passive) const;
  bool is_relevant(const Literal& literal, const Variables& variables) const;
  std::vector<Literal> literals(const Question& question, Role role) const;
  std::vector<Cube> cubes(const Question& question) const;
  bool is_minimal(const Cube& cube, const std::vector<Cube>& found) const;
  void forbid_values(const Question& question, Literal after, BroadcastStep& step);
  void forbid_guard(std::uint32_t command, BroadcastStep& step);
  void note_trouble(std::uint32_t command, BroadcastStep& step);
  ChildValue child_value(std::uint32_t command, Literal value);
  bool changes_own(const model::Command& command, const Predicate& predicate) const;

  Oracle& oracle_;
  const model::Commands& commands_;
  const Predicates& predicates_;
  std::uint32_t cube_length_;
  std::vector<Cube> guard_;
};

}  // namespace cohort::abstraction
