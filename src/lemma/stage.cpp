#include "lemma/stage.hpp"

#include <string>

#include "base/contract.hpp"

namespace cohort::lemma {

using model::Command;
using model::TemplateId;
using smt::SymbolicValuation;
using smt::Term;

Stage::Stage(const Alphabet& alphabet, const Census& census, smt::Logic logic, std::uint64_t memory_limit)
    : alphabet_(alphabet),
      commands_(alphabet.commands()),
      census_(census),
      combinations_(census.combinations()),
      context_(memory_limit),
      numbers_(context_, logic),
      translator_(commands_.program(), context_, numbers_),
      terms_(commands_, translator_),
      shared_(terms_.any(commands_.program().shared, "g")),
      shared_at_start_(terms_.initial(commands_.program().shared, "g0")) {
  constrain(shared_.constraint);
  constrain(shared_at_start_.constraint);
}

void Stage::constrain(Term constraint) {
  constraints_.push_back(constraint);
}

const smt::Unknowns& Stage::thread(std::size_t number, TemplateId templ) {
  const auto it = threads_.find({number, templ});
  if (it != threads_.end()) return it->second;
  const std::string prefix = "t" + std::to_string(number);
  smt::Unknowns& made = threads_[{number, templ}] = terms_.any(commands_.program().templ(templ).locals, prefix);
  constrain(made.constraint);
  return made;
}

const smt::Unknowns& Stage::thread_at_start(std::size_t position, TemplateId templ) {
  const auto it = threads_at_start_.find({position, templ});
  if (it != threads_at_start_.end()) return it->second;
  const auto& locals = commands_.program().templ(templ).locals;
  smt::Unknowns& made = threads_at_start_[{position, templ}] = terms_.initial(locals, "s");
  constrain(made.constraint);
  return made;
}

const smt::ActiveStep& Stage::step(std::size_t command) {
  const auto it = steps_.find(command);
  if (it != steps_.end()) return it->second;
  const Command& taken = commands_.all()[command];
  const SymbolicValuation& self = thread(0, taken.edge.templ).values;
  smt::ActiveStep& made = steps_[command] = terms_.active(taken, shared_.values, self);
  made.constraint = context_.conj(made.constraint, numbers_.take_side_conditions());
  constrain(made.constraint);
  return made;
}

const smt::PassiveStep& Stage::passive(std::size_t command, std::size_t number) {
  const auto it = passive_steps_.find({command, number});
  if (it != passive_steps_.end()) return it->second;
  const Command& taken = commands_.all()[command];
  const SymbolicValuation& active = thread(0, taken.edge.templ).values;
  const SymbolicValuation& other = thread(number, taken.edge.templ).values;
  smt::PassiveStep& made = passive_steps_[{command, number}] = terms_.passive(taken, shared_.values, active, other);
  made.constraint = context_.conj(made.constraint, numbers_.take_side_conditions());
  constrain(made.constraint);
  return made;
}

Stage::Step Stage::step_of(const Clause& clause) {
  const Command& command = commands_.all()[clause.command];
  const smt::ActiveStep& taken = step(clause.command);
  Step result{{taken.enabled}, &taken.shared, {&taken.self}};
  const std::size_t movers = alphabet_.movers(clause.command).size();
  for (std::size_t number = 1; number < clause.before.size(); ++number) {
    const TemplateId templ = alphabet_.spot(clause.before[number]).templ;
    const bool is_passive = number >= movers && command.broadcasts && templ == command.edge.templ &&
                            alphabet_.spot(clause.before[number]).place.has_value();
    if (number <= command.children.size()) {
      result.locals.push_back(&taken.children[number - 1]);
    } else if (is_passive) {
      const smt::PassiveStep& affected = passive(clause.command, number);
      result.conditions.push_back(affected.possible);
      result.locals.push_back(&affected.locals);
    } else {
      result.locals.push_back(&thread(number, templ).values);
    }
  }
  return result;
}

Term Stage::axioms(const std::vector<SpotId>& spots) {
  std::vector<Term> terms;
  const auto value = [&](std::size_t ghost) {
    const model::Variable& variable = commands_.program().shared[census_.ghosts[ghost].variable.value];
    return shared_.values[variable.slot].number;
  };
  for (const Combination& one : combinations_) {
    const Census::Range range = census_.range(alphabet_, one, spots);
    smt::Number counted = value(one.first);
    if (one.sign != 0) {
      counted = one.sign > 0 ? numbers_.add(counted, value(one.second)) : numbers_.sub(counted, value(one.second));
    }
    terms.push_back(context_.negate(numbers_.outside(counted, range.least, range.most)));
  }
  return context_.conj(terms);
}

Term Stage::holds(model::ExprId condition) {
  smt::Scene scene;
  scene.shared = &shared_.values;
  scene.choice = [](model::ExprId) -> smt::Datum { COHORT_UNREACHABLE("a property makes no choices"); };
  const smt::Translated holds = translator_.translate(scene, condition);
  const Term side = numbers_.take_side_conditions();
  // A condition that faults counts as holding, and so does what Cohort cannot compute.
  const Term any = context_.disj(std::vector{holds.value.term, holds.trouble.fault, holds.trouble.overflow});
  return context_.conj(side, any);
}

Term Stage::wrong(std::size_t command) {
  const smt::Trouble& trouble = step(command).trouble;
  const bool counts = commands_.program().faults == model::FaultPolicy::Violation;
  return counts ? context_.disj(trouble.fault, trouble.overflow) : trouble.overflow;
}

}  // namespace cohort::lemma
