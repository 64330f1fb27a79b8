#include "result/modular_formula.hpp"

#include <algorithm>

#include <fmt/core.h>

#include "result/checking.hpp"

namespace cohort::result {

ViewFormula::ViewFormula(const std::string& text, const std::function<bool(const std::string&)>& is_variable) {
  static const std::set<std::string> operators{
      "and",    "or",     "not",    "=>",   "=",     "ite",   "bvsle",       "bvslt",       "bvadd",
      "bvsub",  "bvmul",  "bvand",  "bvor", "bvxor", "bvnot", "bvneg",       "bvshl",       "bvashr",
      "bvsmod", "bvsdiv", "bvsrem", "true", "false", "_",     "sign_extend", "zero_extend", "extract"};
  bool done = false;
  long depth = 0;
  for (std::size_t at = 0; at < text.size();) {
    const char c = text[at];
    std::string token(1, c);
    if (c == ' ' || c == '\n') {
      ++at;
      continue;
    }
    if (c == '(' || c == ')') {
      depth += c == '(' ? 1 : -1;
      ++at;
    } else {
      const std::size_t end = std::min(text.find_first_of(" \n()", at), text.size());
      token = text.substr(at, end - at);
      at = end;
      const bool numeral = token.find_first_not_of("0123456789") == std::string::npos;
      const bool bits = token.starts_with("#x") && token.find_first_not_of("0123456789abcdef", 2) == std::string::npos;
      if (!operators.contains(token) && !numeral && !bits && !is_variable(token)) {
        refute(fmt::format("the invariant of a view has the word '{}'", token));
      }
    }
    // One expression, so that the text cannot end the assertion it stands in.
    const bool ended = !tokens_.empty() && (tokens_[0] != "(" || done);
    if (depth < 0 || ended) refute("the invariant of a view is not one expression");
    tokens_.push_back(std::move(token));
    done = depth == 0;
  }
  if (depth != 0 || tokens_.empty()) refute("the invariant of a view is not one expression");
}

std::string ViewFormula::instance(const std::vector<std::string>& shared,
                                  const std::vector<const std::vector<std::string>*>& locals) const {
  std::string text;
  for (const std::string& token : tokens_) {
    if (!text.empty() && text.back() != '(' && token != ")") text += ' ';
    if (token[0] == 'g') {
      text += shared[std::stoul(token.substr(1))];
    } else if (token[0] == 't' && token != "true") {
      const std::size_t dot = token.find('.');
      text += (*locals[std::stoul(token.substr(1, dot - 1))])[std::stoul(token.substr(dot + 1))];
    } else {
      text += token;
    }
  }
  return text;
}

bool ViewFormula::mentions(const std::set<std::string>& names) const {
  return std::any_of(tokens_.begin(), tokens_.end(), [&](const std::string& token) { return names.contains(token); });
}

}  // namespace cohort::result
