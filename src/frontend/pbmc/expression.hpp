// Expressions of a process program in the model.  The language has two types, bool and int, and each place asks for
// one of them; `*` takes the type that is asked for.  Integers are mathematical.  Operations on constants are folded,
// so that a replicated process accesses a[(i + 1) % n] by a constant.
#pragma once

#include "frontend/pbmc/ast.hpp"
#include "frontend/pbmc/scope.hpp"
#include "frontend/pbmc/sight.hpp"
#include "model/program.hpp"

namespace cohort::frontend::pbmc {

class ExpressionLowering {
 public:
  // `choices`: may `*` and `choose` stand here?  `sight`: what can be said of processes here, if anything.
  ExpressionLowering(model::ExprPool& pool, const Scope& scope, bool choices, const Sight* sight = nullptr)
      : pool_(pool), scope_(scope), choices_(choices), sight_(sight) {}

  model::ExprId boolean(const Expression& expression) { return lower(expression, true); }
  model::ExprId number(const Expression& expression) { return lower(expression, false); }
  // A value for a variable, or an element, of this type.
  model::ExprId value(const Expression& expression, const model::Type& type) {
    return lower(expression, type.element().is_bool());
  }
  // Throws unless the expression is made of constants.  `what` names it in the message.
  model::Value constant(const Expression& expression, bool wants_bool, std::string_view what);
  // Throws unless `target` is a variable, or an element of an array.
  model::LValue target(const Target& target);
  // Which copy of a process an expression of the header speaks of.
  Sight::Copy copy(const Expression& seen);
  // The type of the variable `name`, which must not be a constant.
  const Symbol& variable(const Name& name) const;
  // Is the expression, by its form, a Boolean?  `*` is both and counts as a number.
  bool is_boolean(const Expression& expression);

 private:
  model::ExprId lower(const Expression& expression, bool wants_bool);
  model::ExprId lower_variable(const Expression& expression);
  const Symbol& seen(const Expression& expression);
  model::ExprId lower_seen(const Expression& expression);
  model::ExprId lower_choose(const Expression& expression);
  model::ExprId lower_operation(const Expression& expression);
  model::ExprId arithmetic(model::Op op, model::ExprId left, model::ExprId right);
  model::ExprId comparison(model::Op op, model::ExprId left, model::ExprId right);

  model::ExprPool& pool_;
  const Scope& scope_;
  bool choices_;
  const Sight* sight_;
};

}  // namespace cohort::frontend::pbmc
