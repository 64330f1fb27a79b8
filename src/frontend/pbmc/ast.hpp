// The syntax tree of a process program, as written: names are not looked up and types are not checked yet.  Every node
// knows its place.  The depth of every tree is bounded by the parser, whatever the length of the text, so that later
// stages may recurse.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/source.hpp"
#include "frontend/tokens.hpp"
#include "model/expr.hpp"

namespace cohort::frontend::pbmc {

struct Expression {
  enum class Kind : std::uint8_t {
    Number,
    Truth,        // false and true
    Any,          // `*`, of the type that its place asks for
    Choose,       // a number from operand 0 to operand 1
    Variable,     // also a constant; one operand: the index of an array
    Remote,       // local `member` of process `name`: p.x, p[i].x, p.x[j], p[i].x[j]
    At,           // process `name` is at the label `member`: p at l, p[i] at l
    Operation,    // `op` with one operand or two
    Conditional,  // c ? a : b
  };

  Kind kind = Kind::Number;
  SourceSpan span;
  model::Value value = 0;           // Number, Truth
  std::string name;                 // Variable, Remote, At
  std::string member;               // Remote, At
  bool numbered = false;            // Remote, At: operand 0 says which copy of the process
  model::Op op = model::Op::Const;  // Operation
  std::vector<Expression> operands;
  std::size_t depth = 1;
};

// `= 3`, `= { 1, 2, 3 }`, `= *` or `= 10 + k for every k`.
struct Initial {
  SourceSpan span;
  bool any = false;
  bool list = false;
  std::optional<Name> every;  // stands for the index in the only value
  std::vector<Expression> values;
};

struct Declaration {
  bool is_bool = false;
  Name name;
  std::optional<Expression> size;  // of an array
  std::optional<Initial> initial;
};

struct Target {
  Name name;
  std::optional<Expression> index;
};

struct Statement;
using Block = std::vector<Statement>;

struct Skip {};
struct Assignment {
  std::optional<Expression> guard;  // `when (guard) ...`
  std::vector<Target> targets;
  std::vector<Expression> values;
};
struct Assume {
  Expression condition;
};
struct Assert {
  Expression condition;
};
// `else if` is an `otherwise` of one statement.
struct If {
  Expression condition;
  Block then;
  Block otherwise;
};
struct While {
  Expression condition;
  Block body;
};
struct Atomic {
  Block body;
};

struct Statement {
  std::optional<Name> label;
  SourceSpan span;   // behind the label
  std::string text;  // on one line, without label and comments; of `if` and `while` the head only
  std::variant<Skip, Assignment, Assume, Assert, If, While, Atomic> content;
};

struct Constant {
  Name name;
  Expression value;
};

// One item of `init`: a variable, or one element of an array.
struct InitialAssignment {
  Target target;
  Initial initial;
};

struct PropertyClause {
  SourceSpan span;
  std::string text;
  Expression condition;
};

struct Process {
  Name name;
  std::optional<Name> index;        // replicated: what the copies call their number
  std::optional<Expression> count;  // how many copies; none: those that the header's number leaves
  std::vector<Declaration> locals;
  Block body;
  SourceSpan end;  // the closing brace
};

struct Program {
  SourceFilePtr file;
  std::vector<Constant> constants;
  std::vector<Declaration> shared;
  std::optional<Expression> process_count;
  std::vector<InitialAssignment> initials;
  std::vector<Expression> initial_conditions;
  std::vector<PropertyClause> properties;
  std::optional<bool> faults_block;  // none: as by default, a fault is a violation
  std::vector<Process> processes;
  SourceSpan end;  // the end of the file
};

}  // namespace cohort::frontend::pbmc
