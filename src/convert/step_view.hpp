// One edge as a guarded command: the form that Murphi and Promela share.  The constraint over the state after is turned
// into a guard over the state before, by putting the assigned value in the place of each primed variable; this is exact
// because every choice is a node of its own, which both the assignment and the guard then name.
//
// Both languages execute assignments one after another, while an action assigns at once: `in_sequence` orders them and
// saves a value beforehand only where a cycle of reads forces it.
#pragma once

#include <optional>
#include <vector>

#include "model/program.hpp"

namespace cohort::convert {

struct StepView {
  const model::Edge* edge = nullptr;
  const model::Action* action = nullptr;
  std::vector<model::ExprId> enabled;          // all must hold; over the state before and the choices
  std::vector<model::ExprId> passive_enabled;  // likewise, of each other thread of the template
  std::vector<model::Assign> assigns;
  std::vector<model::Assign> passive_assigns;
  std::vector<model::ExprId> choices;  // the Nondet nodes of all the above, without repetition

  bool is_broadcast() const { return !passive_enabled.empty() || !passive_assigns.empty(); }
  // The variable whose whole value the choice is, when it occurs nowhere else: it needs no guard to know of it.
  std::optional<model::LValue> free_target(const model::Program& program, model::ExprId choice) const;
};

// Adds the substituted expressions to the program's pool; `edge` must outlive the view.
StepView view_step(model::Program& program, const model::Edge& edge);

// `save`: keep the value in the temporary of this number.  Otherwise write the target, from the temporary if there is
// one.
struct SequencedAssign {
  model::Assign assign;
  bool save = false;
  std::optional<std::size_t> temporary;
};

std::vector<SequencedAssign> in_sequence(const model::ExprPool& pool, const std::vector<model::Assign>& assigns);

// How many temporaries the sequence uses.
std::size_t temporaries(const std::vector<SequencedAssign>& sequence);

}  // namespace cohort::convert
