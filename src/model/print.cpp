#include "model/print.hpp"

#include <fmt/core.h>
#include <fmt/format.h>

#include <string_view>
#include <utility>
#include <vector>

#include "base/contract.hpp"

namespace cohort::model {

namespace {

// How tightly an operator binds; a higher number binds tighter.
constexpr int loosest = 0;
constexpr int unary_level = 13;

struct Infix {
  std::string_view text;
  int level;
};

Infix infix_of(Op op) {
  switch (op) {
    case Op::Implies: return {"=>", 2};
    case Op::Or: return {"||", 3};
    case Op::And: return {"&&", 4};
    case Op::BitOr: return {"|", 5};
    case Op::Xor:
    case Op::BitXor: return {"^", 6};
    case Op::BitAnd: return {"&", 7};
    case Op::Eq: return {"==", 8};
    case Op::Ne: return {"!=", 8};
    case Op::Lt: return {"<", 9};
    case Op::Le: return {"<=", 9};
    case Op::Gt: return {">", 9};
    case Op::Ge: return {">=", 9};
    case Op::Shl: return {"<<", 10};
    case Op::Shr: return {">>", 10};
    case Op::Add: return {"+", 11};
    case Op::Sub: return {"-", 11};
    case Op::Mul: return {"*", 12};
    case Op::Div: return {"/", 12};
    case Op::Mod: return {"%", 12};
    default: COHORT_UNREACHABLE("an operator with two operands");
  }
}

class ExprPrinter {
 public:
  ExprPrinter(const Program& program, const Template* templ) : program_(program), templ_(templ) {}

  std::string print(ExprId id, int level = loosest) {
    const Expr& node = program_.exprs[id];
    switch (node.op) {
      case Op::Const: return constant(node);
      case Op::Nondet: return "*";
      case Op::SharedVar: return prime(node) + program_.shared[node.var.value].name + index(node, 0);
      case Op::LocalVar: return prime(node) + local(node) + index(node, 0);
      case Op::PassiveVar: return prime(node) + passive(node) + index(node, 0);
      case Op::RemoteVar:
        return fmt::format("{}->{}{}", print(node.args[0], unary_level),
                           program_.templ(node.templ).local(node.var).name, index(node, 1));
      case Op::Self: return "self";
      case Op::BoundThread: return fmt::format("t{}", node.value);
      case Op::AtLocation:
        return fmt::format("at({}, {} {})", print(node.args[0]), program_.templ(node.templ).name, node.value);
      case Op::ForallThread:
      case Op::ExistsThread: return quantifier(node);
      case Op::Not: return fmt::format("!{}", print(node.args[0], unary_level));
      case Op::Neg: return fmt::format("-{}", print(node.args[0], unary_level));
      case Op::BitNot: return fmt::format("~{}", print(node.args[0], unary_level));
      case Op::Cast: return fmt::format("{}({})", to_string(node.type), print(node.args[0]));
      case Op::Ite:
        return enclose(
            fmt::format("{} ? {} : {}", print(node.args[0], 2), print(node.args[1], 1), print(node.args[2], 1)), 1,
            level);
      default: return binary(node, level);
    }
  }

 private:
  static std::string enclose(const std::string& text, int own, int outer) {
    return own < outer ? fmt::format("({})", text) : text;
  }

  static std::string constant(const Expr& node) {
    if (node.type.is_bool()) return node.value != 0 ? "true" : "false";
    if (node.type.kind() == Type::Kind::ThreadRef && node.value == 0) return "NULL";
    return node.value < 0 ? fmt::format("({})", node.value) : fmt::format("{}", node.value);
  }

  static std::string prime(const Expr& node) { return node.primed ? "'" : ""; }

  const std::string& local(const Expr& node) const {
    COHORT_EXPECT(templ_ != nullptr, "a local variable belongs to a thread");
    return templ_->local(node.var).name;
  }

  // `x$` of the own template, `x$f` of another one; `x$$` of a second thread.
  std::string passive(const Expr& node) const {
    const Template& owner = program_.templ(node.templ);
    return fmt::format("{}{:$<{}}{}", owner.local(node.var).name, "", node.value + 1,
                       templ_ == nullptr || templ_->name == owner.name ? "" : owner.name);
  }

  std::string index(const Expr& node, std::size_t at) {
    return node.args.size() > at ? fmt::format("[{}]", print(node.args[at])) : "";
  }

  std::string quantifier(const Expr& node) {
    const std::size_t number = depth_++;
    std::string body = print(node.args[0]);
    --depth_;
    return fmt::format("({} t{}: {})", node.op == Op::ForallThread ? "forall" : "exists", number, body);
  }

  std::string binary(const Expr& node, int level) {
    const Infix infix = infix_of(node.op);
    // And, or and the like associate, so only the side that would read differently gets its own brackets.
    const bool associative = node.op == Op::And || node.op == Op::Or || node.op == Op::Xor;
    const bool to_the_right = node.op == Op::Implies;
    const std::string left = print(node.args[0], to_the_right ? infix.level + 1 : infix.level);
    const std::string right = print(node.args[1], to_the_right || associative ? infix.level : infix.level + 1);
    return enclose(fmt::format("{} {} {}", left, infix.text, right), infix.level, level);
  }

  const Program& program_;
  const Template* templ_;
  std::size_t depth_ = 0;
};

std::string place(const Template& templ, LocId location) {
  const std::string& label = templ.locations[location.value].label;
  return label.empty() ? fmt::format("{}", location.value) : fmt::format("{}:{}", location.value, label);
}

std::string place(const Program& program, TemplateId templ, LocId location) {
  return fmt::format("{} {}", program.templ(templ).name, place(program.templ(templ), location));
}

std::string assignments(const Program& program, const Template& owner, const Template& reader,
                        const std::vector<Assign>& assigns) {
  std::vector<std::string> targets;
  std::vector<std::string> values;
  for (const Assign& assign : assigns) {
    // The new thread's locals are named in its own template, the values in the creator's; an index is the creator's
    // too.
    const bool local = assign.target.kind == LValue::Kind::Local;
    std::string target = local ? owner.local(assign.target.var).name : to_string(program, reader, assign.target);
    if (local && assign.target.index) target += fmt::format("[{}]", to_string(program, &reader, *assign.target.index));
    targets.push_back(std::move(target));
    values.push_back(to_string(program, &reader, assign.value));
  }
  return fmt::format("{} := {}", fmt::join(targets, ", "), fmt::join(values, ", "));
}

std::string spawn_text(const Program& program, const Template& templ, const Spawn& spawn) {
  std::string text = "spawn " + place(program, spawn.templ, spawn.location);
  if (spawn.copies_locals) text += " copy";
  if (spawn.locals.empty()) return text;
  return text + " with " + assignments(program, program.templ(spawn.templ), templ, spawn.locals);
}

std::string call_text(const Program& program, const Template& templ, const Call& call) {
  std::vector<std::string> results;
  for (const auto& result : call.results) results.push_back(result ? to_string(program, templ, *result) : "_");
  std::vector<std::string> args;
  for (const ExprId arg : call.args) args.push_back(to_string(program, &templ, arg));
  const std::string head = results.empty() ? "call " : fmt::format("call {} := ", fmt::join(results, ", "));
  return fmt::format("{}{}({})", head, program.templ(call.callee).name, fmt::join(args, ", "));
}

std::string variable_text(const Variable& variable) {
  std::string text = fmt::format("{}: {}", variable.name, to_string(variable.type));
  if (!variable.initial.empty()) text += fmt::format(" = {}", fmt::join(variable.initial, ", "));
  return text;
}

std::string property_text(const Program& program, const Property& property) {
  switch (property.kind) {
    case Property::Kind::Assertion: return "assertion " + property.text;
    case Property::Kind::ErrorLabel: return "error label " + property.text;
    case Property::Kind::Condition: return "never " + to_string(program, nullptr, *property.condition);
    case Property::Kind::Fault: return "no fault";
    case Property::Kind::Cut: return "not modelled: " + property.text;
    case Property::Kind::Deadlock: return "no deadlock";
    case Property::Kind::Cover: break;
  }
  std::vector<std::string> parts;
  if (property.condition) parts.push_back(to_string(program, nullptr, *property.condition));
  for (const auto& [templ, location] : property.threads) parts.push_back(place(program, templ, location));
  return fmt::format("never cover {}", fmt::join(parts, ", "));
}

std::string template_text(const Program& program, const Template& templ) {
  std::vector<std::string> params;
  for (const VarId param : templ.params) params.push_back(templ.local(param).name);
  std::string text = fmt::format("template {}({})", templ.name, fmt::join(params, ", "));
  if (templ.result_count != 0) text += fmt::format(" results {}", templ.result_count);
  text += fmt::format(" entry {}\n", place(templ, templ.entry));
  for (const Variable& variable : templ.locals) text += fmt::format("  local {}\n", variable_text(variable));
  for (std::size_t i = 0; i < templ.locations.size(); ++i) {
    const auto& error = templ.locations[i].error;
    if (error) text += fmt::format("  error {} property {}\n", place(templ, LocId(i)), error->value);
  }
  for (const Edge& edge : templ.edges) text += fmt::format("  {}\n", to_string(program, templ, edge));
  return text;
}

}  // namespace

std::string to_string(const Program& program, const Template* templ, ExprId id) {
  return ExprPrinter(program, templ).print(id);
}

std::string to_string(const Program& program, const Template& templ, const LValue& target) {
  const bool remote = target.kind == LValue::Kind::Remote;
  COHORT_EXPECT(remote == target.ref.has_value(), "a remote target, and only that, goes through a reference");
  const bool passive = target.kind == LValue::Kind::Passive;
  const auto& variables = target.kind == LValue::Kind::Shared ? program.shared
                          : remote || passive                 ? program.templ(target.templ).locals
                                                              : templ.locals;
  std::string text = variables[target.var.value].name;
  if (remote) text = ExprPrinter(program, &templ).print(*target.ref, unary_level) + "->" + text;
  if (passive) text += "$";
  if (passive && program.templ(target.templ).name != templ.name) text += program.templ(target.templ).name;
  if (target.index) text += fmt::format("[{}]", to_string(program, &templ, *target.index));
  return text;
}

std::string to_string(const Program& program, const Template& templ, const Action& action) {
  std::vector<std::string> parts;
  if (action.guard) parts.push_back(fmt::format("[{}]", to_string(program, &templ, *action.guard)));
  if (!action.assigns.empty()) parts.push_back(assignments(program, templ, templ, action.assigns));
  for (const ExprId conjunct : action.constraint) {
    parts.push_back(fmt::format("constrain {}", to_string(program, &templ, conjunct)));
  }
  for (const Take& take : action.takes) {
    const std::string to = take.to ? place(program.templ(take.templ), *take.to) : "end";
    parts.push_back(fmt::format("take {} -> {}", place(program, take.templ, take.from), to));
  }
  for (const PassiveMove& move : action.moves) {
    parts.push_back(
        fmt::format("move {} -> {}", place(program, move.templ, move.from), place(program.templ(move.templ), move.to)));
  }
  for (const Spawn& spawn : action.spawns) parts.push_back(spawn_text(program, templ, spawn));
  if (action.call) parts.push_back(call_text(program, templ, *action.call));
  if (action.ret) {
    std::vector<std::string> values;
    for (const ExprId value : action.ret->values) values.push_back(to_string(program, &templ, value));
    parts.push_back(values.empty() ? "return" : fmt::format("return {}", fmt::join(values, ", ")));
  }
  if (action.atomic != AtomicChange::None) {
    parts.emplace_back(action.atomic == AtomicChange::Enter ? "atomic_begin" : "atomic_end");
  }
  if (action.ends_thread) parts.emplace_back("end_thread");
  return parts.empty() ? "skip" : fmt::format("{}", fmt::join(parts, " "));
}

std::string to_string(const Program& program, const Template& templ, const Edge& edge) {
  std::vector<std::string> actions;
  for (const Action& action : edge.actions) actions.push_back(to_string(program, templ, action));
  return fmt::format("{} -> {}: {}", place(templ, edge.source), place(templ, edge.target), fmt::join(actions, "; "));
}

std::string to_string(const Program& program) {
  std::string text = fmt::format("program {}\n", program.name);
  for (const Variable& variable : program.shared) text += fmt::format("shared {}\n", variable_text(variable));
  for (const InitialThreads& group : program.initial) {
    const std::string count = group.count ? fmt::format("{}", *group.count) : "any number of";
    text += fmt::format("initially {} {}\n", count, place(program, group.templ, group.location));
  }
  if (program.initial_condition)
    text += fmt::format("assume {}\n", to_string(program, nullptr, *program.initial_condition));
  for (std::size_t i = 0; i < program.properties.size(); ++i) {
    text += fmt::format("property {}: {}\n", i, property_text(program, program.properties[i]));
  }
  for (const Template& templ : program.templates) text += template_text(program, templ);
  return text;
}

}  // namespace cohort::model
