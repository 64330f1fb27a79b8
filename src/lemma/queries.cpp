#include "lemma/queries.hpp"

#include <algorithm>

#include "base/contract.hpp"

namespace cohort::lemma {

using model::Command;
using model::TemplateId;
using smt::Answer;
using smt::SymbolicValuation;
using smt::Term;

Queries::Queries(Env& env, const Alphabet& alphabet, const Facts& facts, const Census& census)
    : alphabet_(alphabet),
      commands_(alphabet.commands()),
      facts_(facts),
      census_(census),
      combinations_(census.combinations()),
      context_(env.limits.memory_limit().value_or(0)),
      numbers_(context_, smt::Logic::Bits),
      translator_(commands_.program(), context_, numbers_),
      terms_(commands_, translator_),
      solver_(env, context_, {}),
      shared_(terms_.any(commands_.program().shared, "g")),
      shared_at_start_(terms_.initial(commands_.program().shared, "g0")) {
  solver_.add(shared_.constraint);
  solver_.add(shared_at_start_.constraint);
}

// Constraints of unknowns hold for good, so they must be there before a clause is pushed.
const SymbolicValuation& Queries::thread(std::size_t number, TemplateId templ) {
  const auto it = threads_.find({number, templ});
  if (it != threads_.end()) return it->second.values;
  const std::string prefix = "t" + std::to_string(number);
  smt::Unknowns& made = threads_[{number, templ}] = terms_.any(commands_.program().templ(templ).locals, prefix);
  solver_.add(made.constraint);
  return made.values;
}

const smt::ActiveStep& Queries::step(std::size_t command) {
  const auto it = steps_.find(command);
  if (it != steps_.end()) return it->second;
  const Command& taken = commands_.all()[command];
  smt::ActiveStep& made = steps_[command] = terms_.active(taken, shared_.values, thread(0, taken.edge.templ));
  solver_.add(made.constraint);
  return made;
}

const smt::PassiveStep& Queries::passive(std::size_t command, std::size_t number) {
  const auto it = passive_steps_.find({command, number});
  if (it != passive_steps_.end()) return it->second;
  const Command& taken = commands_.all()[command];
  const SymbolicValuation& active = thread(0, taken.edge.templ);
  smt::PassiveStep& made = passive_steps_[{command, number}] =
      terms_.passive(taken, shared_.values, active, thread(number, taken.edge.templ));
  solver_.add(made.constraint);
  return made;
}

Term Queries::hypothesis(const std::vector<SpotId>& spots, const std::vector<std::uint32_t>& members) {
  const Facts::Entry* entry = facts_.find(view_of(spots, members));
  if (entry == nullptr) return context_.falsity();
  Scenery scenery{&shared_.values, {}, entry->templates};
  for (const std::uint32_t member : members) {
    scenery.locals.push_back(&thread(member, alphabet_.spot(spots[member]).templ));
  }
  std::vector<Term> terms;
  for (const Atom& atom : entry->strongest) terms.push_back(facts_.atoms().term(atom, scenery, translator_, terms_));
  return context_.conj(terms);
}

Term Queries::axioms(const std::vector<SpotId>& spots) {
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

Term Queries::head() {
  const Facts::Entry* entry = facts_.find(head_.view);
  if (entry == nullptr) return context_.falsity();
  std::vector<Term> terms;
  for (const auto& order : entry->arrangements) {
    Scenery scenery{head_.shared, {}, entry->templates};
    for (const std::uint32_t position : order) scenery.locals.push_back(head_.locals[position]);
    for (const Atom& atom : entry->strongest) {
      if (only_slots_ && !facts_.atoms().mentions_shared(atom, *only_slots_)) continue;
      terms.push_back(facts_.atoms().term(atom, scenery, translator_, terms_));
    }
  }
  return context_.conj(terms);
}

Answer Queries::initial(const View& view) {
  head_ = {view, &shared_at_start_.values, {}};
  only_slots_.reset();
  for (std::size_t position = 0; position < view.size(); ++position) {
    const TemplateId templ = alphabet_.spot(view[position]).templ;
    auto it = threads_at_start_.find({position, templ});
    if (it == threads_at_start_.end()) {
      const auto& locals = commands_.program().templ(templ).locals;
      it = threads_at_start_.emplace(std::pair(position, templ), terms_.initial(locals, "s")).first;
      solver_.add(it->second.constraint);
    }
    head_.locals.push_back(&it->second.values);
  }
  const Term bad = context_.negate(head());
  return context_.is_false(bad) ? Answer::Unsatisfiable : solver_.check(std::vector{bad});
}

std::vector<bool> Queries::written_slots(std::size_t command) const {
  std::vector<bool> slots(commands_.program().shared_slots(), false);
  for (const model::Assign& assign : commands_.all()[command].assigns) {
    if (assign.target.kind != model::LValue::Kind::Shared) continue;
    const model::Variable& variable = commands_.program().shared[assign.target.var.value];
    for (std::uint32_t i = 0; i < variable.type.slots(); ++i) slots[variable.slot + i] = true;
  }
  return slots;
}

Answer Queries::clause(const Clause& clause) {
  const Command& command = commands_.all()[clause.command];
  const smt::ActiveStep& taken = step(clause.command);
  head_ = {view_of(clause.after, clause.seen), &taken.shared, {}};
  // Under interference, facts that mention nothing written are hypotheses themselves.
  only_slots_.reset();
  if (clause.is_interference) only_slots_ = written_slots(clause.command);
  std::vector<Term> before{taken.enabled};
  std::vector<const SymbolicValuation*> after{&taken.self};
  const std::size_t movers = alphabet_.movers(clause.command).size();
  for (std::size_t number = 1; number < clause.before.size(); ++number) {
    const TemplateId templ = alphabet_.spot(clause.before[number]).templ;
    const bool is_passive = number >= movers && command.broadcasts && templ == command.edge.templ &&
                            alphabet_.spot(clause.before[number]).place.has_value();
    if (number <= command.children.size()) {
      after.push_back(&taken.children[number - 1]);
    } else if (is_passive) {
      const smt::PassiveStep& affected = passive(clause.command, number);
      before.push_back(affected.possible);
      after.push_back(&affected.locals);
    } else {
      after.push_back(&thread(number, templ));
    }
  }
  before.push_back(axioms(clause.before));
  for (const auto& members : clause.hypotheses) before.push_back(hypothesis(clause.before, members));
  for (const std::uint32_t member : clause.seen) head_.locals.push_back(after[member]);
  solver_.push();
  pushed_ = true;
  for (const Term term : before) solver_.add(term);
  return again();
}

Answer Queries::again() {
  const Term bad = context_.negate(head());
  return context_.is_false(bad) ? Answer::Unsatisfiable : solver_.check(std::vector{bad});
}

void Queries::end() {
  if (pushed_) solver_.pop();
  pushed_ = false;
}

// A taken thread that blocks a broadcast does not help: nobody else is asked.
Answer Queries::fault(const View& view, std::size_t position, std::size_t command) {
  const smt::Trouble& trouble = step(command).trouble;
  const bool counts = commands_.program().faults == model::FaultPolicy::Violation;
  const Term bad = counts ? context_.disj(trouble.fault, trouble.overflow) : trouble.overflow;
  if (context_.is_false(bad)) return Answer::Unsatisfiable;
  // The thread in question is number 0 of the configuration.
  std::vector<SpotId> spots{view[position]};
  for (std::size_t i = 0; i < view.size(); ++i) {
    if (i != position) spots.push_back(view[i]);
  }
  std::vector<std::uint32_t> members;
  for (std::size_t i = 0; i < view.size(); ++i) {
    const std::size_t number = i == position ? 0 : (i < position ? i + 1 : i);
    members.push_back(static_cast<std::uint32_t>(number));
  }
  const Term facts = context_.conj(std::vector{axioms(spots), hypothesis(spots, members)});
  return solver_.check(std::vector{facts, bad});
}

Answer Queries::together(const std::vector<SpotId>& threads, const std::optional<model::ExprId>& condition) {
  std::vector<Term> terms{axioms(threads)};
  for (const auto& members : views_among(alphabet_, threads)) terms.push_back(hypothesis(threads, members));
  if (condition) {
    smt::Scene scene;
    scene.shared = &shared_.values;
    scene.choice = [](model::ExprId) -> smt::Datum { COHORT_UNREACHABLE("a property makes no choices"); };
    const smt::Translated holds = translator_.translate(scene, *condition);
    // A condition that faults counts as holding, and so does what Cohort cannot compute.
    terms.push_back(context_.disj(std::vector{holds.value.term, holds.trouble.fault, holds.trouble.overflow}));
  }
  const Term all = context_.conj(terms);
  return context_.is_false(all) ? Answer::Unsatisfiable : solver_.check(std::vector{all});
}

model::Value Queries::value(const smt::Datum& datum) const {
  if (!datum.is_boolean) return numbers_.value(solver_, datum.number);
  if (context_.is_constant(datum.term)) return context_.is_true(datum.term) ? 1 : 0;
  return solver_.boolean_value(datum.term) ? 1 : 0;
}

Sample Queries::sample() {
  Sample result;
  for (const smt::Datum& datum : *head_.shared) result.shared.push_back(value(datum));
  for (const SymbolicValuation* locals : head_.locals) {
    auto& values = result.locals.emplace_back();
    for (const smt::Datum& datum : *locals) values.push_back(value(datum));
  }
  return result;
}

}  // namespace cohort::lemma
