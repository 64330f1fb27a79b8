// Terms of C as expressions of the model.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "frontend/c/lower/memory.hpp"

namespace cohort::frontend::c::lower {

// What must hold for a term to have a value; otherwise the behaviour is undefined, or not modelled.
struct Check {
  model::ExprId condition;
  std::optional<Wrong> kind;  // none: not modelled
  std::string message;
};

class Expressions {
 public:
  // `loads`: the value of each Load, which must be there when it is asked for.
  Expressions(Flat& flat, Layout& layout, Memory& memory, model::Program& program)
      : flat_(flat), layout_(layout), memory_(memory), program_(program) {}

  void set_load(TermId load, model::ExprId value) { loads_[load] = value; }

  model::ExprId value(TermId term);  // Boolean for _Bool, else a number of the term's type
  model::ExprId truth(TermId term);  // is it nonzero?
  model::ExprId address(const Access& access);
  model::ExprId index(TermId term);  // as a 64-bit number
  model::ExprId constant(model::Value value, const model::Type& type) { return pool().constant(value, type); }
  // Comparisons of what is constant are decided.
  model::ExprId compare(model::Op op, model::ExprId left, model::ExprId right);
  model::ExprId arithmetic(model::Op op, model::ExprId left, model::ExprId right, const model::Type& type);
  model::ExprId convert(model::ExprId value, const model::Type& type);

  // Checks of the terms built since the last time.
  std::vector<Check> take_checks() { return std::exchange(checks_, {}); }

 private:
  model::ExprPool& pool() { return program_.exprs; }
  model::ExprId number(TermId term);
  model::ExprId from_truth(model::ExprId truth, const model::Type& type);
  model::ExprId comparison(const Term& term);
  std::optional<model::ExprId> free_comparison(const Term& term);
  bool number_is(TermId term, std::int64_t value) const;
  model::ExprId operation(const Term& term);
  model::ExprId choice(const Term& term, const model::Type& type);
  model::ExprId pointer_difference(const Term& term);
  // Of 64-bit numbers without a sign.
  model::ExprId unsigned_compare(model::Op op, model::ExprId left, model::ExprId right);
  model::ExprId unsigned_shift(model::ExprId left, model::ExprId right);
  model::ExprId unsigned_division(ir::Op op, model::ExprId left, model::ExprId right);
  model::ExprId halved(model::ExprId value);
  // Is the exact result a signed number of 64 bits?
  model::ExprId fits_64(ir::Op op, model::ExprId left, model::ExprId right);
  model::ExprId fits_multiple(model::ExprId left, model::Value factor);
  model::ExprId fits_product(model::ExprId left, model::ExprId right);
  void check_operation(const Term& term, model::ExprId left, model::ExprId right);
  void check_overflow(const Term& term, model::ExprId left, model::ExprId right);
  void check(model::ExprId condition, std::optional<Wrong> kind, std::string message);

  Flat& flat_;
  Layout& layout_;
  Memory& memory_;
  model::Program& program_;
  std::map<TermId, model::ExprId> loads_;
  std::vector<Check> checks_;
};

}  // namespace cohort::frontend::c::lower
