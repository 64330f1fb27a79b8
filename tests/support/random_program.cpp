// Signatures first (variables, locations, parameters, results), then bodies: each location gets one statement, which
// mostly goes on to the next location.  Procedures call only procedures with a higher number, so there is recursion
// only on request.
#include "support/random_program.hpp"

#include <algorithm>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "model/passive.hpp"
#include "support/build.hpp"

namespace cohort::test {

using namespace model;

namespace {

class Generator {
 public:
  Generator(std::uint64_t seed, const RandomProgramOptions& options) : options_(options), random_(seed) {}

  Program run() {
    program_.name = "random";
    make_shared();
    make_signatures();
    for (std::size_t i = 0; i < program_.templates.size(); ++i) make_body(i);
    make_initial();
    if (options_.cover) make_cover();
    if (options_.references) make_reference_property();
    if (options_.deadlock) make_deadlock();
    if (options_.numbers) {
      program_.faults = chance(50) ? FaultPolicy::Violation : FaultPolicy::Drop;
      program_.add_property(
          {.kind = Property::Kind::Fault, .text = "no fault", .span = {}, .condition = {}, .threads = {}});
    }
    return std::move(program_);
  }

 private:
  std::size_t below(std::size_t limit) { return static_cast<std::size_t>(random_() % limit); }
  std::size_t between(std::size_t low, std::size_t high) { return low + below(high - low + 1); }
  bool chance(unsigned percent) { return below(100) < percent; }

  std::vector<Value> random_initial(const Type& type) {
    if (chance(40)) return {};
    if (type.kind() == Type::Kind::Bool) return {chance(50) ? 1 : 0};
    return {type.default_value()};
  }

  Type number_type() { return chance(50) ? Type::range(0, 2) : Type::fixed(2, chance(50)); }

  void make_shared() {
    const std::size_t count = between(1, options_.max_shared);
    for (std::size_t i = 0; i < count; ++i) {
      program_.add_shared(bool_var("s" + std::to_string(i), random_initial(Type::boolean())));
    }
    if (options_.numbers) {
      const Type type = number_type();
      program_.add_shared(var_of("n", type, random_initial(type)));
      if (chance(40)) program_.add_shared(var_of("a", Type::boolean().array_of(2), {0}));
    }
    if (options_.references) program_.add_shared(var_of("p", Type::thread_ref(), random_initial(Type::thread_ref())));
  }

  void make_signatures() {
    roots_ = between(1, 2);
    const std::size_t procedures = options_.calls ? below(3) : 0;
    first_root_ = chance(30) ? procedures : 0;
    for (std::size_t i = 0; i < roots_ + procedures; ++i) {
      const std::string name = is_root(i) ? "thread" + std::to_string(i) : "proc" + std::to_string(i);
      Template templ =
          template_with(name, between(2, is_root(i) ? options_.max_locations : (options_.max_locations + 1) / 2));
      const std::size_t locals = below(options_.max_locals + 1);
      for (std::size_t j = 0; j < locals; ++j) {
        templ.add_local(bool_var("l" + std::to_string(j), random_initial(Type::boolean())));
      }
      if (options_.numbers && chance(40)) {
        const Type type = number_type();
        templ.add_local(var_of("m", type, random_initial(type)));
      }
      if (options_.references && chance(50)) {
        // New threads would have it free, which nobody enumerates.
        const bool fixed = options_.spawns || chance(50);
        templ.add_local(var_of("r", Type::thread_ref(), fixed ? std::vector<Value>{0} : std::vector<Value>{}));
      }
      if (!is_root(i)) {
        if (locals != 0 && chance(60)) templ.params.emplace_back(std::size_t{0});
        templ.result_count = static_cast<std::uint32_t>(below(3));
      }
      program_.add_template(std::move(templ));
    }
  }

  bool is_root(std::size_t templ) const { return templ >= first_root_ && templ < first_root_ + roots_; }
  std::size_t random_root() { return first_root_ + below(roots_); }

  void make_body(std::size_t index) {
    current_ = index;
    const std::size_t count = templ().locations.size();
    std::size_t enter = count;
    std::size_t exit = count;
    if (options_.atomic && count > 3 && chance(40)) {
      enter = below(count - 2);
      exit = between(enter + 1, count - 2);
    }
    if (chance(10)) mark_error(below(count));
    for (std::size_t at = 0; at + 1 < count; ++at) {
      if (at == enter || at == exit) {
        add_edge(templ(), at, at + 1, atomic_action(at == enter ? AtomicChange::Enter : AtomicChange::Exit));
        continue;
      }
      statement(at, chance(85) ? at + 1 : below(count));
    }
    last_statement(count - 1);
  }

  Template& templ() { return program_.templates[current_]; }

  void last_statement(std::size_t at) {
    if (!is_root(current_)) {
      add_edge(templ(), at, at, make_return());
    } else if (chance(40)) {
      add_edge(templ(), at, 0, simple_action());
    } else if (options_.ends && chance(50)) {
      add_edge(templ(), at, at, chance(50) || !options_.calls ? end_action() : return_action());
    }
  }

  Action make_return() {
    std::vector<ExprId> values;
    for (std::uint32_t i = 0; i < templ().result_count; ++i) values.push_back(condition());
    Action action = return_action(std::move(values));
    if (chance(15)) action.guard = condition();
    return action;
  }

  void statement(std::size_t at, std::size_t next) {
    if (options_.recursion && chance(25) && call(at, next)) return;
    if (options_.references && chance(35)) {
      add_edge(templ(), at, next, reference_action());
      return;
    }
    switch (below(16)) {
      case 0: assertion(at, next); return;
      case 1:
      case 2: branch(at, next); return;
      case 3:
        if (options_.spawns) return spawn(at, next);
        break;
      case 4:
        if (options_.atomic) {
          add_edge(templ(), at, next, atomic_action(chance(55) ? AtomicChange::Enter : AtomicChange::Exit));
          return;
        }
        break;
      case 5:
        if (options_.calls && call(at, next)) return;
        break;
      case 6:
        if (options_.constraints) {
          add_edge(templ(), at, next, constrained());
          return;
        }
        break;
      case 7:
        if (options_.ends && chance(30)) {
          add_edge(templ(), at, next, end_action());
          add_edge(templ(), at, next, simple_action());
          return;
        }
        break;
      case 8:
      case 9:
      case 10:
        if (involve_others(at, next)) return;
        break;
      case 11: add_edge(templ(), at, next); return;
      default: break;
    }
    add_edge(templ(), at, next, simple_action());
  }

  void mark_error(std::size_t at) {
    Property property;
    property.kind = Property::Kind::ErrorLabel;
    property.text = templ().locations[at].label;
    templ().locations[at].error = program_.add_property(std::move(property));
  }

  void assertion(std::size_t at, std::size_t next) {
    const ExprId holds = condition();
    add_edge(templ(), at, next, guard_action(holds));
    Property property;
    property.text = "assertion at " + templ().name + " " + std::to_string(at);
    const PropertyId id = program_.add_property(std::move(property));
    const LocId error = templ().add_location({.label = "E" + std::to_string(at), .span = {}, .error = id});
    add_edge(templ(), at, error.value, guard_action(program_.exprs.negate(holds)));
  }

  void branch(std::size_t at, std::size_t next) {
    const std::size_t other = below(templ().locations.size());
    const ExprId taken = condition();
    add_edge(templ(), at, next, guard_action(taken));
    add_edge(templ(), at, other, chance(70) ? guard_action(program_.exprs.negate(taken)) : Action{});
  }

  void spawn(std::size_t at, std::size_t next) {
    Action action;
    if (chance(50)) {
      action = spawn_action(current_, below(templ().locations.size()), true);
      if (!templ().locals.empty() && chance(30))
        action.spawns[0].locals.push_back(assignment_of_local(below(templ().locals.size())));
    } else {
      const std::size_t child = random_root();
      action = spawn_action(child, 0);
      const auto& locals = program_.templates[child].locals;
      if (!locals.empty() && locals[0].type.is_bool() && chance(50)) {
        action.spawns[0].locals.push_back({to_local(VarId(std::size_t{0})), faultless_condition()});
      }
    }
    if (chance(20)) action.guard = condition();
    add_edge(templ(), at, next, std::move(action));
  }

  Assign assignment_of_local(std::size_t var) {
    const Type type = templ().locals[var].type;
    return {to_local(VarId(var)),
            type.is_bool() ? faultless_condition() : program_.exprs.constant(type.default_value(), type)};
  }

  bool call(std::size_t at, std::size_t next) {
    std::vector<std::size_t> callees;
    for (std::size_t i = 0; i < program_.templates.size(); ++i) {
      if (!is_root(i) && (is_root(current_) || i > current_ || options_.recursion)) callees.push_back(i);
    }
    if (callees.empty()) return false;
    const std::size_t callee = callees[below(callees.size())];
    const Template& target = program_.templates[callee];
    std::vector<ExprId> args;
    for (std::size_t i = 0; i < target.params.size(); ++i) args.push_back(condition());
    std::vector<std::optional<LValue>> results(target.result_count);
    for (auto& result : results) {
      if (chance(70)) result = boolean_target();
    }
    if (results.size() == 2 && results[0] && results[1] && results[0]->kind == results[1]->kind &&
        results[0]->var == results[1]->var) {
      results[1].reset();
    }
    Action action = call_action(callee, std::move(args), std::move(results));
    if (chance(15)) action.guard = condition();
    add_edge(templ(), at, next, std::move(action));
    return true;
  }

  Action constrained() {
    Action action;
    const LValue first = boolean_target();
    action.assigns.push_back({first, choice_or_condition()});
    const LValue second = boolean_target();
    if (second.kind != first.kind || second.var != first.var) action.assigns.push_back({second, choice_or_condition()});
    const ExprId after = read(first, true);
    action.constraint.push_back(program_.exprs.binary(pick_operator(), after, condition(), Type::boolean()));
    if (chance(30)) action.constraint.push_back(program_.exprs.disj(read(second, true), condition()));
    return action;
  }

  // A broadcast, move or take, where the options and the template allow one.
  bool involve_others(std::size_t at, std::size_t next) {
    std::vector<int> kinds;
    if (options_.broadcasts && is_root(current_) && has_boolean_local()) kinds.push_back(0);
    if (options_.moves) kinds.push_back(1);
    if (options_.takes) kinds.push_back(2);
    if (kinds.empty()) return false;
    const int kind = options_.mixed && chance(60) ? 3 : kinds[below(kinds.size())];
    Action action;
    if (kind == 3) {
      action = mixed();
    } else if (kind == 0) {
      action = broadcast();
    } else if (kind == 1) {
      const std::size_t other = random_root();
      const LocId from = random_location(other);
      for (std::size_t i = between(1, 2); i > 0; --i)
        action.moves.push_back({TemplateId(other), from, random_location(other)});
      if (chance(50)) action.guard = condition();
    } else {
      const std::size_t other = random_root();
      const LocId from = random_location(other);
      action.takes.push_back(
          {TemplateId(other), from, chance(70) ? std::optional(random_location(other)) : std::nullopt});
    }
    add_edge(templ(), at, next, std::move(action));
    return true;
  }

  Action mixed() {
    Action action;
    if (options_.broadcasts && is_root(current_) && has_boolean_local() && chance(60)) action = broadcast();
    if (options_.moves && chance(60)) {
      for (std::size_t i = between(1, 3); i > 0; --i) {
        const std::size_t other = random_root();
        action.moves.push_back({TemplateId(other), random_location(other), random_location(other)});
      }
    }
    if (options_.takes && chance(70)) {
      const std::size_t other = random_root();
      const LocId from = random_location(other);
      for (std::size_t i = between(1, 2); i > 0; --i) {
        const LocId at = chance(70) ? from : random_location(other);
        action.takes.push_back(
            {TemplateId(other), at, chance(60) ? std::optional(random_location(other)) : std::nullopt});
      }
    }
    const bool assigns_local = std::any_of(action.assigns.begin(), action.assigns.end(), [](const Assign& assign) {
      return assign.target.kind == LValue::Kind::Local;
    });
    if (options_.spawns && !assigns_local && chance(40)) {
      for (std::size_t i = between(1, 2); i > 0; --i) {
        if (chance(50)) {
          action.spawns.push_back({TemplateId(current_), random_location(current_), true, {}});
        } else {
          action.spawns.push_back({TemplateId(random_root()), LocId(0), false, {}});
        }
      }
    }
    if (options_.ends && chance(10)) action.ends_thread = true;
    if (chance(20)) action.guard = condition();
    return action;
  }

  ExprId reference() {
    ExprPool& exprs = program_.exprs;
    const Type type = Type::thread_ref();
    switch (below(6)) {
      case 0: return exprs.self();
      case 1: return options_.choices ? exprs.nondet(type) : exprs.self();
      case 2: return exprs.constant(0, type);
      case 3: return exprs.unary(Op::Cast, exprs.constant(static_cast<Value>(below(4)), Type::integer()), type);
      default: return read_reference(reference_target());
    }
  }

  LValue reference_target() {
    std::vector<LValue> targets;
    for (std::size_t i = 0; i < program_.shared.size(); ++i) {
      if (program_.shared[i].type.kind() == Type::Kind::ThreadRef) targets.push_back(to_shared(VarId(i)));
    }
    for (std::size_t i = 0; i < templ().locals.size(); ++i) {
      if (templ().locals[i].type.kind() == Type::Kind::ThreadRef) targets.push_back(to_local(VarId(i)));
    }
    return targets[below(targets.size())];
  }

  ExprId read_reference(const LValue& target) { return read(target, false, Type::thread_ref()); }

  // A template with a Boolean local, which may be read and written from afar; none: there is none.
  std::optional<std::size_t> remote_template() {
    const std::size_t other = random_root();
    const auto& locals = program_.templates[other].locals;
    return !locals.empty() && locals[0].type.is_bool() ? std::optional(other) : std::nullopt;
  }

  ExprId reference_condition(ExprId thread) {
    ExprPool& exprs = program_.exprs;
    const std::size_t other = random_root();
    switch (below(4)) {
      case 0:
        return exprs.binary(Op::Eq, thread, read_reference(to_shared(VarId(program_.shared.size() - 1))),
                            Type::boolean());
      case 1:
        if (const auto remote = remote_template()) {
          return exprs.remote(thread, TemplateId(*remote), VarId(std::size_t{0}), Type::boolean());
        }
        break;
      default: break;
    }
    return exprs.at_location(thread, TemplateId(other), random_location(other));
  }

  ExprId quantified_condition() {
    ExprPool& exprs = program_.exprs;
    const ExprId body = reference_condition(exprs.bound_thread(0));
    return exprs.quantified(chance(50) ? Op::ForallThread : Op::ExistsThread, body);
  }

  Action reference_action() {
    const auto remote = remote_template();
    switch (below(5)) {
      case 0:
        if (remote) {
          LValue target{.kind = LValue::Kind::Remote, .var = VarId(std::size_t{0})};
          target.ref = reference();
          target.templ = TemplateId(*remote);
          return assign_action(target, choice_or_condition());
        }
        break;
      case 1: return guard_action(reference_condition(reference()));
      case 2: return guard_action(quantified_condition());
      case 3: {
        Action action = assign_action(boolean_target(), reference_condition(reference()));
        return action;
      }
      default: break;
    }
    return assign_action(reference_target(), reference());
  }

  void make_reference_property() {
    if (chance(50)) {
      program_.add_property({.kind = Property::Kind::Condition,
                             .text = "quantified",
                             .span = {},
                             .condition = quantified_condition(),
                             .threads = {}});
    }
    program_.faults = chance(50) ? FaultPolicy::Violation : FaultPolicy::Drop;
    program_.add_property(
        {.kind = Property::Kind::Fault, .text = "no fault", .span = {}, .condition = {}, .threads = {}});
  }

  void make_deadlock() {
    for (Template& templ : program_.templates) {
      for (Location& location : templ.locations) location.waits = chance(80);
    }
    program_.add_property(
        {.kind = Property::Kind::Deadlock, .text = "deadlock", .span = {}, .condition = {}, .threads = {}});
  }

  LocId random_location(std::size_t of) { return LocId(below(program_.templates[of].locations.size())); }

  bool has_boolean_local() { return has_boolean_local(current_); }
  bool has_boolean_local(std::size_t of) {
    const auto& locals = program_.templates[of].locals;
    return !locals.empty() && locals[0].type.is_bool();
  }

  // Whose threads a broadcast speaks of.
  TemplateId passive_template() {
    if (!options_.foreign || chance(40)) return TemplateId(current_);
    const std::size_t other = below(program_.templates.size());
    return TemplateId(is_root(other) && has_boolean_local(other) ? other : current_);
  }

  // Two or three passive threads and the shared state.
  ExprId tie() {
    ExprPool& exprs = program_.exprs;
    ExprId result = chance(50) ? faultless_condition() : exprs.falsity();
    const std::uint32_t threads = chance(70) ? 2 : 3;
    for (std::uint32_t i = 0; i < threads; ++i) {
      const ExprId one =
          passive_variable(exprs, passive_template(), VarId(std::size_t{0}), Type::boolean(), chance(50), i);
      result =
          exprs.binary(chance(70) ? Op::Or : Op::Xor, result, chance(50) ? one : exprs.negate(one), Type::boolean());
    }
    return result;
  }

  Action broadcast() {
    ExprPool& exprs = program_.exprs;
    const VarId var(std::size_t{0});
    const TemplateId owner = passive_template();
    const ExprId before = passive_variable(exprs, owner, var, Type::boolean());
    const ExprId after = passive_variable(exprs, owner, var, Type::boolean(), true);
    Action action;
    if (options_.ties && chance(50)) action.constraint.push_back(tie());
    if (chance(50)) action.assigns.push_back({boolean_target(), choice_or_condition()});
    switch (below(4)) {
      case 0: action.assigns.push_back({to_passive(var, owner), faultless_condition()}); break;
      case 1: action.assigns.push_back({to_passive(var, owner), exprs.negate(before)}); break;
      case 2:
        action.assigns.push_back(
            {to_passive(var, owner), options_.choices ? exprs.nondet(Type::boolean()) : faultless_condition()});
        action.constraint.push_back(exprs.binary(Op::Implies, after, before, Type::boolean()));
        break;
      default:
        action.constraint.push_back(exprs.binary(pick_operator(), before, faultless_condition(), Type::boolean()));
        break;
    }
    return action;
  }

  Action simple_action() {
    if (options_.numbers && chance(35)) return number_action();
    if (chance(20)) return guard_action(condition());
    Action action = assign_action(boolean_target(), choice_or_condition());
    if (chance(25)) {
      const LValue second = boolean_target();
      const LValue& first = action.assigns[0].target;
      if (second.kind != first.kind || second.var != first.var)
        action.assigns.push_back({second, choice_or_condition()});
    }
    if (chance(10)) action.guard = condition();
    return action;
  }

  Action number_action() {
    ExprPool& exprs = program_.exprs;
    std::vector<std::pair<LValue, Type>> numbers;
    const auto collect = [&](const std::vector<Variable>& variables, bool shared) {
      for (std::size_t i = 0; i < variables.size(); ++i) {
        if (variables[i].type.kind() == Type::Kind::Bool || variables[i].type.kind() == Type::Kind::ThreadRef) continue;
        numbers.emplace_back(shared ? to_shared(VarId(i)) : to_local(VarId(i)), variables[i].type);
      }
    };
    collect(program_.shared, true);
    collect(templ().locals, false);
    const auto& [target, type] = numbers[below(numbers.size())];
    const auto& [source, source_type] = numbers[below(numbers.size())];
    const ExprId operand = read(source, false, source_type);
    const ExprId one = exprs.constant(1, Type::integer());
    switch (below(4)) {
      case 0: return assign_action(target, exprs.nondet(type));
      case 1: return assign_action(target, exprs.binary(Op::Add, operand, one, Type::integer()));
      case 2: return assign_action(target, exprs.binary(Op::Mod, one, operand, Type::integer()));
      default: return assign_action(target, operand);
    }
  }

  // A Boolean variable that the current template may assign, scalar.
  LValue boolean_target() {
    std::vector<LValue> targets;
    for (std::size_t i = 0; i < program_.shared.size(); ++i) {
      if (program_.shared[i].type.is_bool()) targets.push_back(to_shared(VarId(i)));
    }
    for (std::size_t i = 0; i < templ().locals.size(); ++i) {
      if (templ().locals[i].type.is_bool()) targets.push_back(to_local(VarId(i)));
    }
    return targets[below(targets.size())];
  }

  ExprId read(const LValue& target, bool primed, Type type = Type::boolean()) {
    return target.kind == LValue::Kind::Shared ? program_.exprs.shared(target.var, type, primed)
                                               : program_.exprs.local(target.var, type, primed);
  }

  Op pick_operator() {
    constexpr Op operators[] = {Op::And, Op::Or, Op::Xor, Op::Implies, Op::Eq, Op::Ne};
    return operators[below(std::size(operators))];
  }

  ExprId choice_or_condition() {
    return options_.choices && chance(35) ? program_.exprs.nondet(Type::boolean()) : condition();
  }

  ExprId atom() {
    ExprPool& exprs = program_.exprs;
    if (options_.choices && chance(8)) return exprs.nondet(Type::boolean());
    if (chance(5)) return exprs.boolean(chance(50));
    if (options_.numbers && !faultless_ && chance(25)) {
      for (std::size_t i = 0; i < program_.shared.size(); ++i) {
        const Type type = program_.shared[i].type;
        const VarId var(i);
        if (type.is_array() && chance(50)) {
          const ExprId number = exprs.shared(VarId(i - 1), program_.shared[i - 1].type);
          return exprs.element(Op::SharedVar, var, type, number);
        }
        if (type.kind() == Type::Kind::Bool || type.kind() == Type::Kind::ThreadRef) continue;
        if (chance(60))
          return exprs.binary(Op::Le, exprs.shared(var, type), exprs.constant(1, Type::integer()), Type::boolean());
      }
    }
    const ExprId variable = read(boolean_target(), false);
    return chance(40) ? exprs.negate(variable) : variable;
  }

  // What a new or passive thread is given must not fault.
  ExprId faultless_condition() {
    faultless_ = true;
    const ExprId result = condition();
    faultless_ = false;
    return result;
  }

  ExprId condition() {
    if (chance(60)) return atom();
    const ExprId left = atom();
    const ExprId right = atom();
    return program_.exprs.binary(pick_operator(), left, right, Type::boolean());
  }

  void make_initial() {
    for (std::size_t i = first_root_; i < first_root_ + roots_; ++i) {
      if (i != first_root_ && chance(40)) continue;
      InitialThreads group;
      group.templ = TemplateId(i);
      group.location = LocId(chance(85) ? 0 : below(program_.templates[i].locations.size()));
      if (options_.any_number && chance(50)) group.count.reset();
      program_.initial.push_back(group);
    }
  }

  void make_cover() {
    Property property;
    property.kind = Property::Kind::Cover;
    property.text = "cover";
    if (chance(50)) property.condition = program_.exprs.shared(VarId(std::size_t{0}), Type::boolean());
    for (std::size_t i = between(1, 2); i > 0; --i) {
      const std::size_t root = random_root();
      property.threads.emplace_back(TemplateId(root), random_location(root));
    }
    program_.add_property(std::move(property));
  }

  const RandomProgramOptions options_;
  std::mt19937_64 random_;
  Program program_;
  std::size_t roots_ = 0;
  std::size_t first_root_ = 0;
  std::size_t current_ = 0;
  bool faultless_ = false;
};

}  // namespace

Program random_program(std::uint64_t seed, const RandomProgramOptions& options) {
  return Generator(seed, options).run();
}

}  // namespace cohort::test
