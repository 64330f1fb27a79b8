// Where the variables of a Boolean program live in the model, and its expressions there.
#pragma once

#include <cstddef>
#include <vector>

#include "frontend/bp/ast.hpp"
#include "model/program.hpp"

namespace cohort::frontend::bp {

// The thread_local variables come first among the locals of every template, in the order of their declaration; the
// locals of the procedure follow.
class Storage {
 public:
  explicit Storage(const Program& program);

  std::size_t thread_locals() const { return thread_locals_; }
  model::LValue of(const Reference& reference) const;

 private:
  std::vector<model::LValue> shared_;  // for each of Program::shared
  std::size_t thread_locals_ = 0;
};

class ExpressionLowering {
 public:
  ExpressionLowering(model::ExprPool& pool, const Storage& storage) : pool_(pool), storage_(storage) {}

  // Every occurrence of `*` becomes a choice of its own, also when the same expression is lowered again.
  model::ExprId lower(const Expression& expression);
  // The conjuncts of a constraint, however its conjunctions are nested.
  void lower_conjuncts(const Expression& expression, std::vector<model::ExprId>& conjuncts);

 private:
  model::ExprId lower_variable(const Expression& expression);
  model::ExprId combine(Expression::Kind kind, model::ExprId left, model::ExprId right);
  model::ExprId lower_chain(const Expression& expression, std::size_t begin, std::size_t end);

  model::ExprPool& pool_;
  const Storage& storage_;
};

}  // namespace cohort::frontend::bp
