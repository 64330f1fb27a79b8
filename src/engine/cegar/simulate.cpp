#include "engine/cegar/simulate.hpp"

#include <algorithm>
#include <set>

#include "base/contract.hpp"
#include "model/interpreter.hpp"

namespace cohort::engine::cegar {

using model::Command;
using model::Value;
using smt::Answer;
using smt::Datum;
using smt::SymbolicValuation;
using smt::Term;

Simulation::Simulation(Env& env, const model::Commands& commands, const Path& path)
    : env_(env),
      commands_(commands),
      path_(path),
      context_(env.limits.memory_limit().value_or(0)),
      numbers_(context_, smt::Logic::Bits),
      translator_(commands.program(), context_, numbers_),
      terms_(commands, translator_),
      solver_(env, context_, {}) {}

Simulation::~Simulation() = default;

void Simulation::start() {
  const model::Program& program = commands_.program();
  const smt::Unknowns shared = terms_.initial(program.shared, "g");
  solver_.add(shared.constraint);
  Moment moment{shared.values, {}};
  for (const auto& group : path_.groups) {
    moment.locals.emplace_back();
    if (!group) continue;
    const smt::Unknowns locals = terms_.initial(program.templ(program.initial[*group].templ).locals, "t");
    solver_.add(locals.constraint);
    moment.locals.back() = locals.values;
  }
  if (program.initial_condition) {
    const model::TemplateId templ = program.initial.front().templ;
    const smt::Translated holds = terms_.expression(*program.initial_condition, templ, moment.shared, {});
    solver_.add(holds.value.term);
  }
  moments_.push_back(std::move(moment));
}

void Simulation::need(std::size_t step, Need::Kind kind, model::ExprId expr, Term holds) {
  if (context_.is_true(holds)) return;
  const Term literal = context_.fresh_boolean("need");
  solver_.add(context_.implies(literal, holds));
  needs_.push_back({step, kind, expr, literal});
}

void Simulation::execute(std::size_t index) {
  const PathStep& step = path_.steps[index];
  const Command& command = commands_.all()[step.command];
  Moment after = moments_.back();
  const smt::ActiveStep active = terms_.active(command, after.shared, after.locals[step.thread]);
  solver_.add(active.constraint);
  const bool faults_violate = commands_.program().faults == model::FaultPolicy::Violation;
  const Term trouble = context_.disj(active.trouble.fault, active.trouble.overflow);
  if (index + 1 == path_.steps.size() && path_.ends_in_trouble) {
    need(index, Need::Kind::Trouble, command.guard, faults_violate ? trouble : active.trouble.overflow);
    overflow_ = active.trouble.overflow;
  } else {
    for (const auto& [expr, holds] : active.conjuncts) need(index, Need::Kind::Condition, expr, holds);
    need(index, Need::Kind::NoTrouble, command.guard, context_.negate(trouble));
  }
  after.shared = active.shared;
  after.locals[step.thread] = command.to ? active.self : SymbolicValuation();
  for (std::size_t i = 0; i < step.children.size(); ++i) {
    if (step.children[i]) after.locals[*step.children[i]] = active.children[i];
  }
  choices_.emplace_back();
  for (const auto& [expr, datum] : active.choices) choices_.back().push_back(datum);
  moments_.push_back(std::move(after));
}

std::vector<Term> Simulation::literals_before(std::size_t step) const {
  std::vector<Term> literals;
  for (const Need& one : needs_) {
    if (one.step < step) literals.push_back(one.literal);
  }
  return literals;
}

Simulation::Outcome Simulation::run() {
  start();
  for (std::size_t i = 0; i < path_.steps.size(); ++i) {
    execute(i);
    const std::vector<Term> literals = literals_before(i + 1);
    const Answer answer = solver_.check(literals);
    if (answer == Answer::Unknown) return Outcome::Stopped;
    if (answer == Answer::Unsatisfiable) {
      minimise();
      return env_.stop_reason() == StopReason::None ? Outcome::Infeasible : Outcome::Stopped;
    }
    feasible_ = i + 1;
  }
  if (path_.condition) {
    const model::TemplateId templ = commands_.program().initial.front().templ;
    const smt::Translated holds = terms_.expression(*path_.condition, templ, moments_.back().shared, {});
    const Term wrong = context_.disj(holds.trouble.fault, holds.trouble.overflow);
    need(path_.steps.size(), Need::Kind::Condition, *path_.condition,
         context_.conj(holds.value.term, context_.negate(wrong)));
  }
  std::vector<Term> literals = literals_before(path_.steps.size() + 1);
  if (overflow_ && !context_.is_false(*overflow_)) {
    // A fault is a violation; that a number leaves what can be represented is not.
    const Term no_overflow = context_.fresh_boolean("no_overflow");
    solver_.add(context_.implies(no_overflow, context_.negate(*overflow_)));
    literals.push_back(no_overflow);
    const Answer answer = solver_.check(literals);
    if (answer == Answer::Unknown) return Outcome::Stopped;
    return answer == Answer::Satisfiable ? Outcome::Feasible : Outcome::Overflows;
  }
  const Answer answer = solver_.check(literals);
  if (answer == Answer::Unknown) return Outcome::Stopped;
  if (answer == Answer::Satisfiable) return Outcome::Feasible;
  minimise();
  return env_.stop_reason() == StopReason::None ? Outcome::Infeasible : Outcome::Stopped;
}

// By deletion, the earliest needs first: what remains is close to the contradiction.
void Simulation::minimise() {
  core_ = needs_;
  for (std::size_t i = 0; i < core_.size();) {
    std::vector<Term> literals;
    for (std::size_t j = 0; j < core_.size(); ++j) {
      if (j != i) literals.push_back(core_[j].literal);
    }
    if (solver_.check(literals) == Answer::Unsatisfiable) {
      core_.erase(core_.begin() + static_cast<std::ptrdiff_t>(i));
    } else {
      ++i;
    }
  }
}

bool Simulation::always_differ_by(std::size_t position, std::size_t thread, model::VarId local, model::VarId shared,
                                  Value offset) {
  const model::Program& program = commands_.program();
  const Moment& moment = moments_[position];
  COHORT_EXPECT(!moment.locals[thread].empty(), "the thread exists there");
  // Whose locals these are follows from the command that the thread takes next, or took last.
  std::optional<model::TemplateId> templ;
  for (std::size_t i = 0; i < path_.steps.size(); ++i) {
    if (path_.steps[i].thread != thread || (templ && i >= position)) continue;
    templ = commands_.place(commands_.all()[path_.steps[i].command].from).templ;
  }
  COHORT_EXPECT(templ.has_value(), "a thread of a core moves");
  const model::Variable& mine = program.templ(*templ).local(local);
  const model::Variable& theirs = program.shared[shared.value];
  if (mine.type != theirs.type || mine.type.kind() != model::Type::Kind::Int) return false;
  const smt::Number& left = moment.locals[thread][mine.slot].number;
  const smt::Number sum = numbers_.wrap(numbers_.add(moment.shared[theirs.slot].number, numbers_.constant(offset)),
                                        mine.type.width(), mine.type.is_signed());
  const Term differs = context_.fresh_boolean("differs");
  solver_.add(context_.implies(differs, context_.negate(numbers_.equal(left, sum))));
  std::vector<Term> literals = literals_before(position);
  literals.push_back(differs);
  return solver_.check(literals) == Answer::Unsatisfiable;
}

Value Simulation::value(const Datum& datum) const {
  if (datum.is_boolean) return solver_.boolean_value(datum.term) ? 1 : 0;
  return numbers_.value(solver_, datum.number);
}

model::Valuation Simulation::values(const SymbolicValuation& data) const {
  model::Valuation result;
  for (const Datum& datum : data) result.push_back(value(datum));
  return result;
}

std::vector<Simulation::Values> Simulation::example() {
  std::vector<Values> result;
  if (solver_.check(literals_before(feasible_)) != Answer::Satisfiable) return result;
  for (std::size_t i = 0; i <= feasible_ && i < moments_.size(); ++i) {
    result.push_back({values(moments_[i].shared), {}});
    for (const SymbolicValuation& locals : moments_[i].locals) result.back().locals.push_back(values(locals));
  }
  return result;
}

// ---- runs

model::State Simulation::initial_state(const Task& task, std::vector<std::optional<std::size_t>>& slots) const {
  const model::Program& program = commands_.program();
  model::State state;
  state.shared = values(moments_.front().shared);
  for (std::size_t i = 0; i < path_.groups.size(); ++i) {
    slots.emplace_back();
    if (!path_.groups[i]) continue;
    const model::InitialThreads& group = program.initial[*path_.groups[i]];
    slots.back() = state.threads.size();
    state.threads.push_back(model::ThreadState{group.templ, group.location, false, values(moments_.front().locals[i])});
  }
  // Threads that never move fill the bound.
  for (const model::InitialThreads& group : program.initial) {
    if (group.count || !task.bound) continue;
    const model::Interpreter interpreter(task.program, task.bound);
    const auto& locals = program.templ(group.templ).locals;
    while (state.threads.size() < *task.bound) {
      model::Valuation start;
      for (const model::Variable& variable : locals) {
        for (std::uint32_t i = 0; i < variable.type.slots(); ++i) {
          const bool one = variable.initial.size() == 1;
          start.push_back(variable.initial.empty() ? variable.type.element().default_value()
                                                   : variable.initial[one ? 0 : i]);
        }
      }
      state.threads.push_back(model::ThreadState{group.templ, group.location, false, std::move(start)});
    }
  }
  return state;
}

bool Simulation::agrees(const model::State& state, std::size_t index,
                        const std::vector<std::optional<std::size_t>>& slots) const {
  const Moment& moment = moments_[index + 1];
  if (state.shared != values(moment.shared)) return false;
  const std::size_t thread = path_.steps[index].thread;
  const bool ends = !commands_.all()[path_.steps[index].command].to;
  const auto& found = state.threads[*slots[thread]];
  return ends || (found && found->locals == values(moment.locals[thread]));
}

bool Simulation::children_agree(const model::Transition& candidate, std::size_t index) const {
  const PathStep& step = path_.steps[index];
  for (std::size_t i = 0; i < step.children.size(); ++i) {
    if (!step.children[i]) continue;
    if (i >= candidate.spawned.size()) return false;
    const auto& child = candidate.target.threads[candidate.spawned[i]];
    if (!child || child->locals != values(moments_[index + 1].locals[*step.children[i]])) return false;
  }
  return true;
}

std::optional<model::Run> Simulation::build_run(const Task& task) {
  std::vector<std::optional<std::size_t>> slots;
  model::Run run;
  run.initial = initial_state(task, slots);
  std::set<Value> chosen{0};
  for (const auto& of_step : choices_) {
    for (const Datum& datum : of_step) {
      if (!datum.is_boolean) chosen.insert(value(datum));
    }
  }
  // What a new thread leaves open at its start is chosen, too.
  for (std::size_t i = 0; i < path_.steps.size(); ++i) {
    for (const auto& child : path_.steps[i].children) {
      if (!child) continue;
      for (const Datum& datum : moments_[i + 1].locals[*child]) chosen.insert(value(datum));
    }
  }
  run.choices.assign(chosen.begin(), chosen.end());
  model::Interpreter interpreter(task.program, task.bound);
  interpreter.choose_among(run.choices);
  for (std::size_t i = 0; i < path_.steps.size(); ++i) {
    const PathStep& step = path_.steps[i];
    const model::EdgeRef edge = commands_.all()[step.command].edge;
    const bool fails = path_.ends_in_trouble && i + 1 == path_.steps.size();
    auto candidates = interpreter.successors(run.last(), *slots[step.thread], edge);
    std::erase_if(candidates, [&](const model::Transition& one) {
      return one.fault.has_value() != fails || (!fails && !agrees(one.target, i, slots));
    });
    std::erase_if(candidates, [&](const model::Transition& one) { return !children_agree(one, i); });
    if (candidates.empty()) return std::nullopt;
    for (std::size_t child = 0; child < step.children.size(); ++child) {
      if (!step.children[child]) continue;
      if (child >= candidates[0].spawned.size()) return std::nullopt;
      slots[*step.children[child]] = candidates[0].spawned[child];
    }
    run.steps.push_back(std::move(candidates[0]));
  }
  return run;
}

}  // namespace cohort::engine::cegar
