// From expressions as written to expressions of the model: names are resolved, numbers and processes are told apart.
//
// Values are of three classes: truths, numbers and processes (NULL among them).  A number written where a process is
// meant is that process, which the model keeps as a constant reference; where a process is calculated with or compared
// by size it becomes its number, and what is assigned to a pointer becomes a process again, or faults.
//
// `and`, `or` and `implies` are the paper's connectives: they fault if one of their operands does (section 2.2).  `&&`,
// `||` and `=>` are those of C: the second operand is looked at only if the first does not decide.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "frontend/red/ast.hpp"
#include "model/program.hpp"

namespace cohort::frontend::red {

struct Symbol {
  enum class Kind : std::uint8_t { Global, Local, Mode, Constant };

  Kind kind = Kind::Global;
  std::size_t index = 0;   // variable or location
  model::Value value = 0;  // Constant
  model::Type type = model::Type::boolean();
};

// Where an expression stands.
struct Scope {
  enum class Process : std::uint8_t {
    None,       // a condition about all processes: locals need an index
    Executing,  // locals are those of the executing process
    Bound,      // locals are those of the outermost bound process: an invariant, spoken for each process
  };

  Process process = Process::None;
  std::vector<std::string> bound;  // names of the bound processes, the outermost first
};

class ExpressionLowering {
 public:
  ExpressionLowering(model::Program& program, std::uint32_t processes) : program_(program), processes_(processes) {}

  // Throws when the name is taken already.
  void declare(const std::string& name, Symbol symbol, const SourceSpan& span);
  const Symbol* find(const std::string& name) const;

  model::ExprId condition(const Expression& expression, Scope scope);
  // The target of an assignment, and its value converted to what the target holds.
  model::Assign assignment(const Assignment& assignment, const Scope& scope);

 private:
  enum class Class : std::uint8_t { Truth, Number, Process };
  struct Value {
    model::ExprId id;
    Class of = Class::Number;
  };

  Value lower(const Expression& expression, Scope& scope);
  Value lower_name(const Expression& expression, Scope& scope);
  Value lower_operator(const Expression& expression, Scope& scope);
  Value lower_comparison(const Expression& expression, Value left, Value right);
  Value lower_member(const Symbol& symbol, model::ExprId process, const Expression& expression);
  Value lower_connective(const Expression& expression, model::ExprId left, model::ExprId right);
  Value current_process(const Scope& scope, const SourceSpan& span);
  Value process_constant(model::Value number, const SourceSpan& span);
  const Symbol& resolve(const std::string& name, const SourceSpan& span) const;
  model::ExprId to_truth(Value value, const SourceSpan& span) const;
  model::ExprId to_number(Value value, const SourceSpan& span);
  model::ExprId to_process(Value value, const SourceSpan& span);

  model::Program& program_;
  std::uint32_t processes_;
  std::map<std::string, Symbol> symbols_;
};

}  // namespace cohort::frontend::red
