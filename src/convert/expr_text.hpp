// Expressions as text of a target language, fully parenthesised, with constants folded away: a writer that enumerates
// choices gets short guards, and a guard that folds to false drops out.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "model/expr.hpp"

namespace cohort::convert {

struct Text {
  std::string text;
  std::optional<model::Value> constant;  // set when the text is a constant

  bool is_true() const { return constant && *constant != 0; }
  bool is_false() const { return constant && *constant == 0; }
};

// How the language spells the operators, where it differs from C; an empty `exclusive` is spelt as inequality, an empty
// `implies` as a disjunction.
struct Operators {
  std::string_view negate = "!";
  std::string_view conj = "&&";
  std::string_view disj = "||";
  std::string_view implies = {};
  std::string_view exclusive = {};
  std::string_view equal = "==";
  std::string_view unequal = "!=";
  std::string_view truth = "true";
  std::string_view falsity = "false";
  // Between condition, first and second branch; empty: spelt with `conj` and `disj`, for Booleans only.
  std::string_view question = "?";
  std::string_view colon = ":";
};

// The text of a variable or of a choice; for a choice it may be a constant.
using Leaf = std::function<Text(const model::Expr&, model::ExprId)>;

class ExprText {
 public:
  ExprText(const model::ExprPool& pool, const Operators& operators, Leaf leaf)
      : pool_(pool), operators_(operators), leaf_(std::move(leaf)) {}

  Text operator()(model::ExprId id) const;
  Text constant(model::Value value, const model::Type& type) const;
  // Spells a conjunction of operands that are texts already.
  Text conj(const Text& left, const Text& right) const;

 private:
  Text negate(const Text& operand) const;
  Text disj(const Text& left, const Text& right) const;
  Text equal(const Text& left, const Text& right, bool is_bool) const;
  Text unequal(const Text& left, const Text& right, bool is_bool) const;
  Text compare(model::Op op, const Text& left, const Text& right) const;
  Text choose(const Text& condition, const Text& first, const Text& second, bool is_bool) const;
  Text binary(std::string_view spelling, const Text& left, const Text& right) const;
  Text boolean(bool value) const;

  const model::ExprPool& pool_;
  Operators operators_;
  Leaf leaf_;
};

}  // namespace cohort::convert
