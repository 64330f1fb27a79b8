#include "report/formula_text.hpp"

#include <cctype>
#include <charconv>
#include <cstdint>
#include <map>

#include <fmt/core.h>

namespace cohort::report {

namespace {

struct Term {
  std::string atom;  // empty: a list
  std::vector<Term> items{};

  bool is(std::string_view name) const { return atom == name; }
};

class Reader {
 public:
  explicit Reader(const std::string& text) : text_(text) {}

  std::optional<Term> read() {
    skip();
    if (at_ >= text_.size() || text_[at_] == ')') return std::nullopt;
    if (text_[at_] != '(') {
      const std::size_t from = at_;
      while (at_ < text_.size() && text_[at_] != '(' && text_[at_] != ')' && !is_space()) ++at_;
      return Term{.atom = text_.substr(from, at_ - from)};
    }
    ++at_;
    Term list;
    while (auto item = read()) list.items.push_back(std::move(*item));
    if (at_ < text_.size()) ++at_;
    return list;
  }

 private:
  bool is_space() const { return std::isspace(static_cast<unsigned char>(text_[at_])) != 0; }
  void skip() {
    while (at_ < text_.size() && is_space()) ++at_;
  }

  const std::string& text_;
  std::size_t at_ = 0;
};

std::optional<std::int64_t> number_of(const Term& term) {
  std::uint64_t bits = 0;
  const std::string& text = term.atom;
  if (text.starts_with("#x")) {
    // The last 16 digits are the number; those before them are its sign.
    const std::string_view digits = std::string_view(text).substr(text.size() > 18 ? text.size() - 16 : 2);
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), bits, 16);
    if (error != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
    return static_cast<std::int64_t>(bits);
  }
  if (term.items.size() == 3 && term.items[0].is("_") && term.items[1].atom.starts_with("bv")) {
    const std::string& digits = term.items[1].atom;
    const auto [end, error] = std::from_chars(digits.data() + 2, digits.data() + digits.size(), bits);
    if (error != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
    return static_cast<std::int64_t>(bits);
  }
  return std::nullopt;
}

// How tightly an operator binds; what binds less stands in parentheses.
struct Operator {
  std::string_view sign;
  int strength = 0;
};

const std::map<std::string_view, Operator>& operators() {
  static const std::map<std::string_view, Operator> all = {
      {"and", {"&&", 2}},      {"or", {"||", 1}},    {"=>", {"implies", 0}}, {"=", {"==", 3}},
      {"distinct", {"!=", 3}}, {"bvsle", {"<=", 4}}, {"bvslt", {"<", 4}},    {"bvsge", {">=", 4}},
      {"bvsgt", {">", 4}},     {"bvule", {"<=", 4}}, {"bvult", {"<", 4}},    {"bvuge", {">=", 4}},
      {"bvugt", {">", 4}},     {"bvadd", {"+", 5}},  {"bvsub", {"-", 5}},    {"bvmul", {"*", 6}},
      {"bvsdiv", {"/", 6}},    {"bvsrem", {"%", 6}}, {"bvsmod", {"%", 6}},   {"bvand", {"&", 6}},
      {"bvor", {"|", 6}},      {"bvxor", {"^", 6}},  {"bvshl", {"<<", 6}},   {"bvashr", {">>", 6}},
      {"bvlshr", {">>", 6}},
  };
  return all;
}

// x + -1 is x - 1, and x + 0 is x.
class Writer {
 public:
  explicit Writer(const FormulaNames& names) : names_(names) {}

  std::string write(const Term& term, int around = 0) {
    if (const auto number = number_of(term)) return std::to_string(*number);
    if (!term.atom.empty()) return atom(term.atom);
    if (term.items.empty()) return fail();
    const Term& head = term.items.front();
    // An extension of the width changes no value.
    if (!head.items.empty() && head.items.front().is("_") && term.items.size() == 2) {
      const bool extends = head.items.size() == 3 && head.items[1].atom.find("extend") != std::string::npos;
      return extends ? write(term.items[1], around) : fail();
    }
    if (head.is("not") && term.items.size() == 2) return negated(term.items[1], around);
    if (head.is("ite") && term.items.size() == 4) return choice(term, around);
    if (head.is("bvneg") && term.items.size() == 2) return "-" + write(term.items[1], 7);
    const auto known = operators().find(head.atom);
    const std::size_t least = head.is("and") || head.is("or") ? 2 : 3;
    if (known == operators().end() || term.items.size() < least) return fail();
    return joined(term, known->second, around);
  }

  bool failed() const { return failed_; }

 private:
  std::string fail() {
    failed_ = true;
    return "";
  }

  std::string atom(const std::string& text) {
    if (text == "true" || text == "false") return text;
    const auto name = names_(text);
    return name ? *name : fail();
  }

  // Conditions are written as numbers where they are compared with 1: (ite c 1 0).
  std::string choice(const Term& term, int around) {
    if (number_of(term.items[2]) == 1 && number_of(term.items[3]) == 0) return write(term.items[1], around);
    return fmt::format("({} ? {} : {})", write(term.items[1], 1), write(term.items[2], 1), write(term.items[3], 1));
  }

  std::string negated(const Term& term, int around) {
    static const std::map<std::string_view, std::string_view> opposites = {{"=", "distinct"},  {"distinct", "="},
                                                                           {"bvsle", "bvsgt"}, {"bvslt", "bvsge"},
                                                                           {"bvsge", "bvslt"}, {"bvsgt", "bvsle"}};
    if (!term.items.empty() && term.items.size() == 3) {
      const auto opposite = opposites.find(term.items.front().atom);
      if (opposite != opposites.end()) {
        Term turned = term;
        turned.items.front().atom = opposite->second;
        return write(turned, around);
      }
    }
    return "!" + write(term, 7);
  }

  std::string joined(const Term& term, const Operator& sign, int around) {
    std::string text;
    for (std::size_t i = 1; i < term.items.size(); ++i) {
      const Term& item = term.items[i];
      if (item.is("true") && sign.sign == "&&") continue;
      const auto number = number_of(item);
      if (sign.sign == "+" && number == 0) continue;
      if (sign.sign == "+" && number && *number < 0 && *number != INT64_MIN && !text.empty()) {
        text += fmt::format(" - {}", -*number);
        continue;
      }
      text += text.empty() ? "" : fmt::format(" {} ", sign.sign);
      text += write(item, sign.strength + 1);
    }
    if (text.empty()) return sign.sign == "+" ? "0" : "true";
    return sign.strength < around ? "(" + text + ")" : text;
  }

  const FormulaNames& names_;
  bool failed_ = false;
};

}  // namespace

std::vector<std::string> conjuncts_text(const std::string& formula, const FormulaNames& names) {
  std::vector<std::string> result;
  const auto root = Reader(formula).read();
  if (!root) return result;
  const bool is_conjunction = !root->items.empty() && root->items.front().is("and");
  const auto add = [&](const Term& term) {
    if (term.is("true")) return;
    Writer writer(names);
    const std::string text = writer.write(term);
    if (!writer.failed() && text != "true") result.push_back(text);
  };
  if (!is_conjunction) {
    add(*root);
    return result;
  }
  for (std::size_t i = 1; i < root->items.size(); ++i) add(root->items[i]);
  return result;
}

}  // namespace cohort::report
