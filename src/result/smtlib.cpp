#include "result/smtlib.hpp"

#include <fmt/core.h>

#include "base/contract.hpp"

namespace cohort::result {

using model::Expr;
using model::ExprId;
using model::Op;
using model::Type;
using model::Value;

namespace {

constexpr const char* word = "(_ BitVec 64)";

std::string wrapped(const Type& type, const std::string& term) {
  if (type.kind() != Type::Kind::Int || type.width() == 64) return term;
  return fmt::format("((_ {} {}) ((_ extract {} 0) {}))", type.is_signed() ? "sign_extend" : "zero_extend",
                     64 - type.width(), type.width() - 1, term);
}

// Of two conditions of which "false" is the usual one.
std::string either(const std::string& one, const std::string& other) {
  if (one == "false") return other;
  if (other == "false") return one;
  return fmt::format("(or {} {})", one, other);
}

std::string when(const std::string& condition, const std::string& trouble) {
  return trouble == "false" ? trouble : fmt::format("(and {} {})", condition, trouble);
}

}  // namespace

std::string SmtLib::literal(Value value) {
  return fmt::format("#x{:016x}", static_cast<std::uint64_t>(value));
}

std::string SmtLib::in_type(const std::string& name, const Type& type) {
  switch (type.kind()) {
    case Type::Kind::Bool: return fmt::format("(or (= {0} {1}) (= {0} {2}))", name, literal(0), literal(1));
    case Type::Kind::Int: return fmt::format("(= {} {})", name, wrapped(type.element(), name));
    case Type::Kind::Range:
      return fmt::format("(and (bvsle {1} {0}) (bvsle {0} {2}))", name, literal(type.lo()), literal(type.hi()));
    case Type::Kind::Integer: return "true";
    case Type::Kind::ThreadRef: break;
  }
  COHORT_UNREACHABLE("commands have no references to threads");
}

std::string SmtLib::shared_name(std::size_t slot) {
  return fmt::format("g{}", slot);
}

std::string SmtLib::local_name(std::size_t thread, std::size_t slot) {
  return fmt::format("t{}.{}", thread, slot);
}

void SmtLib::declare(const std::string& name) {
  if (declared_.insert(name).second) text_ += fmt::format("(declare-const {} {})\n", name, word);
}

std::string SmtLib::define(const char* sort, const std::string& term) {
  if (inlined_ || term.find(' ') == std::string::npos) return term;
  std::string name = fmt::format("n{}", names_++);
  text_ += fmt::format("(define-fun {} () {} {})\n", name, sort, term);
  return name;
}

std::vector<std::string> SmtLib::shared() {
  std::vector<std::string> names;
  for (std::size_t slot = 0; slot < commands_.program().shared_slots(); ++slot) {
    names.push_back(shared_name(slot));
    declare(names.back());
  }
  return names;
}

std::vector<std::string> SmtLib::locals(std::size_t thread, model::TemplateId templ) {
  std::vector<std::string> names;
  for (std::size_t slot = 0; slot < commands_.program().templ(templ).local_slots(); ++slot) {
    names.push_back(local_name(thread, slot));
    declare(names.back());
  }
  return names;
}

const SmtLib::Named& SmtLib::node(const Scope& scope, ExprId id) {
  const auto it = nodes_.find({scope, id});
  if (it != nodes_.end()) return it->second;
  const Expr& expr = commands_.program().exprs[id];
  Named made = make(scope, expr, id);
  made.value = define(expr.type.is_bool() ? "Bool" : word, made.value);
  made.fault = define("Bool", made.fault);
  made.overflow = define("Bool", made.overflow);
  return nodes_.emplace(std::pair(scope, id), std::move(made)).first->second;
}

std::string SmtLib::number(const Scope& scope, ExprId id) {
  const std::string& value = node(scope, id).value;
  if (!commands_.program().exprs[id].type.is_bool()) return value;
  return fmt::format("(ite {} {} {})", value, literal(1), literal(0));
}

SmtLib::Named SmtLib::make(const Scope& scope, const Expr& expr, ExprId id) {
  const auto as_typed = [&](const std::string& bits) {
    return expr.type.is_bool() ? fmt::format("(= {} {})", bits, literal(1)) : bits;
  };
  switch (expr.op) {
    case Op::Const:
      return {expr.type.is_bool() ? (expr.value != 0 ? "true" : "false") : literal(expr.value), "false", "false"};
    case Op::Nondet: {
      const std::string name = fmt::format("c{}.{}.{}", id.value, scope.self, scope.passive);
      declare(name);
      text_ += fmt::format("(assert {})\n", in_type(name, expr.type));
      return {as_typed(name), "false", "false"};
    }
    case Op::SharedVar:
    case Op::LocalVar:
    case Op::PassiveVar: {
      Named read = variable(scope, expr);
      read.value = as_typed(read.value);
      return read;
    }
    case Op::Not:
    case Op::Neg:
    case Op::BitNot:
    case Op::Cast: return unary(scope, expr);
    case Op::And:
    case Op::Or:
    case Op::Implies: return connective(scope, expr);
    case Op::Ite: {
      const Named condition = node(scope, expr.args[0]);
      const Named then = node(scope, expr.args[1]);
      const Named otherwise = node(scope, expr.args[2]);
      const std::string other = fmt::format("(not {})", condition.value);
      return {
          fmt::format("(ite {} {} {})", condition.value, then.value, otherwise.value),
          either(condition.fault, either(when(condition.value, then.fault), when(other, otherwise.fault))),
          either(condition.overflow, either(when(condition.value, then.overflow), when(other, otherwise.overflow)))};
    }
    default: return binary(scope, expr);
  }
}

SmtLib::Named SmtLib::variable(const Scope& scope, const Expr& expr) {
  const model::Program& program = commands_.program();
  const bool is_shared = expr.op == Op::SharedVar;
  COHORT_EXPECT(!expr.primed, "commands speak of the state before the step");
  const model::Variable& variable =
      is_shared ? program.shared[expr.var.value] : program.templ(scope.templ).local(expr.var);
  COHORT_EXPECT(expr.op == Op::SharedVar || expr.op == Op::LocalVar || expr.op == Op::PassiveVar, "a variable is read");
  const std::size_t thread = expr.op == Op::PassiveVar ? scope.passive : scope.self;
  const auto slot = [&](std::size_t element) {
    std::string name = is_shared ? shared_name(variable.slot + element) : local_name(thread, variable.slot + element);
    declare(name);
    return name;
  };
  if (!variable.type.is_array()) return {slot(0), "false", "false"};
  const Named index = node(scope, expr.args[0]);
  const Value size = variable.type.array_size();
  COHORT_EXPECT(size > 0 && expr.args.size() == 1, "an array has elements, and one of them is meant");
  std::string value = slot(static_cast<std::size_t>(size - 1));
  for (Value i = size - 1; i-- > 0;) {
    value = fmt::format("(ite (= {} {}) {} {})", index.value, literal(i), slot(static_cast<std::size_t>(i)), value);
  }
  const std::string inside = in_type(index.value, Type::range(0, size - 1));
  return {value, either(index.fault, fmt::format("(not {})", inside)), index.overflow};
}

SmtLib::Named SmtLib::connective(const Scope& scope, const Expr& expr) {
  COHORT_EXPECT(expr.args.size() == 2, "a connective has two operands");
  const Named left = node(scope, expr.args[0]);
  const Named right = node(scope, expr.args[1]);
  const std::string open = expr.op == Op::Or ? fmt::format("(not {})", left.value) : left.value;
  const char* op = expr.op == Op::And ? "and" : (expr.op == Op::Or ? "or" : "=>");
  return {fmt::format("({} {} {})", op, left.value, right.value), either(left.fault, when(open, right.fault)),
          either(left.overflow, when(open, right.overflow))};
}

SmtLib::Named SmtLib::unary(const Scope& scope, const Expr& expr) {
  COHORT_EXPECT(expr.args.size() == 1, "the operator has one operand");
  const Named operand = node(scope, expr.args[0]);
  Named result = operand;
  if (expr.op == Op::Not) {
    result.value = fmt::format("(not {})", operand.value);
    return result;
  }
  const std::string bits = number(scope, expr.args[0]);
  switch (expr.op) {
    case Op::BitNot: result.value = wrapped(expr.type, fmt::format("(bvnot {})", bits)); break;
    case Op::Cast:
      COHORT_EXPECT(!expr.type.is_bool(), "casts make numbers");
      result.value = wrapped(expr.type, bits);
      break;
    default:
      result.value = wrapped(expr.type, fmt::format("(bvneg {})", bits));
      if (expr.type.kind() != Type::Kind::Int) {
        result.overflow = either(operand.overflow, fmt::format("(= {} {})", bits, literal(INT64_MIN)));
      }
  }
  return result;
}

// The exact result leaves 64 bits where more of them give another number.
SmtLib::Named SmtLib::arithmetic(const Expr& expr, const std::string& left, const std::string& right) {
  const bool exact = expr.type.kind() != Type::Kind::Int;
  const auto result = [&](const char* op, unsigned more) -> Named {
    const std::string plain = fmt::format("({} {} {})", op, left, right);
    if (!exact) return {wrapped(expr.type, plain), "false", "false"};
    return {plain, "false",
            fmt::format("(not (= ((_ sign_extend {0}) {1}) ({2} ((_ sign_extend {0}) {3}) ((_ sign_extend {0}) {4}))))",
                        more, plain, op, left, right)};
  };
  const std::string zero = fmt::format("(= {} {})", right, literal(0));
  switch (expr.op) {
    case Op::Add: return result("bvadd", 1);
    case Op::Sub: return result("bvsub", 1);
    case Op::Mul: return result("bvmul", 64);
    case Op::Div: {
      Named quotient{wrapped(expr.type, fmt::format("(bvsdiv {} {})", left, right)), zero, "false"};
      if (exact) {
        quotient.overflow = fmt::format("(and (= {} {}) (= {} {}))", left, literal(INT64_MIN), right, literal(-1));
      }
      return quotient;
    }
    case Op::Mod: return {wrapped(expr.type, fmt::format("(bvsrem {} {})", left, right)), zero, "false"};
    default: COHORT_UNREACHABLE("an arithmetic operator");
  }
}

SmtLib::Named SmtLib::binary(const Scope& scope, const Expr& expr) {
  COHORT_EXPECT(expr.args.size() == 2, "the operator has two operands");
  const Named left = node(scope, expr.args[0]);
  const Named right = node(scope, expr.args[1]);
  const std::string a = number(scope, expr.args[0]);
  const std::string b = number(scope, expr.args[1]);
  Named result;
  const auto bits = [&](const char* op) { return wrapped(expr.type, fmt::format("({} {} {})", op, a, b)); };
  const auto plain = [&](const std::string& value) { result = {value, "false", "false"}; };
  switch (expr.op) {
    case Op::Eq: plain(fmt::format("(= {} {})", a, b)); break;
    case Op::Ne:
    case Op::Xor: plain(fmt::format("(not (= {} {}))", a, b)); break;
    case Op::Lt: plain(fmt::format("(bvslt {} {})", a, b)); break;
    case Op::Le: plain(fmt::format("(bvsle {} {})", a, b)); break;
    case Op::Gt: plain(fmt::format("(bvslt {} {})", b, a)); break;
    case Op::Ge: plain(fmt::format("(bvsle {} {})", b, a)); break;
    case Op::BitAnd: plain(bits("bvand")); break;
    case Op::BitOr: plain(bits("bvor")); break;
    case Op::BitXor: plain(bits("bvxor")); break;
    case Op::Shl:
    case Op::Shr: {
      const Value width = expr.type.kind() == Type::Kind::Int ? static_cast<Value>(expr.type.width()) : 64;
      result = {bits(expr.op == Op::Shl ? "bvshl" : "bvashr"),
                fmt::format("(not {})", in_type(b, Type::range(0, width - 1))), "false"};
      break;
    }
    default: result = arithmetic(expr, a, b);
  }
  result.fault = either(either(left.fault, right.fault), result.fault);
  result.overflow = either(either(left.overflow, right.overflow), result.overflow);
  return result;
}

void SmtLib::store(const Scope& scope, const model::Assign& assign, const model::Variable& variable,
                   std::vector<std::string>& values) {
  const std::string value = define(word, wrapped(variable.type.element(), number(scope, assign.value)));
  if (!assign.target.index) {
    values[variable.slot] = value;
    return;
  }
  const std::string index = node(scope, *assign.target.index).value;
  for (std::uint32_t element = 0; element < variable.type.slots(); ++element) {
    std::string& slot = values[variable.slot + element];
    slot = define(word, fmt::format("(ite (= {} {}) {} {})", index, literal(element), value, slot));
  }
}

SmtLibStep SmtLib::step(const model::Command& command) {
  const model::Program& program = commands_.program();
  const Scope scope{command.edge.templ, 0, 0};
  SmtLibStep result;
  result.shared = shared();
  result.self = locals(0, command.edge.templ);
  std::string fault = "false";
  std::string overflow = "false";
  for (const model::Evaluation& evaluation : command.evaluations) {
    const std::string reached = node(scope, evaluation.when).value;
    const Named what = node(scope, evaluation.what);
    std::string wrong = what.fault;
    if (evaluation.kept) wrong = either(wrong, fmt::format("(not {})", in_type(what.value, *evaluation.kept)));
    fault = define("Bool", either(fault, when(reached, wrong)));
    overflow = define("Bool", either(overflow, when(reached, what.overflow)));
  }
  const std::string guard = node(scope, command.guard).value;
  const std::vector<std::string> before = result.self;
  for (const model::Assign& assign : command.assigns) {
    const bool is_shared = assign.target.kind == model::LValue::Kind::Shared;
    const model::Variable& variable = is_shared ? program.shared[assign.target.var.value]
                                                : program.templ(command.edge.templ).local(assign.target.var);
    store(scope, assign, variable, is_shared ? result.shared : result.self);
  }
  for (const model::CommandChild& child : command.children) {
    const model::Template& templ = program.templ(commands_.place(child.place).templ);
    std::vector<std::string> values = before;
    if (!child.copies_locals) {
      values.clear();
      for (const model::Variable& variable : templ.locals) {
        for (std::uint32_t i = 0; i < variable.type.slots(); ++i) {
          if (!variable.initial.empty()) {
            values.push_back(literal(variable.initial[variable.initial.size() == 1 ? 0 : i]));
            continue;
          }
          values.push_back(fmt::format("f{}", names_++));
          declare(values.back());
          text_ += fmt::format("(assert {})\n", in_type(values.back(), variable.type.element()));
        }
      }
    }
    for (const model::Assign& assign : child.assigns) {
      store(scope, assign, templ.local(assign.target.var), values);
    }
    result.children.push_back(std::move(values));
  }
  result.overflow = define("Bool", overflow);
  result.fault = define("Bool", either(fault, overflow));
  result.enabled = define("Bool", fmt::format("(and {} (not {}))", guard, result.fault));
  return result;
}

SmtLibPassive SmtLib::passive(const model::Command& command, std::size_t thread) {
  const Scope scope{command.edge.templ, 0, thread};
  SmtLibPassive result{"true", locals(thread, command.edge.templ)};
  for (const ExprId conjunct : command.passive_conjuncts) {
    result.possible = fmt::format("(and {} {})", result.possible, node(scope, conjunct).value);
  }
  result.possible = define("Bool", result.possible);
  for (const model::Assign& assign : command.passive_assigns) {
    store(scope, assign, commands_.program().templ(command.edge.templ).local(assign.target.var), result.locals);
  }
  return result;
}

std::string SmtLib::condition(ExprId expr, std::size_t thread, model::TemplateId templ) {
  return node({templ, thread, 0}, expr).value;
}

std::string SmtLib::trouble(ExprId expr, std::size_t thread, model::TemplateId templ) {
  const Named named = node({templ, thread, 0}, expr);
  return either(named.fault, named.overflow);
}

}  // namespace cohort::result
