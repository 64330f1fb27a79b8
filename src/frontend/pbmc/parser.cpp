// Recursive descent, with precedence climbing for operators.  Depth is counted in two ways: parentheses and blocks by
// the recursion itself, chains such as a + b + c, which nest to the left without recursion, by the depth of the tree.
#include "frontend/pbmc/parser.hpp"

#include <algorithm>
#include <charconv>
#include <string_view>
#include <utility>

#include <fmt/core.h>

#include "base/contract.hpp"
#include "frontend/pbmc/lexer.hpp"
#include "frontend/text.hpp"

namespace cohort::frontend::pbmc {

namespace {

struct BinaryOperator {
  std::string_view sign;
  model::Op op;
  int level;  // higher binds tighter
};

constexpr int implies_level = 0;

constexpr BinaryOperator binary_operators[] = {
    {"=>", model::Op::Implies, implies_level},
    {"||", model::Op::Or, 1},
    {"&&", model::Op::And, 2},
    {"==", model::Op::Eq, 3},
    {"!=", model::Op::Ne, 3},
    {"<", model::Op::Lt, 4},
    {"<=", model::Op::Le, 4},
    {">", model::Op::Gt, 4},
    {">=", model::Op::Ge, 4},
    {"+", model::Op::Add, 5},
    {"-", model::Op::Sub, 5},
    {"*", model::Op::Mul, 6},
    {"/", model::Op::Div, 6},
    {"%", model::Op::Mod, 6},
};

const BinaryOperator* find_binary_operator(const Token& token) {
  const auto* found = std::find_if(std::begin(binary_operators), std::end(binary_operators),
                                   [&](const BinaryOperator& entry) { return token.is(entry.sign); });
  return found == std::end(binary_operators) ? nullptr : found;
}

class Parser {
 public:
  explicit Parser(const SourceFilePtr& file) : file_(file), tokens_(tokenize(file)) {
    COHORT_EXPECT(!tokens_.empty() && tokens_.back().kind == TokenKind::EndOfFile, "the tokens end with their mark");
  }

  Program run() {
    program_.file = file_;
    while (!at_end()) {
      if (at("process")) {
        program_.processes.push_back(parse_process());
      } else {
        parse_header_item();
      }
    }
    program_.end = here();
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

  Name take_name(std::string_view what) {
    if (!at_name()) fail(what);
    Name name{std::string(token().text), here()};
    advance();
    return name;
  }

  // The text from token number `first` to the last token taken.
  std::string text_since(std::size_t first) const {
    COHORT_EXPECT(next_ > first, "something was taken since");
    const std::size_t begin = tokens_[first].offset;
    const std::size_t end = tokens_[next_ - 1].offset + tokens_[next_ - 1].text.size();
    return normalized_text(std::string_view(file_->text()).substr(begin, end - begin));
  }

  // ---- the header

  void parse_header_item() {
    const bool known = at("const") || at("int") || at("bool") || at("processes") || at("init") || at("assume") ||
                       at("property") || at("faults");
    if (known && !program_.processes.empty()) {
      throw_malformed(here(), fmt::format("{} belongs to the header, which ends where the first process begins",
                                          describe(token())));
    }
    if (accept("const")) {
      parse_constants();
    } else if (at("int") || at("bool")) {
      parse_declarations(program_.shared);
    } else if (at("processes")) {
      parse_process_count();
    } else if (accept("init")) {
      parse_initials();
    } else if (accept("assume")) {
      program_.initial_conditions.push_back(parse_expression());
    } else if (accept("property")) {
      parse_property();
    } else if (at("faults")) {
      parse_faults();
    } else {
      fail(program_.processes.empty() ? "a declaration, 'processes', 'init', 'property' or 'process'" : "'process'");
    }
    expect(";", "at the end of the header's line");
  }

  void parse_constants() {
    do {
      Name name = take_name("the name of a constant");
      expect("=", "after the name of the constant");
      program_.constants.push_back({std::move(name), parse_expression()});
    } while (accept(","));
  }

  void parse_declarations(std::vector<Declaration>& declarations) {
    const bool is_bool = at("bool");
    advance();
    do {
      Declaration declaration;
      declaration.is_bool = is_bool;
      declaration.name = take_name("the name of a variable");
      if (accept("[")) {
        declaration.size = parse_expression();
        expect("]", "after the size of the array");
      }
      if (accept("=")) declaration.initial = parse_initial();
      declarations.push_back(std::move(declaration));
    } while (accept(","));
  }

  Initial parse_initial() {
    Initial initial;
    initial.span = here();
    if (accept("{")) {
      initial.list = true;
      do {
        initial.values.push_back(parse_expression());
      } while (accept(","));
      expect("}", "after the initial values");
    } else if (at("*")) {
      advance();
      initial.any = true;
    } else {
      initial.values.push_back(parse_expression());
    }
    return initial;
  }

  void parse_process_count() {
    if (program_.process_count) throw_malformed(here(), "the number of processes is given twice");
    advance();
    program_.process_count = parse_expression();
  }

  void parse_initials() {
    do {
      Target target = parse_target("a variable after 'init'");
      if (!accept("=")) expect(":=", "after the variable");
      program_.initials.push_back({std::move(target), parse_initial()});
    } while (accept(","));
  }

  void parse_property() {
    PropertyClause property;
    property.span = here();
    const std::size_t first = next_;
    if (at_name() && peek().is(":")) {
      advance();
      advance();
    }
    property.condition = parse_expression();
    property.text = text_since(first);
    program_.properties.push_back(std::move(property));
  }

  void parse_faults() {
    if (program_.faults_block) throw_malformed(here(), "what faults mean is said twice");
    advance();
    if (at_name() && (token().text == "block" || token().text == "violate")) {
      program_.faults_block = token().text == "block";
      advance();
    } else {
      fail("'block' or 'violate' after 'faults'");
    }
  }

  // ---- processes

  Process parse_process() {
    Process process;
    expect("process", "before a process");
    process.name = take_name("the name of a process");
    if (accept("[")) {
      process.index = take_name("the name of the process's index");
      if (accept(":")) process.count = parse_expression();
      expect("]", "after the index");
    }
    expect("{", "before the body of the process");
    while (at("int") || at("bool")) {
      parse_declarations(process.locals);
      expect(";", "after the declaration");
    }
    process.body = parse_statements();
    process.end = here();
    expect("}", fmt::format("at the end of process '{}'", process.name.text));
    return process;
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
    if (at_name() && peek().is(":")) {
      statement.label = take_name("a label");
      advance();
    }
    statement.span = here();
    const std::size_t first = next_;
    if (at("if")) {
      statement.content = parse_if(statement.text);
    } else if (at("while")) {
      statement.content = parse_while(statement.text);
    } else if (accept("atomic")) {
      statement.text = "atomic";
      statement.content = Atomic{parse_block("after 'atomic'")};
    } else {
      parse_simple(statement);
      statement.text = text_since(first);
      expect(";", "after the statement");
    }
    return statement;
  }

  void parse_simple(Statement& statement) {
    if (accept("skip")) {
      statement.content = Skip{};
    } else if (accept("assume")) {
      statement.content = Assume{parse_expression()};
    } else if (accept("assert")) {
      statement.content = Assert{parse_expression()};
    } else if (accept("when")) {
      Expression guard = parse_condition("when");
      Assignment assignment = parse_assignment();
      assignment.guard = std::move(guard);
      statement.content = std::move(assignment);
    } else if (at_name()) {
      statement.content = parse_assignment();
    } else if (at("int") || at("bool")) {
      throw_malformed(here(), "the variables of a process are declared before its first statement");
    } else {
      fail("a statement");
    }
  }

  Assignment parse_assignment() {
    Assignment assignment;
    do {
      assignment.targets.push_back(parse_target("a variable"));
    } while (accept(","));
    if (!accept("=") && !accept(":=")) fail("'=' after the variable");
    do {
      assignment.values.push_back(parse_expression());
    } while (accept(","));
    if (assignment.values.size() != assignment.targets.size()) {
      throw_malformed(
          assignment.targets.front().name.span,
          fmt::format("{} on the left, but {} on the right of the assignment",
                      count_of(assignment.targets.size(), "variable"), count_of(assignment.values.size(), "value")));
    }
    return assignment;
  }

  static std::string count_of(std::size_t count, std::string_view what) {
    return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
  }

  Target parse_target(std::string_view what) {
    Target target{take_name(what), {}};
    if (accept("[")) {
      target.index = parse_expression();
      expect("]", "after the index");
    }
    return target;
  }

  Expression parse_condition(std::string_view word) {
    expect("(", fmt::format("after '{}'", word));
    Expression condition = parse_expression();
    expect(")", "after the condition");
    return condition;
  }

  If parse_if(std::string& text) {
    const Level level(*this, block_depth_, max_block_depth, "blocks");
    const std::size_t first = next_;
    advance();
    If statement;
    statement.condition = parse_condition("if");
    text = text_since(first);
    statement.then = parse_block("after the condition");
    if (!accept("else")) return statement;
    if (!at("if")) {
      statement.otherwise = parse_block("after 'else'");
      return statement;
    }
    Statement next;
    next.span = here();
    next.content = parse_if(next.text);
    statement.otherwise.push_back(std::move(next));
    return statement;
  }

  While parse_while(std::string& text) {
    const std::size_t first = next_;
    advance();
    While statement;
    statement.condition = parse_condition("while");
    text = text_since(first);
    statement.body = parse_block("after the condition");
    return statement;
  }

  // ---- expressions

  Expression parse_expression() {
    const Level level(*this, expression_depth_, max_expression_depth, "expression");
    Expression condition = parse_binary(implies_level);
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
      add_operand(result, parse_right_side(op->level));
      left = std::move(result);
    }
    return left;
  }

  // Implication groups to the right and so can nest without end; the other levels climb at most to the tightest one.
  Expression parse_right_side(int level) {
    if (level != implies_level) return parse_binary(level + 1);
    const Level nested(*this, expression_depth_, max_expression_depth, "expression");
    return parse_binary(implies_level);
  }

  Expression parse_operand() {
    const SourceSpan span = here();
    if (at("!") || at("-")) return parse_unary();
    if (token().kind == TokenKind::Number) return parse_number();
    if (at("true") || at("false")) {
      Expression truth = node(Expression::Kind::Truth, span);
      truth.value = at("true") ? 1 : 0;
      advance();
      return truth;
    }
    if (accept("*")) return node(Expression::Kind::Any, span);
    if (accept("choose")) return parse_choose(span);
    if (at_name()) return parse_variable();
    if (!accept("(")) fail("an expression");
    Expression inner = parse_expression();
    expect(")", "to close the parenthesis");
    return inner;
  }

  Expression parse_unary() {
    const Level level(*this, expression_depth_, max_expression_depth, "expression");
    Expression result = node(Expression::Kind::Operation, here());
    result.op = at("!") ? model::Op::Not : model::Op::Neg;
    advance();
    add_operand(result, parse_operand());
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

  Expression parse_choose(const SourceSpan& span) {
    Expression result = node(Expression::Kind::Choose, span);
    expect("(", "after 'choose'");
    add_operand(result, parse_expression());
    expect("..", "between the bounds of 'choose'");
    add_operand(result, parse_expression());
    expect(")", "after the bounds of 'choose'");
    return result;
  }

  Expression parse_variable() {
    Expression variable = node(Expression::Kind::Variable, here());
    variable.name = take_name("a variable").text;
    if (accept("[")) {
      add_operand(variable, parse_expression());
      expect("]", "after the index");
    }
    return variable;
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

}  // namespace cohort::frontend::pbmc
