// The predicates of an abstraction: Boolean expressions over the variables that one thread sees.  A shared predicate
// mentions shared variables only and has one value in a state; a local one mentions locals only, a mixed one both, and
// each thread of its template has a value of its own.  That a mixed predicate of one thread can change by a step of
// another is what symmetric predicate abstraction is about (see oracle.hpp).
//
// A predicate is known at a place where all its locals are live; elsewhere nothing is stored of it, unless it is known
// everywhere (a Boolean broadcast program has no way to say where another thread is).  A predicate whose
// evaluation goes wrong (division by zero, an index out of bounds) counts as false.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/commands.hpp"
#include "model/passes/liveness.hpp"

namespace cohort::abstraction {

struct Predicate {
  enum class Scope : std::uint8_t { Shared, Local, Mixed };

  model::ExprId expr;
  Scope scope = Scope::Shared;
  model::TemplateId templ;  // Local, Mixed: whose locals
  std::vector<model::VarId> shared_vars;
  std::vector<model::VarId> local_vars;

  bool is_shared() const { return scope == Scope::Shared; }
};

// Does the command assign a shared variable of the predicate, or a local one?
bool assigns_shared(const model::Command& command, const Predicate& predicate);
bool assigns_local(const model::Command& command, const Predicate& predicate);

class Predicates {
 public:
  // Both must outlive this object.  `everywhere`: predicates are known at all places of their template.
  Predicates(const model::Commands& commands, const model::LiveLocals& live, bool everywhere = false);

  // `expr` is over shared variables and locals of `templ` and makes no choices.  False: it is tracked already.
  bool add(model::ExprId expr, model::TemplateId templ);

  const std::vector<Predicate>& all() const { return all_; }
  const Predicate& operator[](std::size_t index) const { return all_[index]; }
  // Those with one value in a state, and those of the threads of a template, in the order in which their values stand
  // in abstract states.
  const std::vector<std::size_t>& shared() const { return shared_; }
  const std::vector<std::size_t>& of(model::TemplateId templ) const { return of_[templ.value]; }
  bool known(const Predicate& predicate, model::PlaceId place) const;

  std::size_t count(Predicate::Scope scope) const;
  // As people read it, with the name of the template where there are several.
  std::string text(const Predicate& predicate) const;

 private:
  const model::Commands& commands_;
  const model::LiveLocals& live_;
  bool everywhere_;
  std::vector<Predicate> all_;
  std::vector<std::size_t> shared_;
  std::vector<std::vector<std::size_t>> of_;
};

}  // namespace cohort::abstraction
