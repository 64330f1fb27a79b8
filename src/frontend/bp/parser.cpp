#include "frontend/bp/parser.hpp"

#include <algorithm>
#include <charconv>
#include <initializer_list>
#include <string_view>
#include <utility>

#include <fmt/core.h>

#include "base/contract.hpp"
#include "frontend/bp/lexer.hpp"
#include "frontend/text.hpp"

namespace cohort::frontend::bp {

namespace {

constexpr std::string_view async_prefix = "ASYNC_";

struct BinaryOperator {
  TokenKind token;
  Expression::Kind kind;
  int level;  // higher binds tighter
};

constexpr int equality_level = 0;

constexpr BinaryOperator binary_operators[] = {
    {TokenKind::Implies, Expression::Kind::Implies, equality_level},
    {TokenKind::Equal, Expression::Kind::Equal, equality_level},
    {TokenKind::NotEqual, Expression::Kind::NotEqual, equality_level},
    {TokenKind::Xor, Expression::Kind::Xor, 1},
    {TokenKind::Or, Expression::Kind::Or, 2},
    {TokenKind::And, Expression::Kind::And, 3},
};

const BinaryOperator* find_binary_operator(TokenKind token) {
  const auto* found = std::find_if(std::begin(binary_operators), std::end(binary_operators),
                                   [token](const BinaryOperator& entry) { return entry.token == token; });
  return found == std::end(binary_operators) ? nullptr : found;
}

// The words that close a block: what may follow the last statement without a ';'.
bool closes_block(TokenKind kind) {
  return kind == TokenKind::End || kind == TokenKind::RightBrace || kind == TokenKind::Fi || kind == TokenKind::Else ||
         kind == TokenKind::Elsif || kind == TokenKind::Od || kind == TokenKind::EndOfFile;
}

// `T`, `F`, `true` and `false` are constants, but nothing hinders a label of that name.
bool is_label_word(TokenKind kind) {
  return kind == TokenKind::Name || kind == TokenKind::Number || kind == TokenKind::True || kind == TokenKind::False;
}

class Parser {
 public:
  explicit Parser(const SourceFilePtr& file) : file_(file), tokens_(tokenize(file)) {
    COHORT_EXPECT(!tokens_.empty() && tokens_.back().kind == TokenKind::EndOfFile, "the tokens end with their mark");
  }

  Program run() {
    Program program;
    program.file = file_;
    while (!at(TokenKind::EndOfFile)) {
      if (accept(TokenKind::Semicolon)) continue;
      if (at(TokenKind::Decl)) {
        append(program.shared, parse_declarations());
        expect(TokenKind::Semicolon, "after the declaration");
      } else {
        program.procedures.push_back(parse_procedure());
      }
    }
    return program;
  }

 private:
  // One kind of nesting: how deep it is now, and how deep it may be.
  struct Depth {
    const char* what;
    std::size_t limit;
    std::size_t now = 0;
  };

  // Counts one level of nesting as long as it lives.
  class Level {
   public:
    Level(const Parser& parser, Depth& depth) : depth_(depth) {
      if (depth_.now == depth_.limit) {
        throw_unsupported(parser.here(), fmt::format("{} nested more than {} levels deep", depth_.what, depth_.limit));
      }
      ++depth_.now;
    }
    ~Level() { --depth_.now; }
    Level(const Level&) = delete;
    Level& operator=(const Level&) = delete;

   private:
    Depth& depth_;
  };

  // ---- tokens

  const Token& token() const { return tokens_[next_]; }
  const Token& peek() const { return tokens_[std::min(next_ + 1, tokens_.size() - 1)]; }
  bool at(TokenKind kind) const { return token().kind == kind; }
  SourceSpan here() const { return {file_, token().line, token().column}; }
  bool at_word(std::string_view word) const { return at(TokenKind::Name) && text_of(*file_, token()) == word; }

  void advance() {
    COHORT_EXPECT(!at(TokenKind::EndOfFile), "nothing is read behind the end");
    ++next_;
  }

  bool accept(TokenKind kind) {
    if (!at(kind)) return false;
    advance();
    return true;
  }

  [[noreturn]] void fail(std::string_view expected) const {
    throw_malformed(here(), fmt::format("expected {}, found {}", expected, describe(*file_, token())));
  }

  void expect(TokenKind kind, std::string_view where) {
    if (!accept(kind)) fail(fmt::format("{} {}", describe(kind), where));
  }

  Name take_name(std::string_view what) {
    if (!at(TokenKind::Name)) fail(what);
    return take_word();
  }

  Name take_word() {
    Name name{std::string(text_of(*file_, token())), here()};
    advance();
    return name;
  }

  // The text from `begin` to the end of the last token taken.
  std::string text_since(std::size_t begin) const {
    COHORT_EXPECT(next_ > 0 && tokens_[next_ - 1].end >= begin, "something was taken since");
    return normalized_text(std::string_view(file_->text()).substr(begin, tokens_[next_ - 1].end - begin));
  }

  template <class T>
  static void append(std::vector<T>& to, std::vector<T> from) {
    std::move(from.begin(), from.end(), std::back_inserter(to));
  }

  // ---- declarations and procedures

  std::vector<Declaration> parse_declarations() {
    expect(TokenKind::Decl, "before a declaration");
    const bool is_thread_local = accept(TokenKind::ThreadLocal);
    std::vector<Declaration> declarations;
    do {
      Declaration declaration{take_name("the name of a variable"), Declaration::Initial::None, is_thread_local};
      if (accept(TokenKind::Assign)) declaration.initial = parse_initial();
      declarations.push_back(std::move(declaration));
    } while (accept(TokenKind::Comma));
    return declarations;
  }

  Declaration::Initial parse_initial() {
    if (accept(TokenKind::Star)) return Declaration::Initial::Any;
    if (!at(TokenKind::True) && !at(TokenKind::False) && !at(TokenKind::Number))
      fail("0, 1 or '*' as the initial value");
    return parse_constant().value ? Declaration::Initial::True : Declaration::Initial::False;
  }

  Procedure parse_procedure() {
    Procedure procedure;
    accept(TokenKind::Dfs);
    if (accept(TokenKind::Bool)) {
      procedure.result_count = at(TokenKind::Less) ? parse_result_count() : 1;
    } else if (!accept(TokenKind::Void) && !(at(TokenKind::Name) && peek().kind == TokenKind::LeftParenthesis)) {
      fail("'decl' or a procedure ('void', 'bool' or 'bool<n>' and a name)");
    }
    procedure.name = take_name("the name of a procedure");
    expect(TokenKind::LeftParenthesis, "after the name of the procedure");
    if (!at(TokenKind::RightParenthesis)) {
      do {
        procedure.parameters.push_back({take_name("the name of a parameter"), {}, false});
      } while (accept(TokenKind::Comma));
    }
    expect(TokenKind::RightParenthesis, "after the parameters");
    const bool braces = at(TokenKind::LeftBrace);
    if (!accept(TokenKind::LeftBrace)) expect(TokenKind::Begin, "before the body of the procedure");
    procedure.body = parse_block();
    procedure.end = here();
    expect(braces ? TokenKind::RightBrace : TokenKind::End,
           fmt::format("at the end of procedure '{}'", procedure.name.text));
    return procedure;
  }

  std::size_t parse_result_count() {
    expect(TokenKind::Less, "after 'bool'");
    if (!at(TokenKind::Number)) fail("the number of results");
    const std::string_view digits = text_of(*file_, token());
    std::size_t count = 0;
    const auto outcome = std::from_chars(digits.data(), digits.data() + digits.size(), count);
    if (outcome.ec != std::errc() || count == 0 || count > max_results) {
      throw_malformed(here(), fmt::format("a procedure has from 1 to {} results", max_results));
    }
    advance();
    expect(TokenKind::Greater, "after the number of results");
    return count;
  }

  // ---- statements

  Block parse_block() {
    const Level level(*this, blocks_);
    Block block;
    while (!closes_block(token().kind)) {
      if (accept(TokenKind::Semicolon)) continue;
      block.push_back(parse_statement());
      const Statement::Content& content = block.back().content;
      const bool closed = std::holds_alternative<If>(content) || std::holds_alternative<While>(content);
      if (!closed && !closes_block(token().kind)) expect(TokenKind::Semicolon, "after the statement");
    }
    return block;
  }

  Statement parse_statement() {
    Statement statement;
    while (is_label_word(token().kind) && peek().kind == TokenKind::Colon) {
      statement.labels.push_back(take_word());
      advance();
    }
    if (!statement.labels.empty() && (closes_block(token().kind) || at(TokenKind::Semicolon))) {
      fail(fmt::format("a statement after the label '{}' (write 'skip' for none)", statement.labels.back().text));
    }
    statement.span = here();
    const std::size_t begin = token().begin;
    statement.content = parse_content();
    if (const auto* call = std::get_if<CallStatement>(&statement.content)) {
      const auto is_async = [](const Name& label) { return label.text.starts_with(async_prefix); };
      const auto async = std::find_if(statement.labels.begin(), statement.labels.end(), is_async);
      if (async != statement.labels.end()) statement.content = make_async(*call, *async);
    }
    const auto* conditional = std::get_if<If>(&statement.content);
    const auto* loop = std::get_if<While>(&statement.content);
    statement.text = conditional != nullptr ? conditional->branches.front().text
                     : loop != nullptr      ? loop->branch.text
                                            : text_since(begin);
    return statement;
  }

  static StartProcedure make_async(const CallStatement& call, const Name& label) {
    if (!call.targets.empty()) {
      throw_malformed(
          call.targets.front().name.span,
          fmt::format("a call below the label '{}' starts a thread, which has no results to assign", label.text));
    }
    return {call.callee, call.arguments, 0};
  }

  Statement::Content parse_content() {
    switch (token().kind) {
      case TokenKind::Skip: advance(); return Skip{};
      case TokenKind::EndThread: advance(); return EndThread{};
      case TokenKind::AtomicBegin: advance(); return AtomicBegin{};
      case TokenKind::AtomicEnd: advance(); return AtomicEnd{};
      case TokenKind::Decl: return Declare{parse_declarations()};
      case TokenKind::Goto: advance(); return Goto{parse_labels()};
      case TokenKind::Return: advance(); return ReturnStatement{parse_result_values()};
      case TokenKind::Assume: advance(); return Assume{parse_expression()};
      case TokenKind::Assert: advance(); return Assert{parse_expression()};
      case TokenKind::AbortIf: advance(); return AbortIf{parse_expression()};
      case TokenKind::Enforce: advance(); return Enforce{parse_expression()};
      case TokenKind::Dead: advance(); return Dead{parse_targets("the name of a variable")};
      case TokenKind::StartThread: advance(); return parse_start();
      case TokenKind::If: return parse_if();
      case TokenKind::While: return parse_while();
      case TokenKind::Name: return parse_named();
      default: fail("a statement");
    }
  }

  std::vector<Name> parse_labels() {
    std::vector<Name> labels;
    do {
      if (!is_label_word(token().kind)) fail("a label");
      labels.push_back(take_word());
    } while (accept(TokenKind::Comma));
    return labels;
  }

  std::vector<Target> parse_targets(std::string_view what) {
    std::vector<Target> targets;
    do {
      targets.push_back({take_name(what), {}});
    } while (accept(TokenKind::Comma));
    return targets;
  }

  std::vector<Expression> parse_result_values() {
    if (at(TokenKind::Semicolon) || closes_block(token().kind)) return {};
    return parse_expressions();
  }

  Statement::Content parse_start() {
    if (accept(TokenKind::Goto)) return StartAtLabel{parse_labels()};
    if (at(TokenKind::Name) && peek().kind == TokenKind::LeftParenthesis) {
      Name callee = take_word();
      return StartProcedure{std::move(callee), parse_arguments(), 0};
    }
    if (!is_label_word(token().kind)) fail("a label, 'goto' and a label, or a call after 'start_thread'");
    return StartAtLabel{{take_word()}};
  }

  // A statement that starts with a name: a call, an assignment, or one of ijit's statements, which are words of their
  // own only where nothing else fits.
  Statement::Content parse_named() {
    const TokenKind second = peek().kind;
    if (second == TokenKind::LeftParenthesis) {
      Name callee = take_word();
      return CallStatement{{}, std::move(callee), parse_arguments(), 0};
    }
    if (second == TokenKind::Comma || second == TokenKind::Assign) return parse_assignment();
    const bool alone = second == TokenKind::Semicolon || closes_block(second);
    if ((alone && (at_word("wait") || at_word("broadcast"))) || (at_word("sync") && second == TokenKind::Name)) {
      throw_unsupported(here(), fmt::format("the statement {} is not supported", describe(*file_, token())));
    }
    const std::string name = describe(*file_, token());
    advance();
    fail(fmt::format("':=', '(' or ':' after {}", name));
  }

  Statement::Content parse_assignment() {
    std::vector<Target> targets = parse_targets("a variable or '_'");
    expect(TokenKind::Assign, "after the variables");
    if (at(TokenKind::Name) && peek().kind == TokenKind::LeftParenthesis) {
      Name callee = take_word();
      CallStatement call{std::move(targets), std::move(callee), parse_arguments(), 0};
      if (at(TokenKind::Comma) || at(TokenKind::Constrain))
        fail("';' after a call, which stands alone on the right side");
      return call;
    }
    Assignment assignment{std::move(targets), parse_expressions(), {}};
    if (accept(TokenKind::Constrain)) assignment.constraint = parse_expression();
    return assignment;
  }

  std::vector<Expression> parse_arguments() {
    expect(TokenKind::LeftParenthesis, "before the arguments");
    std::vector<Expression> arguments;
    if (!at(TokenKind::RightParenthesis)) arguments = parse_expressions();
    expect(TokenKind::RightParenthesis, "after the arguments");
    return arguments;
  }

  // `keyword E`, then the word that opens the body, then the body.
  Branch parse_branch(TokenKind opening) {
    Branch branch;
    branch.span = here();
    const std::size_t begin = token().begin;
    advance();
    branch.condition = parse_expression();
    branch.text = text_since(begin);
    expect(opening, "after the condition");
    branch.body = parse_block();
    return branch;
  }

  If parse_if() {
    If statement;
    statement.branches.push_back(parse_branch(TokenKind::Then));
    while (at(TokenKind::Elsif)) statement.branches.push_back(parse_branch(TokenKind::Then));
    if (accept(TokenKind::Else)) statement.otherwise = parse_block();
    expect(TokenKind::Fi, "at the end of the 'if'");
    return statement;
  }

  While parse_while() {
    While statement{parse_branch(TokenKind::Do)};
    expect(TokenKind::Od, "at the end of the 'while'");
    return statement;
  }

  // ---- expressions

  std::vector<Expression> parse_expressions() {
    std::vector<Expression> expressions;
    do {
      expressions.push_back(parse_expression());
    } while (accept(TokenKind::Comma));
    return expressions;
  }

  Expression parse_expression() {
    const Level level(*this, expressions_);
    Expression condition = parse_binary(equality_level);
    if (!accept(TokenKind::Question)) return condition;
    Expression result = node(Expression::Kind::Conditional, condition.span);
    result.operands.push_back(std::move(condition));
    result.operands.push_back(parse_expression());
    expect(TokenKind::Colon, "between the two cases of '?'");
    result.operands.push_back(parse_expression());
    return result;
  }

  Expression parse_binary(int lowest) {
    Expression left = parse_operand();
    while (const BinaryOperator* op = find_binary_operator(token().kind)) {
      if (op->level < lowest) break;
      advance();
      left = combine(op->kind, std::move(left), parse_right_side(op->level));
    }
    return left;
  }

  // Only the right-associative level can nest without end here; the others climb at most to the tightest operator.
  Expression parse_right_side(int level) {
    if (level != equality_level) return parse_binary(level + 1);
    const Level nested(*this, expressions_);
    return parse_binary(equality_level);
  }

  // Chains of one associative operator grow sideways.
  static Expression combine(Expression::Kind kind, Expression left, Expression right) {
    const bool associative =
        kind == Expression::Kind::And || kind == Expression::Kind::Or || kind == Expression::Kind::Xor;
    if (associative && left.kind == kind) {
      left.operands.push_back(std::move(right));
      return left;
    }
    Expression result = node(kind, left.span);
    result.operands.push_back(std::move(left));
    result.operands.push_back(std::move(right));
    return result;
  }

  Expression parse_operand() {
    const SourceSpan span = here();
    switch (token().kind) {
      case TokenKind::Not: return parse_negation();
      case TokenKind::True:
      case TokenKind::False:
      case TokenKind::Number: return parse_constant();
      case TokenKind::Star: advance(); return node(Expression::Kind::Nondet, span);
      case TokenKind::Schoose: return parse_schoose();
      case TokenKind::Quote:
      case TokenKind::Name: return parse_variable();
      case TokenKind::LeftParenthesis: {
        advance();
        Expression inner = parse_expression();
        expect(TokenKind::RightParenthesis, "to close the parenthesis");
        return inner;
      }
      default: fail("an expression");
    }
  }

  Expression parse_negation() {
    const Level level(*this, expressions_);
    Expression result = node(Expression::Kind::Not, here());
    advance();
    result.operands.push_back(parse_operand());
    return result;
  }

  Expression parse_constant() {
    Expression constant = node(Expression::Kind::Constant, here());
    const std::string_view text = text_of(*file_, token());
    if (at(TokenKind::Number) && text != "0" && text != "1") {
      throw_malformed(here(), fmt::format("expected the constant 0 or 1, found {}", describe(*file_, token())));
    }
    constant.value = at(TokenKind::True) || text == "1";
    advance();
    return constant;
  }

  Expression parse_variable() {
    Expression variable = node(Expression::Kind::Variable, here());
    variable.primed = accept(TokenKind::Quote);
    variable.name = take_name(variable.primed ? "the name of a variable after '''" : "the name of a variable").text;
    if (at(TokenKind::LeftParenthesis)) {
      throw_malformed(variable.span, fmt::format("a call such as '{}(..)' cannot stand inside an expression; "
                                                 "assign its result to a variable first",
                                                 variable.name));
    }
    return variable;
  }

  Expression parse_schoose() {
    Expression result = node(Expression::Kind::Schoose, here());
    advance();
    expect(TokenKind::LeftBracket, "after 'schoose'");
    result.operands.push_back(parse_expression());
    expect(TokenKind::Comma, "between the two conditions of 'schoose'");
    result.operands.push_back(parse_expression());
    expect(TokenKind::RightBracket, "at the end of 'schoose'");
    return result;
  }

  static Expression node(Expression::Kind kind, const SourceSpan& span) {
    Expression expression;
    expression.kind = kind;
    expression.span = span;
    return expression;
  }

  SourceFilePtr file_;
  std::vector<Token> tokens_;
  std::size_t next_ = 0;
  Depth blocks_{"blocks", max_block_nesting};
  Depth expressions_{"expression", max_expression_nesting};
};

}  // namespace

Program parse(const SourceFilePtr& file) {
  COHORT_EXPECT(file != nullptr, "there is a file to parse");
  return Parser(file).run();
}

}  // namespace cohort::frontend::bp
