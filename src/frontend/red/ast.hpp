// A pointer algorithm as written: what the parser hands to the lowering.  Names are not resolved here.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/source.hpp"
#include "model/type.hpp"

namespace cohort::frontend::red {

struct Expression;
using ExpressionPtr = std::unique_ptr<Expression>;

struct Expression {
  enum class Kind : std::uint8_t {
    Number,
    Truth,       // true, false: `number` is 1 or 0
    Null,        // NULL
    Process,     // P, the process that executes
    Name,        // name; args[0], if there, is the index in brackets
    Arrow,       // args[0] -> args[1]: the second is spoken by the process that the first leads to
    Operator,    // `name` is the operator, with one or two args
    Chain,       // a < b <= c: `signs` between the args
    Quantifier,  // `name` is forall or exists; `variable` is bound in args[0]
  };

  Kind kind = Kind::Number;
  std::string name;
  std::string variable;
  model::Value number = 0;
  std::vector<ExpressionPtr> args;
  std::vector<std::string> signs;
  SourceSpan span;
};

struct Declaration {
  std::string name;
  bool global = false;
  bool pointer = false;
  model::Value lo = 0;  // discrete variables: the range, 0..1 where none is given
  model::Value hi = 1;
  SourceSpan span;
};

struct Constant {
  std::string name;
  model::Value value = 0;
  SourceSpan span;
};

struct Assignment {
  ExpressionPtr target;
  ExpressionPtr value;
  std::string text;
  SourceSpan span;
};

struct Transition {
  ExpressionPtr guard;
  std::vector<Assignment> assignments;
  std::optional<std::string> target;  // none: the mode stays
  SourceSpan target_span;
  std::string text;  // `when ...`
  SourceSpan span;
};

struct Mode {
  std::string name;
  ExpressionPtr invariant;
  std::vector<Transition> transitions;
  SourceSpan span;
};

struct Goal {
  bool safe = false;  // `safe` condition; else `risk`
  ExpressionPtr condition;
  std::string text;
  SourceSpan span;
};

struct Algorithm {
  SourceFilePtr file;
  std::optional<std::uint32_t> processes;
  std::vector<Declaration> variables;
  std::vector<Constant> constants;
  std::vector<Mode> modes;
  ExpressionPtr initially;
  std::vector<Goal> goals;
};

}  // namespace cohort::frontend::red
