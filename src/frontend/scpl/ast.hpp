// The syntax tree of a symmetric concurrent program, as written: names are not looked up and types are not checked yet.
// Every node knows its place.  The depth of every tree is bounded by the parser, whatever the length of the text, so
// that later stages may recurse.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/source.hpp"
#include "frontend/tokens.hpp"
#include "model/expr.hpp"

namespace cohort::frontend::scpl {

struct Expression {
  enum class Kind : std::uint8_t {
    Number,
    Truth,  // false and true
    Any,    // `*`, of the type that its place asks for
    Variable,
    Conversion,   // uint8(e): operand 0 in `type`
    Operation,    // `op` with one operand or two
    Conditional,  // c ? a : b
  };

  Kind kind = Kind::Number;
  SourceSpan span;
  model::Value value = 0;                     // Number, Truth
  std::string name;                           // Variable
  model::Type type = model::Type::boolean();  // Conversion
  model::Op op = model::Op::Const;            // Operation
  std::vector<Expression> operands;
  std::size_t depth = 1;
};

// `s = 3` or `s = *` behind `shared` or `local` and a type.
struct Declaration {
  model::Type type = model::Type::boolean();
  Name name;
  Expression initial;
};

struct Statement;
using Block = std::vector<Statement>;

struct Statement {
  enum class Kind : std::uint8_t { Skip, Assign, Assume, Assert, Goto, Start, If, While, Atomic };

  Kind kind = Kind::Skip;
  std::optional<Name> label;
  SourceSpan span;                      // behind the label
  std::string text;                     // on one line, without label and comments; of `if` and `while` the head only
  std::optional<Expression> condition;  // Assume, Assert, If, While; Assign: the guard in `when (guard) ...`
  std::vector<Name> names;              // Assign: the targets; Goto: the labels; Start: the thread
  std::vector<Expression> values;       // Assign
  Block body;                           // If, While, Atomic
  Block otherwise;                      // If; `else if` is a block of one statement
};

struct Thread {
  Name name;
  bool any_number = true;
  std::uint32_t count = 0;  // at the start, unless there is any number
  std::vector<Declaration> locals;
  Block body;
  SourceSpan end;
};

struct Program {
  SourceFilePtr file;
  std::vector<Declaration> shared;
  std::vector<Thread> threads;
};

}  // namespace cohort::frontend::scpl
