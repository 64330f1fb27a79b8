// The edges of a lowered program as text, one line each:
//   main: 0 -> 1 `x := *` x := *
// after the statement come the guard in brackets, the assignments, the constraint and the effects.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include <fmt/core.h>

#include "model/program.hpp"

namespace cohort::frontend::bp {

class ModelText {
 public:
  explicit ModelText(const model::Program& program) : program_(program) {}

  // The edges of one template.
  std::vector<std::string> edges(const std::string& name) const {
    std::vector<std::string> lines;
    for (const model::Template& templ : program_.templates) {
      if (templ.name != name) continue;
      for (const model::Edge& edge : templ.edges) lines.push_back(show(templ, edge));
    }
    return lines;
  }

  std::string show(const model::Template& templ, model::ExprId id) const {
    const model::Expr& node = program_.exprs[id];
    const std::string prime = node.primed ? "'" : "";
    const auto arg = [&](std::size_t i) { return show(templ, node.args.at(i)); };
    const auto infix = [&](const char* sign) { return fmt::format("({}{}{})", arg(0), sign, arg(1)); };
    switch (node.op) {
      case model::Op::Const: return std::to_string(node.value);
      case model::Op::Nondet: return "*";
      case model::Op::SharedVar: return prime + program_.shared.at(node.var.value).name;
      case model::Op::LocalVar: return prime + templ.locals.at(node.var.value).name;
      case model::Op::PassiveVar: return prime + templ.locals.at(node.var.value).name + "$";
      case model::Op::Not: return fmt::format("!{}", arg(0));
      case model::Op::And: return infix(" & ");
      case model::Op::Or: return infix(" | ");
      case model::Op::Xor: return infix(" ^ ");
      case model::Op::Eq: return infix(" = ");
      case model::Op::Ne: return infix(" != ");
      case model::Op::Ite: return fmt::format("({} ? {} : {})", arg(0), arg(1), arg(2));
      default: return "<other>";
    }
  }

 private:
  std::string show(const model::Template& templ, const model::LValue& target) const {
    if (target.kind == model::LValue::Kind::Shared) return program_.shared.at(target.var.value).name;
    return templ.locals.at(target.var.value).name + (target.kind == model::LValue::Kind::Passive ? "$" : "");
  }

  std::string show(const model::Template& templ, const model::Edge& edge) const {
    std::string text = fmt::format("{} -> {}", edge.source.value, edge.target.value);
    for (const model::Action& action : edge.actions) text += show(templ, action);
    return text;
  }

  std::string show(const model::Template& templ, const model::Action& action) const {
    std::string text = fmt::format(" `{}`", action.text);
    if (action.guard) text += fmt::format(" [{}]", show(templ, *action.guard));
    for (const model::Assign& assign : action.assigns) text += fmt::format(" {}", show(templ, assign));
    for (const model::ExprId conjunct : action.constraint) text += fmt::format(" constrain {}", show(templ, conjunct));
    if (action.atomic == model::AtomicChange::Enter) text += " enter";
    if (action.atomic == model::AtomicChange::Exit) text += " exit";
    if (action.ends_thread) text += " ends";
    for (const model::Spawn& spawn : action.spawns) text += show(templ, spawn);
    if (action.call) text += show(templ, *action.call);
    if (action.ret) {
      text += " return";
      for (const model::ExprId value : action.ret->values) text += fmt::format(" {}", show(templ, value));
    }
    return text;
  }

  std::string show(const model::Template& templ, const model::Assign& assign) const {
    return fmt::format("{} := {}", show(templ, assign.target), show(templ, assign.value));
  }

  std::string show(const model::Template& templ, const model::Spawn& spawn) const {
    const model::Template& child = program_.templ(spawn.templ);
    std::string text =
        fmt::format(" {} {}@{}", spawn.copies_locals ? "clone" : "spawn", child.name, spawn.location.value);
    for (const model::Assign& assign : spawn.locals) {
      text += fmt::format(" {}={}", child.locals.at(assign.target.var.value).name, show(templ, assign.value));
    }
    return text;
  }

  std::string show(const model::Template& templ, const model::Call& call) const {
    std::string text = " call " + program_.templ(call.callee).name;
    for (const model::ExprId argument : call.args) text += fmt::format(" {}", show(templ, argument));
    for (const auto& result : call.results) text += fmt::format(" >{}", result ? show(templ, *result) : "_");
    return text;
  }

  const model::Program& program_;
};

}  // namespace cohort::frontend::bp
