// Guarded commands (model/commands.hpp) as terms, for threads in roles: the one that is active, the ones that it
// creates, and passive ones beside it.  Numbers are exact and as wide as they need to be (smt/number.hpp), so fixed
// widths wrap around just as the interpreter has it.
//
// Use.  Values of all variables are SymbolicValuations, by slot:
//     CommandTerms terms(commands, translator);
//     Unknowns shared = terms.any(program.shared, "g");                 // or initial(...)
//     Unknowns self = terms.any(program.templ(t).locals, "a");          // the same for each passive thread
//     ActiveStep step = terms.active(command, shared.values, self.values);
// and a state satisfies shared.constraint and self.constraint, and a step step.constraint (of its choices) and
// step.enabled.  Terms of one call of active() share their choices; another call makes new ones.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/commands.hpp"
#include "smt/scene.hpp"
#include "smt/translator.hpp"

namespace cohort::smt {

struct Unknowns {
  SymbolicValuation values;
  Term constraint;  // keeps them in their types
};

struct ActiveStep {
  Term constraint;           // keeps the choices in their types
  Term enabled;              // the guard holds, and nothing goes wrong
  Trouble trouble;           // the thread gets to something that goes wrong; nothing changes then
  SymbolicValuation shared;  // after the step
  SymbolicValuation self;
  std::vector<SymbolicValuation> children;  // locals of new threads
  // What the guard is made of: its conjuncts as expressions and terms.  Together with the absence of trouble they are
  // `enabled`.
  std::vector<std::pair<model::ExprId, Term>> conjuncts;
  std::vector<std::pair<model::ExprId, Datum>> choices;  // what was chosen
};

struct PassiveStep {
  Term constraint;
  Term possible;  // the passive thread does not block the step
  SymbolicValuation locals;
};

class CommandTerms {
 public:
  CommandTerms(const model::Commands& commands, Translator& translator)
      : commands_(commands), translator_(translator) {}

  // Any values of the types, and those that the variables may have at the start.
  Unknowns any(const std::vector<model::Variable>& variables, const std::string& prefix);
  Unknowns initial(const std::vector<model::Variable>& variables, const std::string& prefix);

  ActiveStep active(const model::Command& command, const SymbolicValuation& shared, const SymbolicValuation& self);
  // Of a command that broadcasts, for a thread of the active one's template.
  PassiveStep passive(const model::Command& command, const SymbolicValuation& shared, const SymbolicValuation& self,
                      const SymbolicValuation& passive);

  // An expression over shared variables and the locals of one thread, which makes no choices.
  Translated expression(model::ExprId expr, model::TemplateId templ, const SymbolicValuation& shared,
                        const SymbolicValuation& self);

 private:
  struct Frame;

  Scene scene_of(Frame& frame, model::TemplateId templ);
  void store(Frame& frame, const model::Assign& assign, const model::Variable& variable, SymbolicValuation& values);
  SymbolicValuation child(Frame& frame, const model::CommandChild& child);
  Trouble trouble_of(Frame& frame, const model::Command& command);

  const model::Commands& commands_;
  Translator& translator_;
};

}  // namespace cohort::smt
