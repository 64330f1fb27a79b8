// Recursive descent, with precedence climbing for operators.  Depth is counted in two ways: parentheses and blocks by
// the recursion itself, chains such as a + b + c, which nest to the left without recursion, by the depth of the tree.
#include "frontend/scpl/parser.hpp"

#include <algorithm>
#include <charconv>
#include <string_view>
#include <utility>

#include <fmt/core.h>

#include "base/contract.hpp"
#include "frontend/scpl/lexer.hpp"
#include "frontend/scpl/scpl.hpp"
#include "frontend/text.hpp"

namespace cohort::frontend::scpl {

namespace {

struct BinaryOperator {
  std::string_view sign;
  model::Op op;
  int level;  // higher binds tighter
};

constexpr BinaryOperator binary_operators[] = {
    {"||", model::Op::Or, 1}, {"&&", model::Op::And, 2}, {"==", model::Op::Eq, 3}, {"!=", model::Op::Ne, 3},
    {"<", model::Op::Lt, 4},  {"<=", model::Op::Le, 4},  {">", model::Op::Gt, 4},  {">=", model::Op::Ge, 4},
    {"+", model::Op::Add, 5}, {"-", model::Op::Sub, 5},  {"*", model::Op::Mul, 6}, {"/", model::Op::Div, 6},
    {"%", model::Op::Mod, 6},
};

const BinaryOperator* find_binary_operator(const Token& token) {
  const auto* found = std::find_if(std::begin(binary_operators), std::end(binary_operators),
                                   [&](const BinaryOperator& entry) { return token.is(entry.sign); });
  return found == std::end(binary_operators) ? nullptr : found;
}

// bool, int, unsigned, intN, uintN; none where the word names no type.
std::optional<model::Type> type_named(std::string_view word) {
  if (word == "bool") return model::Type::boolean();
  if (word == "int") return model::Type::fixed(32, true);
  if (word == "unsigned") return model::Type::fixed(32, false);
  const bool is_signed = word.starts_with("int");
  if (!is_signed && !word.starts_with("uint")) return std::nullopt;
  word.remove_prefix(is_signed ? 3 : 4);
  unsigned width = 0;
  const auto outcome = std::from_chars(word.data(), word.data() + word.size(), width);
  const bool is_number = outcome.ec == std::errc() && outcome.ptr == word.data() + word.size() && word[0] != '0';
  constexpr unsigned widest = 32;
  if (!is_number || width > widest) return std::nullopt;
  return model::Type::fixed(width, is_signed);
}

class Parser {
 public:
  explicit Parser(const SourceFilePtr& file) : file_(file), tokens_(tokenize(file)) {
    COHORT_EXPECT(!tokens_.empty() && tokens_.back().kind == TokenKind::EndOfFile, "the tokens end with their mark");
  }

  Program run() {
    program_.file = file_;
    while (at("shared")) parse_declarations(program_.shared);
    if (at("thread")) {
      while (!at_end()) program_.threads.push_back(parse_thread());
    } else {
      program_.threads.push_back(parse_only_thread());
    }
    return std::move(program_);
  }

 private:
  // Counts one level of a nesting as long as it lives.
  class Level {
   public:
    Level(const Parser& parser, std::size_t& depth, std::size_t limit, std::string_view what) : depth_(depth) {
      if (depth_ == limit) {
        throw_unsupported(parser.here(), fmt::format("{} nested more than {} levels deep", what, limit));
      }
      ++depth_;
    }
    ~Level() { --depth_; }
    Level(const Level&) = delete;
    Level& operator=(const Level&) = delete;

   private:
    std::size_t& depth_;
  };

  // ---- tokens

  const Token& token() const { return tokens_[next_]; }
  const Token& peek() const { return tokens_[std::min(next_ + 1, tokens_.size() - 1)]; }
  bool at(std::string_view word) const { return token().is(word); }
  bool at_name() const { return token().kind == TokenKind::Name; }
  bool at_number() const { return token().kind == TokenKind::Number; }
  bool at_end() const { return token().kind == TokenKind::EndOfFile; }
  SourceSpan here() const { return {file_, token().line, token().column}; }

  void advance() {
    COHORT_EXPECT(!at_end(), "nothing is read behind the end");
    ++next_;
  }

  bool accept(std::string_view word) {
    if (!at(word)) return false;
    advance();
    return true;
  }

  [[noreturn]] void fail(std::string_view expected) const {
    throw_malformed(here(), fmt::format("expected {}, found {}", expected, describe(token())));
  }

  void expect(std::string_view word, std::string_view where) {
    if (!accept(word)) fail(fmt::format("'{}' {}", word, where));
  }

  Name take(std::string_view what, bool is_such) {
    if (!is_such) fail(what);
    Name name{std::string(token().text), here()};
    advance();
    return name;
  }

  Name take_name(std::string_view what) { return take(what, at_name()); }
  Name take_label() { return take("a label", at_name() || at_number()); }

  // The text from token number `first` to the last token taken.
  std::string text_since(std::size_t first) const {
    COHORT_EXPECT(next_ > first, "something was taken since");
    const std::size_t begin = tokens_[first].offset;
    const std::size_t end = tokens_[next_ - 1].offset + tokens_[next_ - 1].text.size();
    return normalized_text(std::string_view(file_->text()).substr(begin, end - begin));
  }

  // ---- declarations and threads

  // `shared` or `local`, a type unless it is int, and variables with their initial values.
  void parse_declarations(std::vector<Declaration>& declarations) {
    advance();
    model::Type type = model::Type::fixed(32, true);
    if (at_name() && !peek().is("=") && !peek().is(":=")) {
      const auto named = type_named(token().text);
      if (!named) fail("a type (bool, int, unsigned, int1 to int32, uint1 to uint32) or a variable and '='");
      type = *named;
      advance();
    }
    do {
      Name name = take_name("the name of a variable");
      if (type_named(name.text)) throw_malformed(name.span, fmt::format("'{}' is a type", name.text));
      if (!accept("=") && !accept(":=")) fail(fmt::format("'=' and the initial value of '{}'", name.text));
      declarations.push_back({type, std::move(name), parse_expression()});
    } while (accept(","));
    expect(";", "after the declaration");
  }

  Thread parse_thread() {
    Thread thread;
    if (at("shared")) throw_malformed(here(), "shared variables are declared before the first thread");
    expect("thread", "before a thread");
    thread.name = take_name("the name of a thread");
    if (accept("[")) {
      thread.any_number = false;
      thread.count = parse_count();
      expect("]", "after the number of threads");
    }
    expect("{", "before the body of the thread");
    while (at("local")) parse_declarations(thread.locals);
    thread.body = parse_statements();
    thread.end = here();
    expect("}", fmt::format("at the end of thread '{}'", thread.name.text));
    return thread;
  }

  std::uint32_t parse_count() {
    const SourceSpan span = here();
    if (!at_number()) fail("a number of threads");
    const Expression number = parse_number();
    if (number.value > static_cast<model::Value>(max_threads)) {
      throw_malformed(span, fmt::format("a program starts with at most {} threads of a kind", max_threads));
    }
    return static_cast<std::uint32_t>(number.value);
  }

  // The paper's form: one template without a name.
  Thread parse_only_thread() {
    Thread thread;
    thread.name = {"thread", here()};
    while (at("local")) parse_declarations(thread.locals);
    thread.body = parse_statements();
    thread.end = here();
    if (!at_end()) fail("a statement");
    return thread;
  }

  // ---- statements

  Block parse_statements() {
    Block block;
    while (!at("}") && !at_end()) {
      if (accept(";")) continue;
      block.push_back(parse_statement());
    }
    return block;
  }

  Block parse_block(std::string_view where) {
    const Level level(*this, block_depth_, max_block_depth, "blocks");
    expect("{", where);
    Block block = parse_statements();
    expect("}", "at the end of the block");
    return block;
  }

  Statement parse_statement() {
    Statement statement;
    if ((at_name() || at_number()) && peek().is(":")) {
      statement.label = take_label();
      advance();
    }
    statement.span = here();
    const std::size_t first = next_;
    if (at("if")) {
      parse_if(statement);
    } else if (accept("while")) {
      statement.kind = Statement::Kind::While;
      statement.condition = parse_condition("while");
      statement.text = text_since(first);
      statement.body = parse_block("after the condition");
    } else if (accept("atomic")) {
      parse_atomic(statement);
    } else {
      parse_simple(statement);
      statement.text = text_since(first);
      expect(";", "after the statement");
    }
    return statement;
  }

  void parse_atomic(Statement& statement) {
    statement.kind = Statement::Kind::Atomic;
    statement.text = "atomic";
    statement.body = parse_block("after 'atomic'");
    if (statement.body.empty()) throw_malformed(statement.span, "an atomic section has at least one statement");
  }

  void parse_if(Statement& statement) {
    const Level level(*this, block_depth_, max_block_depth, "blocks");
    const std::size_t first = next_;
    advance();
    statement.kind = Statement::Kind::If;
    statement.condition = parse_condition("if");
    statement.text = text_since(first);
    statement.body = parse_block("after the condition");
    if (!accept("else")) return;
    if (!at("if")) {
      statement.otherwise = parse_block("after 'else'");
      return;
    }
    Statement next;
    next.span = here();
    parse_if(next);
    statement.otherwise.push_back(std::move(next));
  }

  Expression parse_condition(std::string_view word) {
    expect("(", fmt::format("after '{}'", word));
    Expression condition = parse_expression();
    expect(")", "after the condition");
    return condition;
  }

  void parse_simple(Statement& statement) {
    using Kind = Statement::Kind;
    if (accept("skip")) {
      statement.kind = Kind::Skip;
    } else if (at("assume") || at("assert")) {
      statement.kind = at("assume") ? Kind::Assume : Kind::Assert;
      advance();
      statement.condition = parse_expression();
    } else if (accept("goto")) {
      statement.kind = Kind::Goto;
      do {
        statement.names.push_back(take_label());
      } while (accept(","));
    } else if (accept("start")) {
      statement.kind = Kind::Start;
      statement.names.push_back(take_name("the name of a thread"));
    } else if (at("when") || at_name()) {
      if (accept("when")) statement.condition = parse_condition("when");
      parse_assignment(statement);
    } else if (at("local") || at("shared")) {
      throw_malformed(here(), "variables are declared before the first statement");
    } else {
      fail("a statement");
    }
  }

  void parse_assignment(Statement& statement) {
    statement.kind = Statement::Kind::Assign;
    do {
      statement.names.push_back(take_name("a variable"));
    } while (accept(","));
    if (!accept("=") && !accept(":=")) fail("'=' after the variable");
    do {
      statement.values.push_back(parse_expression());
    } while (accept(","));
    if (statement.values.size() == statement.names.size()) return;
    throw_malformed(statement.names.front().span, fmt::format("{} on the left, but {} on the right of the assignment",
                                                              count_of(statement.names.size(), "variable"),
                                                              count_of(statement.values.size(), "value")));
  }

  static std::string count_of(std::size_t count, std::string_view what) {
    return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
  }

  // ---- expressions

  Expression parse_expression() {
    const Level level(*this, expression_depth_, max_expression_depth, "expression");
    Expression condition = parse_binary(1);
    if (at("=")) throw_malformed(here(), "'=' assigns; values are compared by '=='");
    if (!accept("?")) return condition;
    Expression result = node(Expression::Kind::Conditional, condition.span);
    add_operand(result, std::move(condition));
    add_operand(result, parse_expression());
    expect(":", "between the two cases of '?'");
    add_operand(result, parse_expression());
    return result;
  }

  Expression parse_binary(int lowest) {
    Expression left = parse_operand();
    while (const BinaryOperator* op = find_binary_operator(token())) {
      if (op->level < lowest) break;
      advance();
      Expression result = node(Expression::Kind::Operation, left.span);
      result.op = op->op;
      add_operand(result, std::move(left));
      add_operand(result, parse_binary(op->level + 1));
      left = std::move(result);
    }
    return left;
  }

  Expression parse_operand() {
    const SourceSpan span = here();
    if (at("!") || at("-")) return parse_unary();
    if (at_number()) return parse_number();
    if (at("true") || at("false")) {
      Expression truth = node(Expression::Kind::Truth, span);
      truth.value = at("true") ? 1 : 0;
      advance();
      return truth;
    }
    if (accept("*")) return node(Expression::Kind::Any, span);
    if (at_name() && peek().is("(")) return parse_conversion();
    if (at_name()) {
      Expression variable = node(Expression::Kind::Variable, span);
      variable.name = take_name("a variable").text;
      return variable;
    }
    if (!accept("(")) fail("an expression");
    Expression inner = parse_expression();
    expect(")", "to close the parenthesis");
    return inner;
  }

  Expression parse_conversion() {
    Expression result = node(Expression::Kind::Conversion, here());
    const auto type = type_named(token().text);
    if (!type || type->is_bool()) {
      throw_malformed(here(), fmt::format("{} is no type of numbers; functions cannot be called", describe(token())));
    }
    result.type = *type;
    advance();
    expect("(", "after the type");
    add_operand(result, parse_expression());
    expect(")", "to close the parenthesis");
    return result;
  }

  Expression parse_unary() {
    const Level level(*this, expression_depth_, max_expression_depth, "expression");
    Expression result = node(Expression::Kind::Operation, here());
    result.op = at("!") ? model::Op::Not : model::Op::Neg;
    advance();
    Expression operand = parse_operand();
    if (result.op == model::Op::Neg && operand.kind == Expression::Kind::Number) {
      operand.value = -operand.value;
      operand.span = result.span;
      return operand;
    }
    add_operand(result, std::move(operand));
    return result;
  }

  Expression parse_number() {
    Expression number = node(Expression::Kind::Number, here());
    const std::string_view digits = token().text;
    const auto outcome = std::from_chars(digits.data(), digits.data() + digits.size(), number.value);
    if (outcome.ec != std::errc()) {
      throw_unsupported(here(), "a number above 9223372036854775807 does not fit into 64 bits");
    }
    advance();
    return number;
  }

  static Expression node(Expression::Kind kind, const SourceSpan& span) {
    Expression expression;
    expression.kind = kind;
    expression.span = span;
    return expression;
  }

  static void add_operand(Expression& parent, Expression operand) {
    parent.depth = std::max(parent.depth, operand.depth + 1);
    if (parent.depth > max_expression_depth) {
      throw_unsupported(operand.span, fmt::format("expression nested more than {} levels deep", max_expression_depth));
    }
    parent.operands.push_back(std::move(operand));
  }

  SourceFilePtr file_;
  std::vector<Token> tokens_;
  std::size_t next_ = 0;
  Program program_;
  std::size_t block_depth_ = 0;
  std::size_t expression_depth_ = 0;
};

}  // namespace

Program parse(const SourceFilePtr& file) {
  COHORT_EXPECT(file != nullptr, "there is a file to parse");
  return Parser(file).run();
}

}  // namespace cohort::frontend::scpl
