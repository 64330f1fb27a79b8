#include "report/condition.hpp"

#include <cctype>

#include <fmt/core.h>

namespace cohort::report {

std::string with_keyword(const SourceSpan& span, const std::string& part) {
  if (!span.known() || span.column == 0) return part;
  const std::string line(span.file->line(span.line));
  std::size_t at = span.column - 1;
  if (line.compare(at, part.size(), part) != 0) return part;
  for (std::size_t depth = 0; at-- > 0;) {
    if (line[at] == ';') return part;
    if (line[at] == ')') ++depth;
    if (line[at] != '(' || depth-- != 0) continue;
    depth = 0;
    std::size_t end = at;
    while (end > 0 && line[end - 1] == ' ') --end;
    std::size_t begin = end;
    while (begin > 0 && std::isalpha(static_cast<unsigned char>(line[begin - 1])) != 0) --begin;
    const std::string word = line.substr(begin, end - begin);
    if (word.empty()) continue;  // parentheses in the condition
    if (word != "if" && word != "while" && word != "switch") return part;
    std::size_t open = 0;
    for (std::size_t to = at; to < line.size(); ++to) {
      if (line[to] == '(') ++open;
      if (line[to] == ')' && --open == 0) return fmt::format("{} {}", word, line.substr(at, to + 1 - at));
    }
    return part;
  }
  return part;
}

}  // namespace cohort::report
