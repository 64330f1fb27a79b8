#include "abstraction/oracle.hpp"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "base/contract.hpp"

namespace cohort::abstraction {

using model::Command;
using model::ExprId;
using model::PlaceId;
using model::TemplateId;
using smt::Answer;
using smt::SymbolicValuation;
using smt::Term;

namespace {

// The moments and threads that a formula of a command speaks of.
constexpr std::uint32_t active_before = 0;
constexpr std::uint32_t active_after = 1;
constexpr std::uint32_t passive_before = 2;
constexpr std::uint32_t passive_after = 3;
constexpr std::uint32_t first_child = 4;

// No template: the formula is about the active thread alone.
constexpr std::uint32_t nobody = UINT32_MAX;

bool assigns_one_of(const Command& command, const Predicate& predicate) {
  return assigns_shared(command, predicate) || assigns_local(command, predicate);
}

}  // namespace

// One solver, with the values that each role sees and the proxies made so far.
struct Oracle::Formula {
  struct Role {
    SymbolicValuation shared;
    SymbolicValuation locals;
    TemplateId templ;
  };

  Formula(Env& env, smt::Context& context) : solver(env, context, {}) {}

  smt::Solver solver;
  std::vector<Role> roles;
  Term enabled;
  Term trouble;
  std::map<std::pair<std::size_t, std::uint32_t>, Term> proxies;
  std::map<std::tuple<PlaceId, PlaceId>, Term> at_places;  // literals that stand for lemmas
};

Oracle::Oracle(Env& env, model::Commands& commands, const Predicates& predicates)
    : env_(env),
      commands_(commands),
      predicates_(predicates),
      context_(env.limits.memory_limit().value_or(0)),
      numbers_(context_, smt::Logic::Bits),
      translator_(commands.program(), context_, numbers_),
      terms_(commands, translator_),
      state_formulas_(commands.program().templates.size()),
      written_(commands.program().shared.size(), false) {
  for (const Command& command : commands.all()) {
    for (const model::Assign& assign : command.assigns) {
      if (assign.target.kind == model::LValue::Kind::Shared) written_[assign.target.var.value] = true;
    }
  }
}

Oracle::~Oracle() = default;

void Oracle::reset(bool ask_unaffected) {
  states_ = States();
  posts_.clear();
  troubles_.clear();
  passives_.clear();
  consistent_.clear();
  starts_.reset();
  ask_unaffected_ = ask_unaffected;
}

void Oracle::use_lemmas(const lemma::Houdini& houdini, const lemma::Invariant& invariant, const lemma::Census& census) {
  COHORT_EXPECT(invariant.views.threads == 2 && !invariant.views.singles, "lemmas speak of pairs of threads");
  houdini_ = &houdini;
  invariant_ = &invariant;
  census_ = &census;
  const lemma::Alphabet& alphabet = houdini.alphabet();
  idle_.reset();
  for (lemma::SpotId spot = 0; spot < alphabet.spots().size(); ++spot) {
    const lemma::Spot& one = alphabet.spot(spot);
    if (!one.place && !one.gone && !alphabet.limit(one.templ)) idle_ = spot;
  }
  for (const model::InitialThreads& group : commands_.program().initial) {
    if (!idle_ && !group.count) idle_ = alphabet.at(*commands_.find({group.templ, group.location, false}));
  }
  formulas_.clear();
  pair_formulas_.clear();
  reset(ask_unaffected_);
}

// ---- formulas

smt::Unknowns Oracle::any_shared() {
  const auto& variables = commands_.program().shared;
  smt::Unknowns result = terms_.any(variables, "g");
  const smt::Unknowns start = terms_.initial(variables, "g");
  for (std::size_t i = 0; i < variables.size(); ++i) {
    if (!is_fixed(i)) continue;
    for (std::uint32_t slot = 0; slot < variables[i].type.slots(); ++slot) {
      result.values[variables[i].slot + slot] = start.values[variables[i].slot + slot];
    }
  }
  return result;
}

Term Oracle::facts(const Formula& formula, std::uint32_t first, PlaceId first_place, std::uint32_t second,
                   PlaceId second_place) {
  if (houdini_ == nullptr) return context_.truth();
  const lemma::Alphabet& alphabet = houdini_->alphabet();
  lemma::View view{alphabet.at(first_place), alphabet.at(second_place)};
  std::vector<std::uint32_t> roles{first, second};
  if (view[0] > view[1]) {
    std::swap(view[0], view[1]);
    std::swap(roles[0], roles[1]);
  }
  const auto known = invariant_->facts.find(view);
  if (known == invariant_->facts.end()) return context_.falsity();
  lemma::Scenery scenery{&formula.roles[first].shared, {}, {}};
  for (const std::uint32_t role : roles) {
    scenery.locals.push_back(&formula.roles[role].locals);
    scenery.templates.push_back(formula.roles[role].templ);
  }
  Term result = axioms(formula, first, view);
  for (const lemma::Atom& atom : known->second) {
    result = context_.conj(result, houdini_->atoms().term(atom, scenery, translator_, terms_));
  }
  return result;
}

// What ghost counters can be where threads are at these spots.
Term Oracle::axioms(const Formula& formula, std::uint32_t role, const std::vector<lemma::SpotId>& spots) {
  Term result = context_.truth();
  const auto value = [&](std::size_t ghost) {
    const model::VarId variable = census_->ghosts[ghost].variable;
    return formula.roles[role].shared[commands_.program().shared[variable.value].slot].number;
  };
  for (const lemma::Combination& one : census_->combinations()) {
    const lemma::Census::Range range = census_->range(houdini_->alphabet(), one, spots);
    smt::Number counted = value(one.first);
    if (one.sign > 0) counted = numbers_.add(counted, value(one.second));
    if (one.sign < 0) counted = numbers_.sub(counted, value(one.second));
    result = context_.conj(result, context_.negate(numbers_.outside(counted, range.least, range.most)));
  }
  return result;
}

// Beside every thread there is one that has not been created, or one that has not moved since the start.
Term Oracle::facts(const Formula& formula, std::uint32_t role, PlaceId place) {
  if (houdini_ == nullptr || !idle_) return context_.truth();
  const lemma::Alphabet& alphabet = houdini_->alphabet();
  lemma::View view{alphabet.at(place), *idle_};
  const bool swapped = view[0] > view[1];
  if (swapped) std::swap(view[0], view[1]);
  const auto known = invariant_->facts.find(view);
  if (known == invariant_->facts.end()) return context_.falsity();
  const TemplateId templ = alphabet.spot(*idle_).templ;
  const smt::Unknowns idle = terms_.initial(commands_.program().templ(templ).locals, "idle");
  lemma::Scenery scenery{&formula.roles[role].shared, {&formula.roles[role].locals, &idle.values}, {}};
  scenery.templates = {formula.roles[role].templ, templ};
  if (swapped) {
    std::swap(scenery.locals[0], scenery.locals[1]);
    std::swap(scenery.templates[0], scenery.templates[1]);
  }
  Term result = context_.conj(idle.constraint, axioms(formula, role, {alphabet.at(place)}));
  for (const lemma::Atom& atom : known->second) {
    result = context_.conj(result, houdini_->atoms().term(atom, scenery, translator_, terms_));
  }
  return result;
}

void Oracle::assume_facts(Formula& formula, std::uint32_t first, PlaceId first_place, std::uint32_t second,
                          PlaceId second_place, Literals& literals) {
  if (houdini_ == nullptr) return;
  const auto [it, fresh] = formula.at_places.emplace(std::tuple(first_place, second_place), Term());
  if (fresh) {
    it->second = context_.fresh_boolean("lemmas");
    const Term all = pair_facts(formula, first, first_place, second, second_place);
    formula.solver.add(context_.implies(it->second, all));
  }
  literals.push_back(it->second);
}

// Of both together, and of the second one alone.
Term Oracle::pair_facts(const Formula& formula, std::uint32_t first, PlaceId first_place, std::uint32_t second,
                        PlaceId second_place) {
  return context_.conj(facts(formula, first, first_place, second, second_place), facts(formula, second, second_place));
}

Oracle::Formula& Oracle::formula(std::uint32_t index, std::optional<TemplateId> passive) {
  auto& entry = formulas_[{index, passive ? passive->value : nobody}];
  if (entry) return *entry;
  entry = std::make_unique<Formula>(env_, context_);
  Formula& result = *entry;
  const model::Program& program = commands_.program();
  const Command& command = commands_.all()[index];
  const TemplateId templ = commands_.place(command.from).templ;
  const smt::Unknowns shared = any_shared();
  const smt::Unknowns self = terms_.any(program.templ(templ).locals, "a");
  const smt::ActiveStep step = terms_.active(command, shared.values, self.values);
  for (const Term constraint : {shared.constraint, self.constraint, step.constraint}) result.solver.add(constraint);
  result.enabled = context_.fresh_boolean("enabled");
  result.solver.add(context_.implies(result.enabled, step.enabled));
  const bool faults_violate = program.faults == model::FaultPolicy::Violation;
  const Term trouble =
      faults_violate ? context_.disj(step.trouble.fault, step.trouble.overflow) : step.trouble.overflow;
  result.trouble = context_.is_false(trouble) ? trouble : context_.fresh_boolean("trouble");
  if (!context_.is_false(trouble)) result.solver.add(context_.implies(result.trouble, trouble));
  result.roles.push_back({shared.values, self.values, templ});
  result.roles.push_back({step.shared, step.self, templ});
  const TemplateId other = passive.value_or(templ);
  const smt::Unknowns locals = terms_.any(program.templ(other).locals, "p");
  if (passive) result.solver.add(locals.constraint);
  result.roles.push_back({shared.values, locals.values, other});
  result.roles.push_back({step.shared, locals.values, other});
  for (std::size_t i = 0; i < command.children.size(); ++i) {
    result.roles.push_back({step.shared, step.children[i], commands_.place(command.children[i].place).templ});
  }
  result.solver.add(facts(result, active_before, command.from));
  return result;
}

Oracle::Formula& Oracle::pair_formula(TemplateId first, TemplateId second) {
  auto& entry = pair_formulas_[{first, second}];
  if (entry) return *entry;
  entry = std::make_unique<Formula>(env_, context_);
  const model::Program& program = commands_.program();
  const smt::Unknowns shared = any_shared();
  const smt::Unknowns one = terms_.any(program.templ(first).locals, "a");
  const smt::Unknowns other = terms_.any(program.templ(second).locals, "p");
  for (const Term constraint : {shared.constraint, one.constraint, other.constraint}) entry->solver.add(constraint);
  entry->roles.push_back({shared.values, one.values, first});
  entry->roles.push_back({shared.values, one.values, first});
  entry->roles.push_back({shared.values, other.values, second});
  return *entry;
}

// Two threads of each group of initial threads: the first of group i in role i, the second behind all first ones.
Oracle::Formula& Oracle::start_formula() {
  if (start_formula_) return *start_formula_;
  start_formula_ = std::make_unique<Formula>(env_, context_);
  const model::Program& program = commands_.program();
  const smt::Unknowns shared = terms_.initial(program.shared, "g");
  start_formula_->solver.add(shared.constraint);
  for (int instance = 0; instance < 2; ++instance) {
    for (const model::InitialThreads& group : program.initial) {
      const smt::Unknowns locals = terms_.initial(program.templ(group.templ).locals, "t");
      start_formula_->solver.add(locals.constraint);
      start_formula_->roles.push_back({shared.values, locals.values, group.templ});
    }
  }
  COHORT_EXPECT(!program.initial.empty(), "a program has threads");
  if (program.initial_condition) {
    const auto& role = start_formula_->roles.front();
    const smt::Translated holds = terms_.expression(*program.initial_condition, role.templ, role.shared, role.locals);
    start_formula_->solver.add(holds.value.term);
  }
  return *start_formula_;
}

Oracle::Formula& Oracle::state_formula(TemplateId templ) {
  auto& entry = state_formulas_[templ.value];
  if (entry) return *entry;
  entry = std::make_unique<Formula>(env_, context_);
  const smt::Unknowns shared = any_shared();
  const smt::Unknowns self = terms_.any(commands_.program().templ(templ).locals, "a");
  entry->solver.add(shared.constraint);
  entry->solver.add(self.constraint);
  entry->roles.push_back({shared.values, self.values, templ});
  return *entry;
}

Term Oracle::proxy(Formula& formula, std::size_t predicate, std::uint32_t role) {
  // Shared predicates are the same for all threads of a moment.
  const bool is_shared = predicates_[predicate].is_shared();
  if (is_shared && role == passive_before) role = active_before;
  if (is_shared && role == passive_after) role = active_after;
  const auto [it, fresh] = formula.proxies.emplace(std::pair(predicate, role), Term());
  if (!fresh) return it->second;
  const Formula::Role& at = formula.roles[role];
  const smt::Translated value = terms_.expression(predicates_[predicate].expr, at.templ, at.shared, at.locals);
  const Term wrong = context_.disj(value.trouble.fault, value.trouble.overflow);
  const Term holds = context_.conj(value.value.term, context_.negate(wrong));
  it->second = context_.fresh_boolean("b");
  formula.solver.add(context_.iff(it->second, holds));
  return it->second;
}

void Oracle::assume_shared(Formula& formula, SharedState shared, std::uint32_t role, Literals& literals) {
  const Bits& bits = states_.bits(shared);
  for (std::size_t i = 0; i < bits.size(); ++i) {
    const Term term = proxy(formula, predicates_.shared()[i], role);
    literals.push_back(bits[i] == '1' ? term : context_.negate(term));
  }
}

void Oracle::assume_thread(Formula& formula, ThreadState thread, std::uint32_t role, Literals& literals) {
  COHORT_EXPECT(thread != absent, "a thread that exists has predicates");
  const Bits& bits = states_.bits(thread);
  const auto& predicates = predicates_.of(commands_.place(states_.place(thread)).templ);
  for (std::size_t i = 0; i < bits.size(); ++i) {
    if (bits[i] == unknown_bit) continue;
    const Term term = proxy(formula, predicates[i], role);
    literals.push_back(bits[i] == '1' ? term : context_.negate(term));
  }
}

bool Oracle::check(Formula& formula, const Literals& literals) {
  if (stopped_) return false;
  ++queries_;
  const Answer answer = formula.solver.check(literals);
  if (answer == Answer::Unknown) {
    stopped_ = true;
    reason_ = formula.solver.reason();
  }
  return answer == Answer::Satisfiable;
}

std::vector<Bits> Oracle::enumerate(Formula& formula, const Literals& literals, const std::vector<Term>& wanted) {
  std::vector<Bits> results;
  formula.solver.push();
  while (check(formula, literals)) {
    Bits bits;
    std::vector<Term> different;
    for (const Term term : wanted) {
      const bool holds = formula.solver.boolean_value(term);
      bits.push_back(holds ? '1' : '0');
      different.push_back(holds ? context_.negate(term) : term);
    }
    results.push_back(std::move(bits));
    if (wanted.empty()) break;
    formula.solver.add(context_.disj(different));
  }
  formula.solver.pop();
  return results;
}

// ---- images

namespace {

// Where each enumerated value goes: a bit of the shared state (thread 0), of the active thread (1) or of a child (2..).
struct Target {
  std::size_t thread = 0;
  std::size_t bit = 0;
};

}  // namespace

std::vector<Successor> Oracle::compute_post(std::uint32_t index, SharedState shared, ThreadState self) {
  const Command& command = commands_.all()[index];
  const TemplateId templ = commands_.place(command.from).templ;
  Formula& steps = formula(index, std::nullopt);
  std::vector<Bits> result{states_.bits(shared)};
  std::vector<Target> targets;
  std::vector<Term> wanted;
  const auto want = [&](std::size_t predicate, std::uint32_t role, Target target) {
    targets.push_back(target);
    wanted.push_back(proxy(steps, predicate, role));
  };
  for (std::size_t i = 0; i < predicates_.shared().size(); ++i) {
    if (assigns_one_of(command, predicates_[predicates_.shared()[i]]))
      want(predicates_.shared()[i], active_after, {0, i});
  }
  const auto add_thread = [&](TemplateId of, PlaceId place, std::uint32_t role, const Bits* before) {
    Bits bits(predicates_.of(of).size(), unknown_bit);
    for (std::size_t i = 0; i < bits.size(); ++i) {
      const std::size_t number = predicates_.of(of)[i];
      const Predicate& predicate = predicates_[number];
      if (!predicates_.known(predicate, place)) continue;
      const bool keeps = before != nullptr && (*before)[i] != unknown_bit && !assigns_one_of(command, predicate);
      bits[i] = keeps ? (*before)[i] : '0';
      if (!keeps) want(number, role, {result.size(), i});
    }
    result.push_back(std::move(bits));
  };
  if (command.to) {
    add_thread(templ, *command.to, active_after, &states_.bits(self));
  } else {
    result.emplace_back();
  }
  for (std::size_t i = 0; i < command.children.size(); ++i) {
    const PlaceId place = command.children[i].place;
    add_thread(commands_.place(place).templ, place, first_child + static_cast<std::uint32_t>(i), nullptr);
  }
  Literals literals{steps.enabled};
  assume_shared(steps, shared, active_before, literals);
  assume_thread(steps, self, active_before, literals);
  std::vector<Successor> successors;
  for (const Bits& bits : enumerate(steps, literals, wanted)) {
    for (std::size_t i = 0; i < bits.size(); ++i) result[targets[i].thread][targets[i].bit] = bits[i];
    Successor successor{states_.shared(result[0]), absent, {}};
    if (command.to) successor.self = states_.thread(*command.to, result[1]);
    for (std::size_t i = 0; i < command.children.size(); ++i) {
      successor.children.push_back(states_.thread(command.children[i].place, result[2 + i]));
    }
    successors.push_back(std::move(successor));
  }
  std::sort(successors.begin(), successors.end());
  return successors;
}

std::vector<ThreadState> Oracle::compute_passive(std::uint32_t index, SharedState shared, ThreadState self,
                                                 const Successor& step, ThreadState other) {
  const Command& command = commands_.all()[index];
  const TemplateId templ = commands_.place(states_.place(other)).templ;
  Bits bits = states_.bits(other);
  std::vector<std::size_t> affected;
  for (std::size_t i = 0; i < bits.size(); ++i) {
    const Predicate& predicate = predicates_[predicates_.of(templ)[i]];
    if (bits[i] != unknown_bit && assigns_shared(command, predicate)) affected.push_back(i);
  }
  if (affected.empty() && !ask_unaffected_) return {other};
  Formula& steps = formula(index, templ);
  std::vector<Term> wanted;
  for (const std::size_t i : affected) wanted.push_back(proxy(steps, predicates_.of(templ)[i], passive_after));
  Literals literals{steps.enabled};
  assume_shared(steps, shared, active_before, literals);
  assume_shared(steps, step.shared, active_after, literals);
  assume_thread(steps, self, active_before, literals);
  assume_thread(steps, other, passive_before, literals);
  assume_facts(steps, active_before, command.from, passive_before, states_.place(other), literals);
  if (step.self != absent) assume_thread(steps, step.self, active_after, literals);
  for (std::size_t i = 0; i < step.children.size(); ++i) {
    assume_thread(steps, step.children[i], first_child + static_cast<std::uint32_t>(i), literals);
  }
  std::vector<ThreadState> results;
  const PlaceId place = states_.place(other);
  for (const Bits& values : enumerate(steps, literals, wanted)) {
    for (std::size_t i = 0; i < values.size(); ++i) bits[affected[i]] = values[i];
    results.push_back(states_.thread(place, bits));
  }
  std::sort(results.begin(), results.end());
  return results;
}

const std::vector<Successor>& Oracle::post(std::uint32_t command, SharedState shared, ThreadState self) {
  COHORT_EXPECT(commands_.all()[command].from == states_.place(self), "a thread takes the commands of its place");
  const auto key = std::tuple(command, shared, self);
  const auto it = posts_.find(key);
  if (it != posts_.end()) return it->second;
  return posts_.emplace(key, compute_post(command, shared, self)).first->second;
}

bool Oracle::troubled(std::uint32_t command, SharedState shared, ThreadState self) {
  Formula& steps = formula(command, std::nullopt);
  if (context_.is_false(steps.trouble)) return false;
  const auto [it, fresh] = troubles_.emplace(std::tuple(command, shared, self), false);
  if (!fresh) return it->second;
  Literals literals{steps.trouble};
  assume_shared(steps, shared, active_before, literals);
  assume_thread(steps, self, active_before, literals);
  it->second = check(steps, literals);
  return it->second;
}

const std::vector<ThreadState>& Oracle::passive(std::uint32_t command, SharedState shared, ThreadState self,
                                                std::uint32_t step, ThreadState other) {
  const auto key = std::tuple(command, shared, self, step, other);
  const auto it = passives_.find(key);
  if (it != passives_.end()) return it->second;
  const Successor successor = post(command, shared, self)[step];
  return passives_.emplace(key, compute_passive(command, shared, self, successor, other)).first->second;
}

bool Oracle::consistent(SharedState shared, ThreadState first, ThreadState second) {
  if (houdini_ == nullptr || (first == absent && second == absent)) return true;
  if (first == absent) std::swap(first, second);
  const auto key = std::tuple(shared, std::min(first, second), std::max(first, second));
  const auto it = consistent_.find(key);
  if (it != consistent_.end()) return it->second;
  const PlaceId place = states_.place(first);
  const TemplateId templ = commands_.place(place).templ;
  const std::optional<PlaceId> other = second == absent ? std::nullopt : std::optional(states_.place(second));
  Formula& state = pair_formula(templ, other ? commands_.place(*other).templ : templ);
  Literals literals;
  assume_shared(state, shared, active_before, literals);
  assume_thread(state, first, active_before, literals);
  if (other) assume_thread(state, second, passive_before, literals);
  // The facts of all pairs of places in one solver would be thousands: those of this pair come and go.
  state.solver.push();
  state.solver.add(other ? pair_facts(state, active_before, place, passive_before, *other)
                         : facts(state, active_before, place));
  const bool result = check(state, literals);
  state.solver.pop();
  consistent_.emplace(key, result);
  return result;
}

// ---- starts and conditions

std::vector<Start> Oracle::compute_starts() {
  Formula& start = start_formula();
  std::vector<Term> wanted;
  for (const std::size_t predicate : predicates_.shared()) wanted.push_back(proxy(start, predicate, 0));
  std::vector<Start> results;
  for (const Bits& bits : enumerate(start, {}, wanted)) results.push_back({states_.shared(bits), {}});
  const auto& groups = commands_.program().initial;
  for (Start& result : results) {
    Literals literals;
    assume_shared(start, result.shared, 0, literals);
    for (std::size_t group = 0; group < groups.size(); ++group) {
      const auto place = commands_.find({groups[group].templ, groups[group].location, false});
      COHORT_EXPECT(place.has_value(), "threads start at places within reach");
      const auto& predicates = predicates_.of(groups[group].templ);
      std::vector<Term> of_thread;
      std::vector<std::size_t> known;
      for (std::size_t i = 0; i < predicates.size(); ++i) {
        if (!predicates_.known(predicates_[predicates[i]], *place)) continue;
        of_thread.push_back(proxy(start, predicates[i], static_cast<std::uint32_t>(group)));
        known.push_back(i);
      }
      result.groups.emplace_back();
      for (const Bits& values : enumerate(start, literals, of_thread)) {
        Bits bits(predicates.size(), unknown_bit);
        for (std::size_t i = 0; i < known.size(); ++i) bits[known[i]] = values[i];
        result.groups.back().push_back(states_.thread(*place, bits));
      }
    }
  }
  return results;
}

const std::vector<Start>& Oracle::starts() {
  if (!starts_) starts_ = compute_starts();
  return *starts_;
}

bool Oracle::start_together(SharedState shared, std::size_t i, ThreadState first, std::size_t j, ThreadState second) {
  Formula& start = start_formula();
  Literals literals;
  assume_shared(start, shared, 0, literals);
  assume_thread(start, first, static_cast<std::uint32_t>(i), literals);
  const std::size_t role = i == j ? commands_.program().initial.size() + j : j;
  assume_thread(start, second, static_cast<std::uint32_t>(role), literals);
  return check(start, literals);
}

bool Oracle::step_possible(std::uint32_t command, std::optional<TemplateId> passive,
                           const std::vector<Literal>& literals) {
  Formula& steps = formula(command, passive);
  return possible_with(steps, steps.enabled, literals);
}

bool Oracle::trouble_possible(std::uint32_t command, const std::vector<Literal>& literals) {
  Formula& steps = formula(command, std::nullopt);
  return !context_.is_false(steps.trouble) && possible_with(steps, steps.trouble, literals);
}

bool Oracle::possible_with(Formula& formula, Term what, const std::vector<Literal>& literals) {
  Literals assumed{what};
  for (const Literal& literal : literals) {
    const Term term = proxy(formula, literal.predicate, static_cast<std::uint32_t>(literal.role));
    assumed.push_back(literal.value ? term : context_.negate(term));
  }
  // A stop is no proof that there is none.
  return check(formula, assumed) || stopped_;
}

bool Oracle::possible(ExprId condition, SharedState shared) {
  const TemplateId templ = commands_.program().initial.front().templ;
  Formula& state = state_formula(templ);
  const Formula::Role& at = state.roles.front();
  const smt::Translated holds = terms_.expression(condition, templ, at.shared, at.locals);
  const Term proxy = context_.fresh_boolean("condition");
  state.solver.add(context_.iff(proxy, holds.value.term));
  Literals literals{proxy};
  assume_shared(state, shared, active_before, literals);
  return check(state, literals);
}

std::optional<int> Oracle::redundant(ExprId expr, TemplateId templ) {
  Formula& state = state_formula(templ);
  const Formula::Role& at = state.roles.front();
  const smt::Translated value = terms_.expression(expr, templ, at.shared, at.locals);
  const Term wrong = context_.disj(value.trouble.fault, value.trouble.overflow);
  const Term candidate = context_.fresh_boolean("candidate");
  state.solver.add(context_.iff(candidate, context_.conj(value.value.term, context_.negate(wrong))));
  if (!check(state, {candidate})) return 0;
  if (!check(state, {context_.negate(candidate)})) return 1;
  const auto is_equivalent = [&](std::size_t number) {
    const Term other = proxy(state, number, active_before);
    const Term differs = context_.fresh_boolean("differs");
    state.solver.add(context_.iff(differs, context_.negate(context_.iff(candidate, other))));
    return !check(state, {differs}) || !check(state, {context_.negate(differs)});
  };
  const auto& own = predicates_.of(templ);
  if (std::any_of(predicates_.shared().begin(), predicates_.shared().end(), is_equivalent)) return 2;
  if (std::any_of(own.begin(), own.end(), is_equivalent)) return 2;
  return std::nullopt;
}

}  // namespace cohort::abstraction
