#include "frontend/cursor.hpp"

#include <fmt/core.h>

#include "base/contract.hpp"

namespace cohort::frontend {

Cursor::Cursor(SourceFilePtr file) : file_(std::move(file)) {
  COHORT_EXPECT(file_ != nullptr, "a cursor needs a file");
  text_ = file_->text();
}

void Cursor::advance() {
  COHORT_EXPECT(!at_end(), "nothing to step over at the end of the text");
  if (text_[offset_++] == '\n') {
    ++line_;
    column_ = 1;
  } else {
    ++column_;
  }
}

bool Cursor::accept(std::string_view word) {
  if (text_.substr(offset_, word.size()) != word) return false;
  for (std::size_t i = 0; i < word.size(); ++i) advance();
  return true;
}

void Cursor::skip_blanks(bool across_lines) {
  while (!at_end()) {
    const char here = peek();
    if (here == '#') {
      while (!at_line_end()) advance();
    } else if (here == ' ' || here == '\t' || here == '\r' || (here == '\n' && across_lines)) {
      advance();
    } else {
      return;
    }
  }
}

std::uint64_t Cursor::number(std::string_view what, std::uint64_t most) {
  if (!at_digit()) throw_malformed(span(), fmt::format("expected {}, found {}", what, describe_here()));
  const SourceSpan start = span();
  std::uint64_t value = 0;
  while (at_digit()) {
    const std::uint64_t digit = static_cast<std::uint64_t>(peek() - '0');
    if (value > (most - digit) / 10 || digit > most) {
      throw_malformed(start, fmt::format("{} is larger than {}", what, most));
    }
    value = value * 10 + digit;
    advance();
  }
  return value;
}

std::string Cursor::describe_here() const {
  if (at_end()) return "the end of the text";
  const char here = peek();
  if (here == '\n') return "the end of the line";
  const auto code = static_cast<unsigned char>(here);
  if (code < 0x20 || code > 0x7e) return fmt::format("a character with code {}", static_cast<unsigned>(code));
  return fmt::format("'{}'", here);
}

}  // namespace cohort::frontend
