#include "frontend/text.hpp"

#include <algorithm>

namespace cohort::frontend {

bool is_blank(char c) {
  return c == ' ' || (c >= '\t' && c <= '\r');
}

std::size_t comment_end(std::string_view text, std::size_t begin) {
  if (text.substr(begin, 2) == "//") return std::min(text.find('\n', begin), text.size());
  if (text.substr(begin, 2) != "/*") return std::string_view::npos;
  const std::size_t close = text.find("*/", begin + 2);
  return close == std::string_view::npos ? text.size() + 1 : close + 2;
}

std::string normalized_text(std::string_view text) {
  std::string result;
  bool blank_pending = false;
  for (std::size_t i = 0; i < text.size();) {
    if (is_blank(text[i])) {
      blank_pending = true;
      ++i;
      continue;
    }
    if (const std::size_t end = comment_end(text, i); end != std::string_view::npos) {
      blank_pending = true;
      i = end;
      continue;
    }
    if (blank_pending && !result.empty()) result += ' ';
    blank_pending = false;
    result += text[i++];
  }
  return result;
}

}  // namespace cohort::frontend
