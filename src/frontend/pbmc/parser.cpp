// Recursive descent; what is common to such languages is in frontend/token_reader.hpp.
#include "frontend/pbmc/parser.hpp"

#include <string_view>
#include <utility>

#include <fmt/core.h>

#include "frontend/pbmc/lexer.hpp"
#include "frontend/token_reader.hpp"

namespace cohort::frontend::pbmc {

namespace {

constexpr BinaryOperator binary_operators[] = {
    {"=>", model::Op::Implies, 0, true},
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

class Parser : public ExpressionReader<Expression> {
 public:
  explicit Parser(const SourceFilePtr& file) : ExpressionReader(file, tokenize(file), binary_operators) {}

  Program run() {
    program_.file = file();
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
      if (at_word("for")) initial.every = parse_every();
    }
    return initial;
  }

  // Words that are none where a name can stand.
  bool at_word(std::string_view word) const { return at_name() && token().text == word; }

  Name parse_every() {
    advance();
    if (!at_word("every")) fail("'every' and the name of the index after 'for'");
    advance();
    return take_name("the name of the index after 'for every'");
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
    const std::size_t first = position();
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
    return read_statements<Block>([&] { return parse_statement(); });
  }
  Block parse_block(std::string_view where) {
    return read_block<Block>(where, [&] { return parse_statement(); });
  }

  Statement parse_statement() {
    Statement statement;
    if (at_name() && peek().is(":")) {
      statement.label = take_name("a label");
      advance();
    }
    statement.span = here();
    const std::size_t first = position();
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

  Target parse_target(std::string_view what) {
    Target target{take_name(what), {}};
    if (accept("[")) {
      target.index = parse_expression();
      expect("]", "after the index");
    }
    return target;
  }

  If parse_if(std::string& text) {
    const Level level = block_level();
    const std::size_t first = position();
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
    const std::size_t first = position();
    advance();
    While statement;
    statement.condition = parse_condition("while");
    text = text_since(first);
    statement.body = parse_block("after the condition");
    return statement;
  }

  // ---- expressions

  Expression parse_operand() override {
    const SourceSpan span = here();
    if (at("!") || at("-")) return parse_unary();
    if (accept("choose")) return parse_choose(span);
    if (at_name()) return parse_variable();
    return parse_common_operand();
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
    if (at(".") || at_word("at")) return parse_sight(std::move(variable));
    return variable;
  }

  // Behind a process.
  Expression parse_sight(Expression process) {
    process.kind = at(".") ? Expression::Kind::Remote : Expression::Kind::At;
    process.numbered = !process.operands.empty();
    advance();
    const bool variable = process.kind == Expression::Kind::Remote;
    process.member = take_name(variable ? "a variable of the process" : "a label of the process").text;
    if (variable && accept("[")) {
      add_operand(process, parse_expression());
      expect("]", "after the index");
    }
    return process;
  }

  Program program_;
};

}  // namespace

Program parse(const SourceFilePtr& file) {
  return Parser(file).run();
}

}  // namespace cohort::frontend::pbmc
