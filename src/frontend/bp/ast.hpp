// The syntax tree of a Boolean program.  Every node knows its place.  The parser leaves each Reference and each
// procedure index unresolved; resolve() fills them in and collects the locals of the procedures, so that later stages
// look nothing up by name except labels.  Parentheses leave no trace, and `a & b & c` is one node with three operands:
// the depth of a tree is bounded by the depth of the parser's recursion, whatever the length of the text.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/source.hpp"

namespace cohort::frontend::bp {

struct Name {
  std::string text;
  SourceSpan span;
};

// What a variable's name stands for; `index` counts in Program::shared or in Procedure::locals.  A passive instance
// belongs to passive thread `number`, which runs `procedure`.
struct Reference {
  enum class Kind : std::uint8_t { Unresolved, Shared, Local, Passive, Discard };

  Kind kind = Kind::Unresolved;
  std::size_t index = 0;
  std::size_t procedure = 0;
  std::uint32_t number = 0;
};

struct Expression {
  enum class Kind : std::uint8_t {
    Constant,
    Nondet,
    Variable,
    Not,
    And,  // And, Or, Xor have two operands or more
    Or,
    Xor,
    Equal,
    NotEqual,
    Implies,
    Conditional,
    Schoose,
  };

  Kind kind = Kind::Constant;
  SourceSpan span;
  bool value = false;   // Constant
  bool primed = false;  // Variable: the value after the step
  std::string name;     // Variable
  Reference reference;  // Variable
  std::vector<Expression> operands;
};

struct Declaration {
  enum class Initial : std::uint8_t { None, False, True, Any };

  Name name;
  Initial initial = Initial::None;
  bool is_thread_local = false;
};

struct Statement;
using Block = std::vector<Statement>;

struct Target {
  Name name;
  Reference reference;
};

struct Skip {};
struct EndThread {};
struct AtomicBegin {};
struct AtomicEnd {};

struct Declare {
  std::vector<Declaration> declarations;
};
struct Goto {
  std::vector<Name> labels;
};
struct Assignment {
  std::vector<Target> targets;
  std::vector<Expression> values;
  std::optional<Expression> constraint;
};
struct CallStatement {
  std::vector<Target> targets;  // empty: the results are dropped
  Name callee;
  std::vector<Expression> arguments;
  std::size_t procedure = 0;
};
struct ReturnStatement {
  std::vector<Expression> values;
};
struct Assume {
  Expression condition;
};
struct Assert {
  Expression condition;
};
struct AbortIf {
  Expression condition;
};
struct Enforce {
  Expression condition;
};
struct Dead {
  std::vector<Target> variables;
};
// A new thread at one of the labels: in the same procedure with a copy of the creator's locals, in another one with
// fresh locals.
struct StartAtLabel {
  std::vector<Name> labels;
  std::vector<std::size_t> procedures;  // set by resolve(): where each label stands
};
// A new thread that runs a procedure: `start_thread f(..)`, or a call below a label ASYNC_k.
struct StartProcedure {
  Name callee;
  std::vector<Expression> arguments;
  std::size_t procedure = 0;
};
// One condition with what it guards; `text` is the condition as written, with its keyword.
struct Branch {
  SourceSpan span;
  std::string text;
  Expression condition;
  Block body;
};
struct If {
  std::vector<Branch> branches;
  Block otherwise;
};
struct While {
  Branch branch;
};

struct Statement {
  using Content =
      std::variant<Skip, EndThread, AtomicBegin, AtomicEnd, Declare, Goto, Assignment, CallStatement, ReturnStatement,
                   Assume, Assert, AbortIf, Enforce, Dead, StartAtLabel, StartProcedure, If, While>;

  std::vector<Name> labels;
  SourceSpan span;   // behind the labels
  std::string text;  // as written, on one line, without labels and comments
  Content content;
};

struct Procedure {
  Name name;
  std::size_t result_count = 0;
  std::vector<Declaration> parameters;
  Block body;
  SourceSpan end;                    // the closing `end`
  std::vector<Declaration> locals;   // set by resolve(): the parameters, then every `decl` in textual order
  std::vector<Expression> enforced;  // set by resolve(): the conditions of its `enforce` statements
};

struct Program {
  SourceFilePtr file;
  std::vector<Declaration> shared;
  std::vector<Procedure> procedures;
};

}  // namespace cohort::frontend::bp
