// What parsers by recursive descent over `tokens.hpp` have in common: the place in the list of tokens, diagnostics
// there, limits on nesting, and expressions with C's operators by precedence climbing.
//
// Depth is counted in two ways: parentheses and blocks by the recursion itself, chains such as a + b + c, which nest to
// the left without recursion, by the depth of the tree.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/contract.hpp"
#include "frontend/tokens.hpp"
#include "model/expr.hpp"

namespace cohort::frontend {

class TokenReader {
 public:
  static constexpr std::size_t max_expression_depth = 400;
  static constexpr std::size_t max_block_depth = 200;

 protected:
  // Counts one level of a nesting as long as it lives.
  class Level {
   public:
    Level(const TokenReader& reader, std::size_t& depth, std::size_t limit, std::string_view what);
    ~Level() { --depth_; }
    Level(const Level&) = delete;
    Level& operator=(const Level&) = delete;

   private:
    std::size_t& depth_;
  };

  // The last token is the end of the file.
  TokenReader(SourceFilePtr file, std::vector<Token> tokens);

  Level block_level() { return {*this, block_depth_, max_block_depth, "blocks"}; }
  Level expression_level() { return {*this, expression_depth_, max_expression_depth, "expression"}; }

  const SourceFilePtr& file() const { return file_; }
  const Token& token() const { return tokens_[next_]; }
  const Token& peek() const { return tokens_[std::min(next_ + 1, tokens_.size() - 1)]; }
  std::size_t position() const { return next_; }
  bool at(std::string_view word) const { return token().is(word); }
  bool at_name() const { return token().kind == TokenKind::Name; }
  bool at_number() const { return token().kind == TokenKind::Number; }
  bool at_end() const { return token().kind == TokenKind::EndOfFile; }
  SourceSpan here() const { return {file_, token().line, token().column}; }

  void advance();
  bool accept(std::string_view word);
  void expect(std::string_view word, std::string_view where);
  [[noreturn]] void fail(std::string_view expected) const;

  // Statements up to a closing brace or the end; a semicolon alone is none.
  template <typename Block, typename Parse>
  Block read_statements(const Parse& parse_statement) {
    Block block;
    while (!at("}") && !at_end()) {
      const std::size_t before = next_;
      if (accept(";")) continue;
      block.push_back(parse_statement());
      COHORT_EXPECT(next_ > before, "a statement has at least one token");
    }
    return block;
  }
  // Statements in braces.
  template <typename Block, typename Parse>
  Block read_block(std::string_view where, const Parse& parse_statement) {
    const Level level = block_level();
    expect("{", where);
    Block block = read_statements<Block>(parse_statement);
    expect("}", "at the end of the block");
    return block;
  }

  // The token here, which is such as `what` says or a mistake.
  Name take(std::string_view what, bool is_such);
  Name take_name(std::string_view what) { return take(what, at_name()); }
  // A number of at most 64 bits, sign included.
  model::Value take_number();
  // The text from token number `first` to the last token taken.
  std::string text_since(std::size_t first) const;

  // "1 variable", "2 variables".
  static std::string count_of(std::size_t count, std::string_view what);
  [[noreturn]] static void throw_too_deep(const SourceSpan& span);

 private:
  SourceFilePtr file_;
  std::vector<Token> tokens_;
  std::size_t next_ = 0;
  std::size_t block_depth_ = 0;
  std::size_t expression_depth_ = 0;
};

struct BinaryOperator {
  std::string_view sign;
  model::Op op;
  int level;  // higher binds tighter
  bool groups_to_the_right = false;
};

// `Expression` is a node of a language's syntax tree: kind, span, op, value, operands, depth.
template <class Expression>
class ExpressionReader : public TokenReader {
 protected:
  using NodeKind = typename Expression::Kind;

  ExpressionReader(SourceFilePtr file, std::vector<Token> tokens, std::span<const BinaryOperator> operators)
      : TokenReader(std::move(file), std::move(tokens)), operators_(operators) {}
  ~ExpressionReader() = default;

  virtual Expression parse_operand() = 0;

  Expression parse_expression() {
    const Level level = expression_level();
    Expression condition = parse_binary(0);
    if (at("=")) throw_malformed(here(), "'=' assigns; values are compared by '=='");
    if (!accept("?")) return condition;
    Expression result = node(NodeKind::Conditional, condition.span);
    add_operand(result, std::move(condition));
    add_operand(result, parse_expression());
    expect(":", "between the two cases of '?'");
    add_operand(result, parse_expression());
    return result;
  }

  Expression parse_condition(std::string_view word) {
    expect("(", "after '" + std::string(word) + "'");
    Expression condition = parse_expression();
    expect(")", "after the condition");
    return condition;
  }

  // What all languages have: numbers, truth values, choices, parentheses.
  Expression parse_common_operand() {
    const SourceSpan span = here();
    if (at_number()) return parse_number();
    if (at("true") || at("false")) {
      Expression truth = node(NodeKind::Truth, span);
      truth.value = at("true") ? 1 : 0;
      advance();
      return truth;
    }
    if (accept("*")) return node(NodeKind::Any, span);
    if (!accept("(")) fail("an expression");
    Expression inner = parse_expression();
    expect(")", "to close the parenthesis");
    return inner;
  }

  Expression parse_number() {
    Expression number = node(NodeKind::Number, here());
    number.value = take_number();
    return number;
  }

  // Behind `!` and `-`.
  Expression parse_unary() {
    const Level level = expression_level();
    Expression result = node(NodeKind::Operation, here());
    result.op = at("!") ? model::Op::Not : model::Op::Neg;
    advance();
    add_operand(result, parse_operand());
    return result;
  }

  static Expression node(NodeKind kind, const SourceSpan& span) {
    Expression expression;
    expression.kind = kind;
    expression.span = span;
    return expression;
  }

  static void add_operand(Expression& parent, Expression operand) {
    parent.depth = std::max(parent.depth, operand.depth + 1);
    if (parent.depth > max_expression_depth) throw_too_deep(operand.span);
    parent.operands.push_back(std::move(operand));
  }

 private:
  const BinaryOperator* operator_here() const {
    const auto found = std::find_if(operators_.begin(), operators_.end(),
                                    [this](const BinaryOperator& entry) { return at(entry.sign); });
    return found == operators_.end() ? nullptr : &*found;
  }

  Expression parse_binary(int lowest) {
    Expression left = parse_operand();
    while (const BinaryOperator* op = operator_here()) {
      if (op->level < lowest) break;
      advance();
      Expression result = node(NodeKind::Operation, left.span);
      result.op = op->op;
      add_operand(result, std::move(left));
      add_operand(result, parse_right_side(*op));
      left = std::move(result);
    }
    return left;
  }

  // What groups to the right can nest without end; the others climb at most to the tightest level.
  Expression parse_right_side(const BinaryOperator& op) {
    if (!op.groups_to_the_right) return parse_binary(op.level + 1);
    const Level level = expression_level();
    return parse_binary(op.level);
  }

  std::span<const BinaryOperator> operators_;
};

}  // namespace cohort::frontend
