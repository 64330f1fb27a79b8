#include "lemma/queries.hpp"

#include <algorithm>

#include "base/contract.hpp"
#include "base/processor_time.hpp"
#include "smt/linear.hpp"

namespace cohort::lemma {

using smt::Answer;
using smt::SymbolicValuation;
using smt::Term;

namespace {

// What fewer bits can hold is found out bit by bit.
constexpr unsigned most_bits = 8;

bool has_wide_numbers(const model::Program& program) {
  const auto is_wide = [](const model::Variable& variable) {
    const model::Type type = variable.type.element();
    if (type.kind() == model::Type::Kind::Int) return type.width() > most_bits;
    return type.kind() == model::Type::Kind::Integer ||
           (type.kind() == model::Type::Kind::Range && type.cardinality() > (std::uint64_t{1} << most_bits));
  };
  const auto any = [&](const std::vector<model::Variable>& variables) {
    return std::any_of(variables.begin(), variables.end(), is_wide);
  };
  return any(program.shared) || std::any_of(program.templates.begin(), program.templates.end(),
                                            [&](const model::Template& templ) { return any(templ.locals); });
}

smt::Logic logic_for(const model::Commands& commands) {
  const bool integers = has_wide_numbers(commands.program()) && smt::is_linear(commands);
  return integers ? smt::Logic::Integers : smt::Logic::Bits;
}

}  // namespace

Queries::Queries(Env& env, const Alphabet& alphabet, const Facts& facts, const Census& census,
                 std::optional<smt::Logic> logic)
    : alphabet_(alphabet),
      commands_(alphabet.commands()),
      facts_(facts),
      stage_(alphabet, census, logic ? *logic : logic_for(commands_), env.limits.memory_limit().value_or(0)),
      context_(stage_.context()),
      solver_(env, context_, {.logic = stage_.numbers().logic(), .dump_folder = {}}) {
  constrain();
}

void Queries::constrain() {
  for (const Term constraint : stage_.take_constraints()) solver_.add(constraint);
}

void Queries::limit(double seconds) {
  deadline_ = processor_seconds() + seconds;
}

bool Queries::used_up() const {
  return deadline_ && processor_seconds() >= *deadline_;
}

std::string Queries::reason() const {
  return used_up() ? "the time for facts of a few threads is used up" : solver_.reason();
}

Answer Queries::check(Term term) {
  if (used_up()) return Answer::Unknown;
  smt::Budget budget;
  if (deadline_) budget.seconds = *deadline_ - processor_seconds();
  return solver_.check(std::vector{term}, budget);
}

Term Queries::hypothesis(const std::vector<SpotId>& spots, const std::vector<std::uint32_t>& members) {
  const Facts::Entry* entry = facts_.find(view_of(spots, members));
  if (entry == nullptr) return context_.falsity();
  Scenery scenery{&stage_.shared().values, {}, entry->templates};
  for (const std::uint32_t member : members) {
    scenery.locals.push_back(&stage_.thread(member, alphabet_.spot(spots[member]).templ).values);
  }
  std::vector<Term> terms;
  for (const Atom& atom : entry->strongest) {
    terms.push_back(facts_.atoms().term(atom, scenery, stage_.translator(), stage_.terms()));
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
      terms.push_back(facts_.atoms().term(atom, scenery, stage_.translator(), stage_.terms()));
    }
  }
  return context_.conj(terms);
}

Answer Queries::initial(const View& view) {
  head_ = {view, &stage_.shared_at_start().values, {}};
  only_slots_.reset();
  for (std::size_t position = 0; position < view.size(); ++position) {
    head_.locals.push_back(&stage_.thread_at_start(position, alphabet_.spot(view[position]).templ).values);
  }
  constrain();
  const Term bad = context_.negate(head());
  return context_.is_false(bad) ? Answer::Unsatisfiable : check(bad);
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
  const Stage::Step step = stage_.step_of(clause);
  head_ = {view_of(clause.after, clause.seen), step.shared, {}};
  for (const std::uint32_t member : clause.seen) head_.locals.push_back(step.locals[member]);
  // Under interference, facts that mention nothing written are hypotheses themselves.
  only_slots_.reset();
  if (clause.is_interference) only_slots_ = written_slots(clause.command);
  std::vector<Term> before = step.conditions;
  before.push_back(stage_.axioms(clause.before));
  for (const auto& members : clause.hypotheses) before.push_back(hypothesis(clause.before, members));
  constrain();
  solver_.push();
  pushed_ = true;
  for (const Term term : before) solver_.add(term);
  return again();
}

Answer Queries::again() {
  const Term bad = context_.negate(head());
  return context_.is_false(bad) ? Answer::Unsatisfiable : check(bad);
}

void Queries::end() {
  if (pushed_) solver_.pop();
  pushed_ = false;
}

// A taken thread that blocks a broadcast does not help where a step goes wrong: nobody else is asked.
Answer Queries::possible(const Obligation& obligation) {
  std::vector<Term> terms;
  if (obligation.command) {
    terms.push_back(stage_.wrong(*obligation.command));
  } else if (obligation.condition) {
    terms.push_back(stage_.holds(*obligation.condition));
  }
  if (!terms.empty() && context_.is_false(terms[0])) return Answer::Unsatisfiable;
  terms.push_back(stage_.axioms(obligation.threads));
  for (const auto& members : obligation.hypotheses) terms.push_back(hypothesis(obligation.threads, members));
  constrain();
  const Term all = context_.conj(terms);
  return context_.is_false(all) ? Answer::Unsatisfiable : check(all);
}

model::Value Queries::value(const smt::Datum& datum) const {
  if (!datum.is_boolean) return stage_.numbers().value(solver_, datum.number);
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
