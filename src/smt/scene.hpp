// States as terms: the symbolic counterparts of model::Valuation, ThreadState and EvalContext, with the same layout, so
// that translation can be read beside evaluation.  An array is one Datum for each element.
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "model/program.hpp"
#include "smt/number.hpp"

namespace cohort::smt {

// A Boolean, or a number (thread references are numbers).
struct Datum {
  bool is_boolean = true;
  Term term;  // of a Boolean
  Number number;

  static Datum boolean(Term term) { return {true, term, {}}; }
  static Datum of(const Number& number) { return {false, {}, number}; }
};

using SymbolicValuation = std::vector<Datum>;

// One thread slot.  Threads of several templates may live in it one after the other, so there are locals for each of
// them, by template (empty: it never holds a thread of that template).
struct SymbolicThread {
  Term alive;
  Term atomic;
  std::vector<SymbolicValuation> locals;
  std::vector<std::vector<Term>> at;  // [template][location]: alive and there
};

// Is told of everything that an expression may depend on.  `index` is null for scalars.
class ReadObserver {
 public:
  ReadObserver() = default;
  ReadObserver(const ReadObserver&) = delete;
  ReadObserver& operator=(const ReadObserver&) = delete;
  virtual ~ReadObserver() = default;

  virtual void shared(model::VarId var, const Number* index) = 0;
  virtual void local(std::size_t slot, model::TemplateId templ, model::VarId var, const Number* index) = 0;
  virtual void place(std::size_t slot, model::TemplateId templ, model::LocId location) = 0;
  virtual void alive(std::size_t slot) = 0;
};

// A passive thread before and after a step.
struct PassiveSide {
  const SymbolicValuation* before = nullptr;
  const SymbolicValuation* after = nullptr;
  std::size_t slot = 0;
};

// What an expression looks at.  Members that the expression does not need may be null.
struct Scene {
  const SymbolicValuation* shared = nullptr;
  const SymbolicValuation* shared_after = nullptr;  // primed
  model::TemplateId templ;                          // of the executing thread
  const SymbolicValuation* self = nullptr;          // its locals
  const SymbolicValuation* self_after = nullptr;
  const SymbolicValuation* passive = nullptr;
  const SymbolicValuation* passive_after = nullptr;
  const std::vector<SymbolicThread>* threads = nullptr;
  std::size_t self_slot = 0;
  std::size_t passive_slot = 0;
  std::vector<PassiveSide> further_passive;  // where an expression ties several: the second one, and so on
  ReadObserver* observer = nullptr;
  // The value of a choice; the same for each call with the same node.
  std::function<Datum(model::ExprId)> choice;
};

}  // namespace cohort::smt
