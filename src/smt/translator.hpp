// Expressions of the model as terms, exactly as model/eval.cpp evaluates them: short-circuit connectives, truncating
// division, wrap-around of fixed widths, and for each expression the condition under which evaluating it faults.
#pragma once

#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "model/program.hpp"
#include "smt/number.hpp"
#include "smt/scene.hpp"

namespace cohort::smt {

// What can go wrong; at most one of the two holds.  The value then means nothing.
struct Trouble {
  Term fault;     // as the program defines it: division by zero, an index or a value out of bounds, NULL
  Term overflow;  // a mathematical integer leaves 64 bits: a limit of Cohort, of which nothing may be concluded
};

struct Translated {
  Datum value;
  Trouble trouble;
};

// What, among expressions, --int=math cannot say; none: it can.
std::optional<std::string> inexpressible_as_integers(const model::Program& program);

class Translator {
 public:
  Translator(const model::Program& program, Context& context, Numbers& numbers)
      : program_(program), context_(context), numbers_(numbers) {}

  Context& context() { return context_; }
  Numbers& numbers() { return numbers_; }

  Translated translate(const Scene& scene, model::ExprId root);

  Trouble none() const { return {context_.falsity(), context_.falsity()}; }
  Trouble fault(Term condition) const { return {condition, context_.falsity()}; }
  // What goes wrong in two evaluations one after the other.
  Trouble first(const Trouble& earlier, const Trouble& later);
  Trouble when(Term condition, const Trouble& trouble);

  Datum constant(model::Value value, const model::Type& type);
  // A new unknown of the type; `constraint` keeps it there.  References have at most `threads` threads to refer to.
  Datum fresh(const std::string& name, const model::Type& type, std::size_t threads, Term& constraint);
  // The value as a variable of this type keeps it; out of a range is a fault.
  Translated fit(const model::Type& type, const Datum& value);
  Datum ite(Term condition, const Datum& then, const Datum& otherwise);
  Term equal(const Datum& left, const Datum& right);

  // The element that `index` selects; the index lies within the array.
  Datum select(const Number& index, const SymbolicValuation& values, const model::Variable& variable);

 private:
  using Memo = std::unordered_map<model::ExprId, Translated>;

  // Whose variable is read; without a slot it is shared.
  struct Owner {
    std::optional<std::size_t> slot;
    model::TemplateId templ;
  };

  struct Work {
    const Scene& scene;
    std::vector<std::size_t> bound_slots;
    Memo memo;
  };

  Translated visit(Work& work, model::ExprId id);
  Translated compute(Work& work, const model::Expr& node, model::ExprId id);
  static PassiveSide passive_side(const Scene& scene, const model::Expr& node);
  Translated read(Work& work, const model::Expr& node);
  Translated read_from(Work& work, const model::Expr& node, const model::Variable& variable,
                       const SymbolicValuation& values, const Owner& owner);
  Translated read_remote(Work& work, const model::Expr& node);
  Translated at_location(Work& work, const model::Expr& node);
  Translated quantify(Work& work, const model::Expr& node);
  Translated unary(Work& work, const model::Expr& node);
  Translated to_reference(Work& work, const Number& number, const Trouble& before);
  Translated connective(Work& work, const model::Expr& node);
  Translated binary(Work& work, const model::Expr& node);
  Translated arithmetic(const model::Expr& node, const Number& left, const Number& right, const Trouble& before);
  Translated shift(const model::Expr& node, const Number& left, const Number& right, const Trouble& before);
  // A result that the interpreter keeps in 64 bits.
  Translated within_64_bits(const Number& exact, const Trouble& before);
  Number wrapped(const model::Type& type, const Number& value);
  // Slots that a reference may denote: pairs of the condition and the slot.
  std::vector<std::pair<Term, std::size_t>> targets(const Work& work, const Number& reference);

  const model::Program& program_;
  Context& context_;
  Numbers& numbers_;
};

}  // namespace cohort::smt
