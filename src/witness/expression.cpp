#include "witness/expression.hpp"

#include <array>
#include <cctype>
#include <charconv>
#include <string_view>
#include <vector>

namespace cohort::witness {

namespace {

using model::Value;
using Operand = std::optional<Value>;

bool is_letter(char c) {
  return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_';
}
bool is_digit(char c) {
  return std::isdigit(static_cast<unsigned char>(c)) != 0;
}

struct Operator {
  std::string_view text;
  int strength;
};

// Longer ones first, so that `<=` is not taken for `<`.
constexpr std::array<Operator, 13> operators = {{{"||", 1},
                                                 {"&&", 2},
                                                 {"==", 3},
                                                 {"!=", 3},
                                                 {"<=", 4},
                                                 {">=", 4},
                                                 {"<", 4},
                                                 {">", 4},
                                                 {"+", 5},
                                                 {"-", 5},
                                                 {"*", 6},
                                                 {"/", 6},
                                                 {"%", 6}}};

Operand combine(std::string_view op, Operand left, Operand right) {
  // What is known of one side may be enough.
  if (op == "&&" && ((left && *left == 0) || (right && *right == 0))) return 0;
  if (op == "||" && ((left && *left != 0) || (right && *right != 0))) return 1;
  if (!left || !right) return std::nullopt;
  const Value a = *left;
  const Value b = *right;
  Value result = 0;
  if (op == "&&" || op == "||") return op == "&&" ? 1 : 0;
  if (op == "==") return a == b ? 1 : 0;
  if (op == "!=") return a != b ? 1 : 0;
  if (op == "<=") return a <= b ? 1 : 0;
  if (op == ">=") return a >= b ? 1 : 0;
  if (op == "<") return a < b ? 1 : 0;
  if (op == ">") return a > b ? 1 : 0;
  if (op == "+") return __builtin_add_overflow(a, b, &result) ? Operand() : Operand(result);
  if (op == "-") return __builtin_sub_overflow(a, b, &result) ? Operand() : Operand(result);
  if (op == "*") return __builtin_mul_overflow(a, b, &result) ? Operand() : Operand(result);
  if (b == 0 || b == -1) return std::nullopt;
  return op == "/" ? a / b : a % b;
}

class Evaluator {
 public:
  Evaluator(const model::Program& program, const model::State& state, std::optional<std::size_t> slot,
            std::string_view text, Operand result)
      : program_(program), state_(state), slot_(slot), text_(text), result_(result) {}

  Operand whole() {
    const Operand value = binary(1);
    skip_blanks();
    return failed_ || !text_.empty() ? std::nullopt : value;
  }

 private:
  void skip_blanks() {
    while (!text_.empty() && std::isspace(static_cast<unsigned char>(text_.front())) != 0) text_.remove_prefix(1);
  }

  bool take(std::string_view token) {
    skip_blanks();
    if (!text_.starts_with(token)) return false;
    text_.remove_prefix(token.size());
    return true;
  }

  const Operator* next_operator(int least) {
    skip_blanks();
    for (const Operator& op : operators) {
      if (text_.starts_with(op.text)) return op.strength >= least ? &op : nullptr;
    }
    return nullptr;
  }

  Operand binary(int least) {
    Operand left = unary();
    while (const Operator* op = failed_ ? nullptr : next_operator(least)) {
      text_.remove_prefix(op->text.size());
      left = combine(op->text, left, binary(op->strength + 1));
    }
    return left;
  }

  Operand unary() {
    // Nesting is that of a text that somebody wrote; what is deeper than any of those is refused.
    constexpr int deepest = 200;
    if (++depth_ > deepest) return fail();
    Operand value;
    if (take("!")) {
      value = unary();
      if (value) value = *value == 0 ? 1 : 0;
    } else if (take("-")) {
      value = combine("-", 0, unary());
    } else if (take("+")) {
      value = unary();
    } else if (take("(")) {
      value = binary(1);
      if (!take(")")) value = fail();
    } else {
      value = operand();
    }
    --depth_;
    return value;
  }

  Operand operand() {
    skip_blanks();
    if (take("\\result")) return result_;
    if (!text_.empty() && is_digit(text_.front())) return number();
    if (text_.empty() || !is_letter(text_.front())) return fail();
    return variable(name());
  }

  Operand number() {
    const int base = text_.starts_with("0x") || text_.starts_with("0X") ? 16 : 10;
    if (base == 16) text_.remove_prefix(2);
    Value value = 0;
    const auto [end, error] = std::from_chars(text_.data(), text_.data() + text_.size(), value, base);
    if (error != std::errc()) return fail();
    text_.remove_prefix(static_cast<std::size_t>(end - text_.data()));
    while (!text_.empty() && std::string_view("uUlL").find(text_.front()) != std::string_view::npos)
      text_.remove_prefix(1);
    return value;
  }

  // As variables of the model are called: `x`, `x.member`, `x[2]`.
  std::string name() {
    std::size_t length = 0;
    while (length < text_.size() && (is_letter(text_[length]) || is_digit(text_[length]) ||
                                     std::string_view(".[]").find(text_[length]) != std::string_view::npos)) {
      ++length;
    }
    std::string text(text_.substr(0, length));
    text_.remove_prefix(length);
    return text;
  }

  static Operand look_up(const std::vector<model::Variable>& variables, const model::Valuation& values,
                         const std::string& name) {
    for (const model::Variable& variable : variables) {
      if (!variable.type.is_array()) {
        if (variable.name == name) return values[variable.slot];
        continue;
      }
      for (std::uint32_t element = 0; element < variable.type.slots(); ++element) {
        if (variable.name + "[" + std::to_string(element) + "]" == name) return values[variable.slot + element];
      }
    }
    return std::nullopt;
  }

  Operand variable(const std::string& name) {
    if (slot_ && state_.threads[*slot_]) {
      const model::ThreadState& thread = *state_.threads[*slot_];
      if (const Operand local = look_up(program_.templ(thread.templ).locals, thread.locals, name)) return local;
    }
    return look_up(program_.shared, state_.shared, name);
  }

  Operand fail() {
    failed_ = true;
    return std::nullopt;
  }

  const model::Program& program_;
  const model::State& state_;
  const std::optional<std::size_t> slot_;
  std::string_view text_;
  const Operand result_;
  bool failed_ = false;
  int depth_ = 0;
};

}  // namespace

std::optional<Value> evaluate(const model::Program& program, const model::State& state, std::optional<std::size_t> slot,
                              const std::string& text, std::optional<Value> result) {
  return Evaluator(program, state, slot, text, result).whole();
}

std::vector<Value> constants_in(const std::string& text) {
  std::vector<Value> found;
  for (std::size_t at = 0; at < text.size();) {
    if (!is_digit(text[at])) {
      ++at;
      continue;
    }
    Value value = 0;
    const auto [end, error] = std::from_chars(text.data() + at, text.data() + text.size(), value);
    if (error == std::errc()) {
      found.push_back(value);
      if (at > 0 && text[at - 1] == '-') found.push_back(-value);
    }
    at = static_cast<std::size_t>(end - text.data());
  }
  return found;
}

}  // namespace cohort::witness
