// Names and expressions of a symmetric concurrent program in the model.  Every expression has one type: that of the
// variables in it, which must agree; numbers and `*` take the type of their partner or of their place.  Arithmetic
// wraps around in that type, so that x + 1 means what it means to the processor.
#pragma once

#include <string>
#include <unordered_map>

#include "frontend/scpl/ast.hpp"
#include "model/program.hpp"

namespace cohort::frontend::scpl {

struct Symbol {
  bool is_shared = false;
  model::Type type = model::Type::boolean();
  model::VarId var;
};

// The shared variables and the locals of one thread.
class Scope {
 public:
  // Throws when the name is taken.
  void declare(const Name& name, const Symbol& symbol);
  // Throws when the name is not declared.
  const Symbol& find(const std::string& name, const SourceSpan& span) const;

 private:
  std::unordered_map<std::string, Symbol> symbols_;
};

class ExpressionLowering {
 public:
  ExpressionLowering(model::ExprPool& pool, const Scope& scope) : pool_(pool), scope_(scope) {}

  model::ExprId boolean(const Expression& expression) { return lower(expression, model::Type::boolean()); }
  // Throws unless the expression has this type.
  model::ExprId lower(const Expression& expression, const model::Type& wanted);

 private:
  // None: the expression takes the type that is asked for.
  std::optional<model::Type> type_of(const Expression& expression) const;
  model::ExprId lower_operation(const Expression& expression, const model::Type& wanted);

  model::ExprPool& pool_;
  const Scope& scope_;
};

}  // namespace cohort::frontend::scpl
