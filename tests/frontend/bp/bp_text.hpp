// What the tests of this folder share: programs from text, and syntax trees back to text with every parenthesis
// written.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <fmt/core.h>

#include "frontend/bp/ast.hpp"
#include "frontend/bp/parser.hpp"
#include "frontend/bp/resolve.hpp"

namespace cohort::frontend::bp {

inline SourceFilePtr source(std::string text) {
  return std::make_shared<const SourceFile>("t.bp", std::move(text));
}

inline Program parse_text(std::string text) {
  return parse(source(std::move(text)));
}

inline Program resolve_text(std::string text) {
  Program program = parse_text(std::move(text));
  resolve(program);
  return program;
}

// The body of `void main()` with `locals` declared, unresolved.
inline Block parse_body(const std::string& body) {
  return std::move(parse_text("void main() begin " + body + " end").procedures.front().body);
}

inline std::string joined(const std::vector<Expression>& operands, const std::string& sign);

inline std::string show(const Expression& expression) {
  switch (expression.kind) {
    case Expression::Kind::Constant: return expression.value ? "1" : "0";
    case Expression::Kind::Nondet: return "*";
    case Expression::Kind::Variable: return (expression.primed ? "'" : "") + expression.name;
    case Expression::Kind::Not: return "!" + show(expression.operands[0]);
    case Expression::Kind::And: return joined(expression.operands, " & ");
    case Expression::Kind::Or: return joined(expression.operands, " | ");
    case Expression::Kind::Xor: return joined(expression.operands, " ^ ");
    case Expression::Kind::Equal: return joined(expression.operands, " = ");
    case Expression::Kind::NotEqual: return joined(expression.operands, " != ");
    case Expression::Kind::Implies: return joined(expression.operands, " => ");
    case Expression::Kind::Conditional:
      return fmt::format("({} ? {} : {})", show(expression.operands[0]), show(expression.operands[1]),
                         show(expression.operands[2]));
    case Expression::Kind::Schoose:
      return fmt::format("schoose[{}, {}]", show(expression.operands[0]), show(expression.operands[1]));
  }
  return "?";
}

inline std::string joined(const std::vector<Expression>& operands, const std::string& sign) {
  std::string text = "(";
  for (const Expression& operand : operands) text += (text.size() > 1 ? sign : "") + show(operand);
  return text + ")";
}

}  // namespace cohort::frontend::bp
