#include "frontend/red/expression.hpp"

#include <algorithm>
#include <utility>

#include <fmt/core.h>

#include "base/contract.hpp"
#include "model/analysis/may_fault.hpp"

namespace cohort::frontend::red {

using model::Expr;
using model::ExprId;
using model::Op;
using model::TemplateId;
using model::Type;
using model::VarId;

namespace {

bool is_word(const std::string& name) {
  return name == "and" || name == "or" || name == "implies";
}

Op comparison(const std::string& sign) {
  static const std::map<std::string, Op> signs = {{"==", Op::Eq}, {"!=", Op::Ne}, {"<", Op::Lt},
                                                  {"<=", Op::Le}, {">", Op::Gt},  {">=", Op::Ge}};
  const auto it = signs.find(sign);
  return it == signs.end() ? Op::Const : it->second;
}

Op arithmetic(const std::string& sign) {
  static const std::map<std::string, Op> signs = {{"+", Op::Add}, {"-", Op::Sub}, {"*", Op::Mul}, {"/", Op::Div}};
  return signs.at(sign);
}

}  // namespace

void ExpressionLowering::declare(const std::string& name, Symbol symbol, const SourceSpan& span) {
  if (!symbols_.emplace(name, symbol).second) throw_malformed(span, fmt::format("'{}' is declared twice", name));
}

const Symbol* ExpressionLowering::find(const std::string& name) const {
  const auto it = symbols_.find(name);
  return it == symbols_.end() ? nullptr : &it->second;
}

const Symbol& ExpressionLowering::resolve(const std::string& name, const SourceSpan& span) const {
  const Symbol* symbol = find(name);
  if (symbol == nullptr) throw_malformed(span, fmt::format("'{}' is not declared", name));
  return *symbol;
}

ExprId ExpressionLowering::condition(const Expression& expression, Scope scope) {
  return to_truth(lower(expression, scope), expression.span);
}

model::Assign ExpressionLowering::assignment(const Assignment& assignment, const Scope& outer) {
  Scope scope = outer;
  const Expression& written = *assignment.target;
  model::LValue target;
  const bool arrow = written.kind == Expression::Kind::Arrow;
  const Expression& name = arrow ? *written.args[1] : written;
  if (name.kind != Expression::Kind::Name || (arrow && !name.args.empty())) {
    throw_malformed(name.span, "a variable is assigned to, not a value");
  }
  if (name.name == "mode") throw_malformed(name.span, "a process changes its mode by 'goto', and only its own");
  const Symbol& symbol = resolve(name.name, name.span);
  if (symbol.kind != Symbol::Kind::Global && symbol.kind != Symbol::Kind::Local) {
    throw_malformed(name.span, fmt::format("'{}' is not a variable", name.name));
  }
  target.var = VarId(symbol.index);
  if (symbol.kind == Symbol::Kind::Global) {
    if (arrow || !name.args.empty()) {
      throw_malformed(name.span, fmt::format("'{}' is global: it belongs to no process", name.name));
    }
  } else if (!arrow && name.args.empty()) {
    target.kind = model::LValue::Kind::Local;
  } else {
    const ExprId process = to_process(lower(*written.args[0], scope), written.args[0]->span);
    const bool own = program_.exprs[process].op == Op::Self;
    target.kind = own ? model::LValue::Kind::Local : model::LValue::Kind::Remote;
    if (!own) target.ref = process;
  }
  const Value value = lower(*assignment.value, scope);
  const bool pointer = symbol.type.kind() == Type::Kind::ThreadRef;
  return {target, pointer ? to_process(value, assignment.value->span) : to_number(value, assignment.value->span)};
}

ExpressionLowering::Value ExpressionLowering::lower(const Expression& expression, Scope& scope) {
  switch (expression.kind) {
    case Expression::Kind::Number: return {program_.exprs.constant(expression.number, Type::integer()), Class::Number};
    case Expression::Kind::Truth: return {program_.exprs.boolean(expression.number != 0), Class::Truth};
    case Expression::Kind::Null: return {program_.exprs.constant(0, Type::thread_ref()), Class::Process};
    case Expression::Kind::Process: return current_process(scope, expression.span);
    case Expression::Kind::Name: return lower_name(expression, scope);
    case Expression::Kind::Arrow: return lower_arrow(expression, scope);
    case Expression::Kind::Operator: return lower_operator(expression, scope);
    case Expression::Kind::Chain: return lower_chain(expression, scope);
    case Expression::Kind::Quantifier: {
      const bool taken = find(expression.variable) != nullptr ||
                         std::find(scope.bound.begin(), scope.bound.end(), expression.variable) != scope.bound.end();
      if (taken)
        throw_malformed(expression.span, fmt::format("'{}' means something else already", expression.variable));
      scope.bound.push_back(expression.variable);
      const ExprId body = to_truth(lower(*expression.args[0], scope), expression.args[0]->span);
      scope.bound.pop_back();
      return {program_.exprs.quantified(expression.name == "forall" ? Op::ForallThread : Op::ExistsThread, body),
              Class::Truth};
    }
  }
  COHORT_UNREACHABLE("every kind of expression is lowered");
}

ExpressionLowering::Value ExpressionLowering::current_process(const Scope& scope, const SourceSpan& span) {
  switch (scope.process) {
    case Scope::Process::None: throw_malformed(span, "no process executes here: name one, as in x[1] or x[i]");
    case Scope::Process::Executing: return {program_.exprs.self(), Class::Process};
    case Scope::Process::Bound: return {program_.exprs.bound_thread(0), Class::Process};
    case Scope::Process::Given: return {scope.given, Class::Process};
  }
  COHORT_UNREACHABLE("every scope says which process is current");
}

ExpressionLowering::Value ExpressionLowering::lower_arrow(const Expression& expression, Scope& scope) {
  const ExprId process = to_process(lower(*expression.args[0], scope), expression.args[0]->span);
  const Expression& said = *expression.args[1];
  if (said.kind == Expression::Kind::Name && said.args.empty()) {
    if (said.name == "mode") return mode_number(process, scope);
    const Symbol* symbol = find(said.name);
    if (symbol != nullptr && (symbol->kind == Symbol::Kind::Local || symbol->kind == Symbol::Kind::Mode)) {
      return lower_member(*symbol, process, said, scope);
    }
  }
  Scope there = scope;
  there.process = Scope::Process::Given;
  there.given = process;
  return spoken_by(process, lower(said, there));
}

// The value, once it is certain that there is such a process.
ExpressionLowering::Value ExpressionLowering::spoken_by(ExprId process, Value value) {
  auto& exprs = program_.exprs;
  const ExprId asked = exprs.at_location(process, TemplateId(0), model::LocId(0));
  if (!may_fault(exprs, asked, model::NamedThreads::Exist)) return value;
  const ExprId exists = exprs.binary(Op::Eq, asked, asked, Type::boolean());
  const Type type = exprs[value.id].type;
  const ExprId never = exprs.constant(type.contains(0) ? 0 : type.lo(), type);
  return {exprs.ite(exists, value.id, never), value.of};
}

ExprId ExpressionLowering::is_in_mode(ExprId process, std::size_t mode, const Scope& scope) {
  auto& exprs = program_.exprs;
  if (scope.own_mode && exprs[process].op == Op::Self) return exprs.boolean(scope.own_mode->value == mode);
  const ExprId there = exprs.at_location(process, TemplateId(0), model::LocId(mode));
  if (!scope.arrived) return there;
  COHORT_EXPECT(scope.own_mode.has_value(), "who has arrived has arrived in a mode");
  return exprs.ite(exprs.binary(Op::Eq, process, exprs.self(), Type::boolean()),
                   exprs.boolean(scope.own_mode->value == mode), there);
}

ExpressionLowering::Value ExpressionLowering::mode_number(ExprId process, const Scope& scope) {
  auto& exprs = program_.exprs;
  COHORT_EXPECT(mode_count() > 0, "the modes are declared before anything speaks of them");
  const auto number = [&](std::size_t mode) {
    return exprs.constant(static_cast<model::Value>(mode), Type::integer());
  };
  if (scope.own_mode && exprs[process].op == Op::Self) return {number(scope.own_mode->value), Class::Number, process};
  ExprId value = number(mode_count() - 1);
  for (std::size_t mode = mode_count() - 1; mode-- > 0;) {
    value = exprs.ite(is_in_mode(process, mode, scope), number(mode), value);
  }
  // With a single mode nobody has been asked yet.
  if (mode_count() == 1) return spoken_by(process, {value, Class::Number});
  return {value, Class::Number, process};
}

ExpressionLowering::Value ExpressionLowering::lower_name(const Expression& expression, Scope& scope) {
  const auto bound = std::find(scope.bound.begin(), scope.bound.end(), expression.name);
  if (bound != scope.bound.end()) {
    if (!expression.args.empty()) {
      throw_malformed(expression.span, fmt::format("'{}' is a process and has no index", expression.name));
    }
    return {program_.exprs.bound_thread(static_cast<std::size_t>(bound - scope.bound.begin())), Class::Process};
  }
  if (expression.name == "mode") {
    const Value process =
        expression.args.empty() ? current_process(scope, expression.span) : lower(*expression.args[0], scope);
    return mode_number(to_process(process, expression.span), scope);
  }
  const Symbol& symbol = resolve(expression.name, expression.span);
  if (symbol.kind == Symbol::Kind::Local || symbol.kind == Symbol::Kind::Mode) {
    if (expression.args.empty() && symbol.kind == Symbol::Kind::Mode) {
      throw_malformed(expression.span, fmt::format("'{0}' is a mode: whose? write {0}[i]", expression.name));
    }
    const Value process =
        expression.args.empty() ? current_process(scope, expression.span) : lower(*expression.args[0], scope);
    const SourceSpan& span = expression.args.empty() ? expression.span : expression.args[0]->span;
    return lower_member(symbol, to_process(process, span), expression, scope);
  }
  if (!expression.args.empty()) {
    throw_malformed(expression.span, fmt::format("'{}' belongs to no process and has no index", expression.name));
  }
  if (symbol.kind == Symbol::Kind::Constant) {
    return {program_.exprs.constant(symbol.value, Type::integer()), Class::Number};
  }
  return {program_.exprs.shared(VarId(symbol.index), symbol.type),
          symbol.type.kind() == Type::Kind::ThreadRef ? Class::Process : Class::Number};
}

ExpressionLowering::Value ExpressionLowering::lower_member(const Symbol& symbol, ExprId process,
                                                           const Expression& expression, const Scope& scope) {
  auto& exprs = program_.exprs;
  if (symbol.kind == Symbol::Kind::Mode) return {is_in_mode(process, symbol.index, scope), Class::Truth};
  if (symbol.kind != Symbol::Kind::Local) {
    throw_malformed(expression.span, fmt::format("'{}' is not a local variable", expression.name));
  }
  const Class of = symbol.type.kind() == Type::Kind::ThreadRef ? Class::Process : Class::Number;
  if (exprs[process].op == Op::Self) return {exprs.local(VarId(symbol.index), symbol.type), of};
  return {exprs.remote(process, TemplateId(0), VarId(symbol.index), symbol.type), of};
}

ExpressionLowering::Value ExpressionLowering::lower_operator(const Expression& expression, Scope& scope) {
  auto& exprs = program_.exprs;
  const Expression& first = *expression.args[0];
  const bool compares = expression.args.size() == 2 && comparison(expression.name) != Op::Const;
  const Value left = compares ? lower_compared(first, scope) : lower(first, scope);
  if (expression.args.size() == 1) {
    if (expression.name == "-") {
      return {exprs.unary(Op::Neg, to_number(left, first.span), Type::integer()), Class::Number};
    }
    return {exprs.negate(to_truth(left, first.span)), Class::Truth};
  }
  const Expression& second = *expression.args[1];
  const Value right = compares ? lower_compared(second, scope) : lower(second, scope);
  if (compares) return lower_comparison(expression.name, first, left, second, right, scope);
  if (is_word(expression.name) || expression.name == "&&" || expression.name == "||" || expression.name == "=>") {
    return lower_connective(expression.name, to_truth(left, first.span), to_truth(right, second.span));
  }
  const ExprId one = to_number(left, first.span);
  const ExprId other = to_number(right, second.span);
  return {exprs.binary(arithmetic(expression.name), one, other, Type::integer()), Class::Number};
}

// Every operand is read once, and all are looked at, as with `and`.
ExpressionLowering::Value ExpressionLowering::lower_chain(const Expression& expression, Scope& scope) {
  COHORT_EXPECT(expression.args.size() == expression.signs.size() + 1, "a sign stands between each two operands");
  std::vector<Value> values;
  for (const ExpressionPtr& operand : expression.args) values.push_back(lower_compared(*operand, scope));
  ExprId all = program_.exprs.truth();
  for (std::size_t i = 0; i < expression.signs.size(); ++i) {
    const Value link = lower_comparison(expression.signs[i], *expression.args[i], values[i], *expression.args[i + 1],
                                        values[i + 1], scope);
    all = lower_connective("and", all, link.id).id;
  }
  return {all, Class::Truth};
}

// The name of a mode alone is its number beside `mode`, and nothing elsewhere.
ExpressionLowering::Value ExpressionLowering::lower_compared(const Expression& expression, Scope& scope) {
  const bool bound = std::find(scope.bound.begin(), scope.bound.end(), expression.name) != scope.bound.end();
  const Symbol* symbol =
      expression.kind == Expression::Kind::Name && expression.args.empty() && !bound ? find(expression.name) : nullptr;
  if (symbol == nullptr || symbol->kind != Symbol::Kind::Mode) return lower(expression, scope);
  return {.id = program_.exprs.constant(static_cast<model::Value>(symbol->index), Type::integer()), .mode_name = true};
}

// The mode of a process beside a number: the process is in one of the modes with such numbers.
std::optional<ExprId> ExpressionLowering::compare_modes(Op op, const Value& left, const Value& right,
                                                        const Scope& scope) {
  auto& exprs = program_.exprs;
  const Value& mode = left.mode_of ? left : right;
  const Value& number = left.mode_of ? right : left;
  if (!mode.mode_of || number.of != Class::Number || exprs[number.id].op != Op::Const) return std::nullopt;
  const model::Value limit = exprs[number.id].value;
  const auto holds = [&](model::Value one, model::Value other) {
    switch (op) {
      case Op::Eq: return one == other;
      case Op::Ne: return one != other;
      case Op::Lt: return one < other;
      case Op::Le: return one <= other;
      case Op::Gt: return one > other;
      case Op::Ge: return one >= other;
      default: COHORT_UNREACHABLE("a comparison");
    }
  };
  ExprId one_of = exprs.falsity();
  for (std::size_t i = 0; i < mode_count(); ++i) {
    const auto value = static_cast<model::Value>(i);
    if (!(left.mode_of ? holds(value, limit) : holds(limit, value))) continue;
    one_of = exprs.disj(one_of, is_in_mode(*mode.mode_of, i, scope));
  }
  // Where no mode has such a number, whose mode it is has not been asked yet.
  return exprs.is_false(one_of) ? spoken_by(*mode.mode_of, {one_of, Class::Truth}).id : one_of;
}

ExpressionLowering::Value ExpressionLowering::lower_comparison(const std::string& sign, const Expression& first_operand,
                                                               Value left, const Expression& second_operand,
                                                               Value right, const Scope& scope) {
  auto& exprs = program_.exprs;
  const Op op = comparison(sign);
  const SourceSpan& first = first_operand.span;
  const SourceSpan& second = second_operand.span;
  const auto expect_process = [](const Expression& operand, const Value& value, const Value& other) {
    if (value.mode_name && !other.mode_of) {
      throw_malformed(operand.span, fmt::format("'{0}' is a mode: whose? write {0}[i]", operand.name));
    }
  };
  expect_process(first_operand, left, right);
  expect_process(second_operand, right, left);
  if (const auto modes = compare_modes(op, left, right, scope)) return {*modes, Class::Truth};
  const auto result = [&](ExprId one, ExprId other) {
    return Value{exprs.binary(op, one, other, Type::boolean()), Class::Truth};
  };
  if (op == Op::Eq || op == Op::Ne) {
    const auto is_constant = [&](Value value) { return value.of == Class::Number && exprs[value.id].op == Op::Const; };
    if (left.of == Class::Truth && right.of == Class::Truth) return result(left.id, right.id);
    // A number that is written down beside a process is a process; one that is calculated is not.
    const bool processes = (left.of == Class::Process && (right.of == Class::Process || is_constant(right))) ||
                           (right.of == Class::Process && is_constant(left));
    if (processes) {
      const ExprId one = to_process(left, first);
      return result(one, to_process(right, second));
    }
  }
  const ExprId one = to_number(left, first);
  return result(one, to_number(right, second));
}

// The model's connectives stop where the first operand decides.  The paper's look at both; the second is written so
// that it is evaluated in either case, once it can fault at all.
ExpressionLowering::Value ExpressionLowering::lower_connective(const std::string& name, ExprId left, ExprId right) {
  auto& exprs = program_.exprs;
  // A process that is named or bound exists, and every process has every local.
  const bool strict = is_word(name) && may_fault(exprs, right, model::NamedThreads::Exist);
  if (name == "implies" || name == "=>") left = exprs.negate(left);
  const bool conjunction = name == "and" || name == "&&";
  if (!strict) {
    // A constant that decides does not keep the first operand from being looked at.
    const bool decides = conjunction ? exprs.is_false(right) : exprs.is_true(right);
    if (decides && may_fault(exprs, left, model::NamedThreads::Exist)) {
      return {exprs.ite(exprs.binary(Op::Eq, left, left, Type::boolean()), right, right), Class::Truth};
    }
    return {conjunction ? exprs.conj(left, right) : exprs.disj(left, right), Class::Truth};
  }
  const ExprId decided = exprs.binary(conjunction ? Op::Ne : Op::Eq, right, right, Type::boolean());
  return {conjunction ? exprs.ite(left, right, decided) : exprs.ite(left, decided, right), Class::Truth};
}

ExpressionLowering::Value ExpressionLowering::process_constant(model::Value number, const SourceSpan& span) {
  if (number < 0 || number > static_cast<model::Value>(processes_)) {
    if (processes_ == 0) throw_malformed(span, "where there is any number of processes, none can be named");
    throw_malformed(span, fmt::format("there is no process {}: they are numbered 1 to {}", number, processes_));
  }
  return {program_.exprs.constant(number, Type::thread_ref()), Class::Process};
}

ExprId ExpressionLowering::to_truth(Value value, const SourceSpan& span) const {
  if (value.of != Class::Truth) throw_malformed(span, "expected a condition, found a value");
  return value.id;
}

ExprId ExpressionLowering::to_number(Value value, const SourceSpan& span) {
  auto& exprs = program_.exprs;
  const Expr node = exprs[value.id];
  if (value.of == Class::Number) return value.id;
  if (node.op == Op::Const) return exprs.constant(node.value, Type::integer());
  if (value.of == Class::Truth) throw_malformed(span, "expected a value, found a condition");
  return exprs.unary(Op::Cast, value.id, Type::integer());
}

ExprId ExpressionLowering::to_process(Value value, const SourceSpan& span) {
  if (value.of == Class::Process) return value.id;
  if (value.of == Class::Truth) throw_malformed(span, "expected a process, found a condition");
  const Expr node = program_.exprs[value.id];
  if (node.op == Op::Const) return process_constant(node.value, span).id;
  return program_.exprs.unary(Op::Cast, value.id, Type::thread_ref());
}

}  // namespace cohort::frontend::red
