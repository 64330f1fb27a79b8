// From expressions as written to expressions of the model: names are resolved, numbers and processes are told apart.
//
// Values are of three classes: truths, numbers and processes (NULL among them).  A number written where a process is
// meant is that process, which the model keeps as a constant reference; where a process is calculated with or compared
// by size it becomes its number, and what is assigned to a pointer becomes a process again, or faults.
//
// `y->e` is e as the process that y leads to would say it; if y is NULL there is nobody to say it, and even `y->3`
// faults. `mode` is the number of the mode that a process is in, counted from 0 in the order of the file.
//
// `and`, `or` and `implies` are the paper's connectives: they fault if one of their operands does (section 2.2).  `&&`,
// `||` and `=>` are those of C: the second operand is looked at only if the first does not decide.
#pragma once

#include <map>
#include <optional>
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
    Given,      // locals are those of the process `given`, which an arrow leads to
  };

  Process process = Process::None;
  std::vector<std::string> bound;  // names of the bound processes, the outermost first
  model::ExprId given{};
  // The mode of the executing process, where it is known.  After the last assignment of a step (`arrived`) it is the
  // one that the step leads to, while the state still has the process where the step began.
  std::optional<model::LocId> own_mode{};
  bool arrived = false;
};

class ExpressionLowering {
 public:
  // No processes: there is any number of them.
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
    std::optional<model::ExprId> mode_of{};  // it is the number of the mode of this process
    bool mode_name = false;                  // it is the name of a mode, without a process
  };

  Value lower(const Expression& expression, Scope& scope);
  Value lower_name(const Expression& expression, Scope& scope);
  Value lower_arrow(const Expression& expression, Scope& scope);
  Value lower_operator(const Expression& expression, Scope& scope);
  Value lower_chain(const Expression& expression, Scope& scope);
  Value lower_compared(const Expression& expression, Scope& scope);
  Value lower_comparison(const std::string& sign, const Expression& first, Value left, const Expression& second,
                         Value right, const Scope& scope);
  std::optional<model::ExprId> compare_modes(model::Op op, const Value& left, const Value& right, const Scope& scope);
  Value lower_member(const Symbol& symbol, model::ExprId process, const Expression& expression, const Scope& scope);
  Value lower_connective(const std::string& name, model::ExprId left, model::ExprId right);
  model::ExprId is_in_mode(model::ExprId process, std::size_t mode, const Scope& scope);
  Value mode_number(model::ExprId process, const Scope& scope);
  Value spoken_by(model::ExprId process, Value value);
  std::size_t mode_count() const { return program_.templ(model::TemplateId(0)).locations.size(); }
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
