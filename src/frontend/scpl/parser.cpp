// Recursive descent; what is common to such languages is in frontend/token_reader.hpp.
#include "frontend/scpl/parser.hpp"

#include <charconv>
#include <string_view>
#include <utility>

#include <fmt/core.h>

#include "frontend/scpl/lexer.hpp"
#include "frontend/scpl/scpl.hpp"
#include "frontend/token_reader.hpp"

namespace cohort::frontend::scpl {

namespace {

constexpr BinaryOperator binary_operators[] = {
    {"||", model::Op::Or, 1}, {"&&", model::Op::And, 2}, {"==", model::Op::Eq, 3}, {"!=", model::Op::Ne, 3},
    {"<", model::Op::Lt, 4},  {"<=", model::Op::Le, 4},  {">", model::Op::Gt, 4},  {">=", model::Op::Ge, 4},
    {"+", model::Op::Add, 5}, {"-", model::Op::Sub, 5},  {"*", model::Op::Mul, 6}, {"/", model::Op::Div, 6},
    {"%", model::Op::Mod, 6},
};

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

class Parser : public ExpressionReader<Expression> {
 public:
  explicit Parser(const SourceFilePtr& file) : ExpressionReader(file, tokenize(file), binary_operators) {}

  Program run() {
    program_.file = file();
    while (at("shared")) parse_declarations(program_.shared);
    if (at("thread")) {
      while (!at_end()) program_.threads.push_back(parse_thread());
    } else {
      program_.threads.push_back(parse_only_thread());
    }
    return std::move(program_);
  }

 private:
  Name take_label() { return take("a label", at_name() || at_number()); }

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
    return read_statements<Block>([&] { return parse_statement(); });
  }
  Block parse_block(std::string_view where) {
    return read_block<Block>(where, [&] { return parse_statement(); });
  }

  Statement parse_statement() {
    Statement statement;
    if ((at_name() || at_number()) && peek().is(":")) {
      statement.label = take_label();
      advance();
    }
    statement.span = here();
    const std::size_t first = position();
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
    const Level level = block_level();
    const std::size_t first = position();
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

  // ---- expressions

  Expression parse_operand() override {
    if (at("!") || at("-")) return parse_signed();
    if (!at_name()) return parse_common_operand();
    if (peek().is("(")) return parse_conversion();
    Expression variable = node(Expression::Kind::Variable, here());
    variable.name = take_name("a variable").text;
    return variable;
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

  // The least number of a type has no positive counterpart, so that a sign and a number are one number.
  Expression parse_signed() {
    Expression result = parse_unary();
    Expression& operand = result.operands.front();
    if (result.op != model::Op::Neg || operand.kind != Expression::Kind::Number) return result;
    Expression number = node(Expression::Kind::Number, result.span);
    number.value = -operand.value;
    return number;
  }

  Program program_;
};

}  // namespace

Program parse(const SourceFilePtr& file) {
  return Parser(file).run();
}

}  // namespace cohort::frontend::scpl
