#include "frontend/red/parser.hpp"

#include <algorithm>
#include <array>

#include <fmt/core.h>

#include "frontend/red/lexer.hpp"

namespace cohort::frontend::red {

namespace {

using Kind = Expression::Kind;

// Deeper nesting than anybody writes, and far from where the stack ends.
constexpr std::size_t deepest = 200;
constexpr std::size_t longest = 10'000;
constexpr std::size_t tightest = 4;  // level of operators
constexpr std::int64_t most_processes = 1000;

class Parser {
 public:
  explicit Parser(const SourceFilePtr& file) : tokens_(tokenize(file)) { algorithm_.file = file; }

  Algorithm run() {
    while (here().kind != TokenKind::EndOfFile) take_item();
    if (algorithm_.modes.empty()) throw_malformed(here().span, "an algorithm has at least one mode");
    return std::move(algorithm_);
  }

 private:
  const Token& here() const { return tokens_[position_]; }
  const Token& ahead() const { return tokens_[std::min(position_ + 1, tokens_.size() - 1)]; }

  Token take() {
    const Token token = here();
    if (token.kind != TokenKind::EndOfFile) ++position_;
    return token;
  }

  bool accept(std::string_view word) {
    if (!here().is(word)) return false;
    ++position_;
    return true;
  }

  [[noreturn]] void complain(std::string_view expected) const {
    throw_malformed(here().span, fmt::format("expected {}, found {}", expected, describe(here())));
  }

  void expect(std::string_view word) {
    if (!accept(word)) complain(fmt::format("'{}'", word));
  }

  Token expect_name(std::string_view what) {
    if (here().kind != TokenKind::Name) complain(what);
    return take();
  }

  model::Value expect_number(std::string_view what) {
    const bool negative = accept("-");
    if (here().kind != TokenKind::Number) complain(what);
    const model::Value value = take().number;
    return negative ? -value : value;
  }

  // The words from the token at `begin` to before the one at `end`, with single blanks between them.
  std::string text_between(std::size_t begin, std::size_t end) const {
    std::string text;
    for (std::size_t i = begin; i < end; ++i) {
      const bool glued = text.empty() || tokens_[i].is(")") || tokens_[i].is("]") || tokens_[i].is("[") ||
                         tokens_[i].is("->") || tokens_[i].is(",") || tokens_[i].is(":") || tokens_[i - 1].is("(") ||
                         tokens_[i - 1].is("[") || tokens_[i - 1].is("->") || tokens_[i - 1].is("!");
      text += (glued ? "" : " ") + tokens_[i].text;
    }
    return text;
  }

  void take_item() {
    if (here().is("process")) return take_count();
    if (here().is("constant")) return take_constant();
    if (here().is("global") || here().is("local")) return take_declaration();
    if (here().is("mode")) return take_mode();
    if (here().is("initially")) return take_initially();
    if (here().is("risk") || here().is("safe")) return take_goal();
    complain("a declaration, 'mode', 'initially', 'risk' or 'safe'");
  }

  void take_count() {
    const Token start = take();
    if (here().kind != TokenKind::Name || here().text != "count") complain("'count'");
    take();
    expect("=");
    const SourceSpan span = here().span;
    const model::Value count = expect_number("the number of processes");
    if (count < 1 || count > most_processes) {
      throw_malformed(span, fmt::format("the number of processes lies between 1 and {}", most_processes));
    }
    if (algorithm_.processes) throw_malformed(start.span, "the number of processes is given twice");
    algorithm_.processes = static_cast<std::uint32_t>(count);
    expect(";");
  }

  void take_constant() {
    take();
    const Token name = expect_name("the name of a constant");
    expect("=");
    algorithm_.constants.push_back({name.text, expect_number("a number"), name.span});
    expect(";");
  }

  // A range belongs to all names since the range before it.
  void take_declaration() {
    const bool global = take().is("global");
    const bool pointer = here().is("pointer");
    if (!pointer && !here().is("discrete")) complain("'pointer' or 'discrete'");
    take();
    std::size_t without_range = algorithm_.variables.size();
    do {
      const Token name = expect_name("the name of a variable");
      algorithm_.variables.push_back({.name = name.text, .global = global, .pointer = pointer, .span = name.span});
      if (!here().is(":")) continue;
      if (pointer) throw_malformed(here().span, "a pointer has no range: it is NULL or a process");
      take();
      const SourceSpan span = here().span;
      const model::Value lo = expect_number("the least value");
      expect("..");
      const model::Value hi = expect_number("the largest value");
      if (lo > hi) throw_malformed(span, fmt::format("the range {}..{} is empty", lo, hi));
      for (; without_range < algorithm_.variables.size(); ++without_range) {
        algorithm_.variables[without_range].lo = lo;
        algorithm_.variables[without_range].hi = hi;
      }
    } while (accept(","));
    expect(";");
  }

  void take_mode() {
    take();
    const Token name = expect_name("the name of a mode");
    Mode mode{.name = name.text, .invariant = take_expression(), .span = name.span};
    expect("{");
    while (!accept("}")) {
      if (!here().is("when")) complain("'when' or '}'");
      mode.transitions.push_back(take_transition());
    }
    algorithm_.modes.push_back(std::move(mode));
  }

  Transition take_transition() {
    Transition transition{.span = here().span};
    const std::size_t begin = position_;
    expect("when");
    transition.guard = take_expression();
    transition.text = text_between(begin, position_);
    expect("may");
    while (!here().is("when") && !here().is("}")) {
      if (accept(";")) continue;
      if (transition.target) throw_malformed(here().span, "nothing follows 'goto' in a transition");
      if (accept("goto")) {
        transition.target_span = here().span;
        transition.target = expect_name("the name of a mode").text;
      } else {
        transition.assignments.push_back(take_assignment());
      }
      expect(";");
    }
    return transition;
  }

  Assignment take_assignment() {
    if (here().kind != TokenKind::Name && !here().is("P") && !here().is("mode")) {
      complain("an assignment, 'goto' or ';'");
    }
    Assignment assignment{.span = here().span};
    const std::size_t begin = position_;
    assignment.target = take_operand();
    if (!accept("=") && !accept(":=")) complain("'='");
    assignment.value = take_expression();
    assignment.text = text_between(begin, position_);
    return assignment;
  }

  void take_initially() {
    const Token start = take();
    if (algorithm_.initially) throw_malformed(start.span, "the initial condition is given twice");
    algorithm_.initially = take_expression();
    expect(";");
  }

  void take_goal() {
    const Token start = take();
    const std::size_t begin = position_;
    Goal goal{.safe = start.is("safe"), .condition = take_expression(), .span = start.span};
    goal.text = start.text + " " + text_between(begin, position_);
    algorithm_.goals.push_back(std::move(goal));
    expect(";");
  }

  ExpressionPtr make(Kind kind, const Token& token) const {
    auto expression = std::make_unique<Expression>();
    expression->kind = kind;
    expression->name = token.text;
    expression->number = token.number;
    expression->span = token.span;
    return expression;
  }

  ExpressionPtr take_expression() {
    if (++depth_ > deepest) throw_malformed(here().span, "this expression is nested too deeply");
    ExpressionPtr result = here().is("forall") || here().is("exists") ? take_quantifier() : take_implication();
    --depth_;
    return result;
  }

  // `forall i, j: body` is `forall i: forall j: body`, and the body reaches as far as it can.
  ExpressionPtr take_quantifier() {
    const Token word = take();
    std::vector<Token> variables;
    do {
      variables.push_back(expect_name("the name of a process"));
    } while (accept(","));
    expect(":");
    ExpressionPtr body = take_expression();
    for (auto it = variables.rbegin(); it != variables.rend(); ++it) {
      ExpressionPtr quantifier = make(Kind::Quantifier, word);
      quantifier->variable = it->text;
      quantifier->span = it->span;
      quantifier->args.push_back(std::move(body));
      body = std::move(quantifier);
    }
    return body;
  }

  ExpressionPtr binary(const Token& sign, ExpressionPtr left, ExpressionPtr right) const {
    ExpressionPtr result = make(Kind::Operator, sign);
    result->args.push_back(std::move(left));
    result->args.push_back(std::move(right));
    return result;
  }

  // Implication groups to the right.
  ExpressionPtr take_implication() {
    ExpressionPtr left = take_chain(0);
    if (!here().is("implies") && !here().is("=>")) return left;
    const Token sign = take();
    return binary(sign, std::move(left), take_expression());
  }

  static bool is_level(const Token& token, std::size_t level) {
    static const std::array<std::vector<std::string_view>, tightest + 1> levels = {
        {{"or", "||"}, {"and", "&&"}, {"==", "!=", "<", "<=", ">", ">="}, {"+", "-"}, {"*", "/"}}};
    return std::any_of(levels[level].begin(), levels[level].end(),
                       [&](std::string_view sign) { return token.is(sign); });
  }

  // An operand and what operators of this level and tighter ones join to it, the tightest first.
  ExpressionPtr take_chain(std::size_t level) {
    ExpressionPtr left = take_unary();
    for (std::size_t at = tightest + 1; at-- > level;) left = take_links(at, std::move(left));
    return left;
  }

  ExpressionPtr take_links(std::size_t level, ExpressionPtr left) {
    for (std::size_t links = 0; is_level(here(), level); ++links) {
      if (links > longest) throw_malformed(here().span, "too many operands in one expression");
      const Token sign = take();
      ExpressionPtr right = take_right_operand(level);
      left = level == 2 && is_level(here(), level) ? take_comparisons(sign, std::move(left), std::move(right))
                                                   : binary(sign, std::move(left), std::move(right));
    }
    return left;
  }

  // `a < b <= c` is `a < b and b <= c`.
  ExpressionPtr take_comparisons(const Token& first, ExpressionPtr left, ExpressionPtr right) {
    ExpressionPtr chain = make(Kind::Chain, first);
    chain->signs.push_back(first.text);
    chain->args.push_back(std::move(left));
    chain->args.push_back(std::move(right));
    while (is_level(here(), 2)) {
      if (chain->args.size() > longest) throw_malformed(here().span, "too many operands in one expression");
      chain->signs.push_back(take().text);
      chain->args.push_back(take_chain(3));
    }
    return chain;
  }

  // A quantifier may end a conjunction or disjunction without parentheses.
  ExpressionPtr take_right_operand(std::size_t level) {
    if (level < 2 && (here().is("forall") || here().is("exists"))) return take_expression();
    return take_chain(level + 1);
  }

  ExpressionPtr take_unary() {
    if (here().is("not") || here().is("!") || here().is("-")) {
      if (++depth_ > deepest) throw_malformed(here().span, "this expression is nested too deeply");
      ExpressionPtr result = make(Kind::Operator, here());
      // `not` binds less tightly than comparisons, `!` and `-` more tightly.
      const bool loose = take().is("not");
      result->args.push_back(loose ? take_chain(2) : take_unary());
      --depth_;
      return result;
    }
    return take_operand();
  }

  ExpressionPtr take_operand() {
    ExpressionPtr result = take_primary();
    for (std::size_t links = 0; accept("->"); ++links) {
      if (links > longest) throw_malformed(here().span, "too many operands in one expression");
      ExpressionPtr arrow = make(Kind::Arrow, here());
      arrow->args.push_back(std::move(result));
      arrow->args.push_back(take_primary());
      result = std::move(arrow);
    }
    return result;
  }

  ExpressionPtr take_primary() {
    if (here().kind == TokenKind::Number) return make(Kind::Number, take());
    if (here().is("NULL")) return make(Kind::Null, take());
    if (here().is("P")) return make(Kind::Process, take());
    if (here().is("true") || here().is("false")) {
      ExpressionPtr truth = make(Kind::Truth, here());
      truth->number = take().is("true") ? 1 : 0;
      return truth;
    }
    if (accept("(")) {
      ExpressionPtr inner = take_expression();
      expect(")");
      return inner;
    }
    if (here().kind != TokenKind::Name && !here().is("mode")) complain("an expression");
    ExpressionPtr name = make(Kind::Name, take());
    if (accept("[")) {
      name->args.push_back(take_expression());
      expect("]");
    }
    return name;
  }

  std::vector<Token> tokens_;
  std::size_t position_ = 0;
  std::size_t depth_ = 0;
  Algorithm algorithm_;
};

}  // namespace

Algorithm parse(const SourceFilePtr& file) {
  return Parser(file).run();
}

}  // namespace cohort::frontend::red
