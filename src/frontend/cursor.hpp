// A position in the text of a source file that knows its line and column, for scanners written by hand.  The formats
// that use it can be megabytes of short lines, so it looks at each character once and allocates nothing.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "base/source.hpp"

namespace cohort::frontend {

class Cursor {
 public:
  explicit Cursor(SourceFilePtr file);

  bool at_end() const { return offset_ >= text_.size(); }
  // The character here, or NUL at the end (a NUL inside the text is reported by whoever meets it as a character).
  char peek(std::size_t ahead = 0) const { return offset_ + ahead < text_.size() ? text_[offset_ + ahead] : '\0'; }
  void advance();
  // Steps over `word` if it stands here.
  bool accept(std::string_view word);
  // Steps over blanks and comments that start with `#`; also over line ends when `across_lines`.
  void skip_blanks(bool across_lines);
  bool at_line_end() const { return at_end() || peek() == '\n'; }

  bool at_digit() const { return peek() >= '0' && peek() <= '9'; }
  // The decimal number that starts here; throws where there is none, calling it `what`, or where it exceeds `most`.
  std::uint64_t number(std::string_view what, std::uint64_t most);

  SourceSpan span() const { return {file_, line_, column_}; }
  std::uint32_t line() const { return line_; }
  std::size_t offset() const { return offset_; }
  std::string_view text_from(std::size_t start) const { return text_.substr(start, offset_ - start); }
  // "the end of the file", "the end of the line" or the character here, quoted: for messages.
  std::string describe_here() const;

 private:
  SourceFilePtr file_;
  std::string_view text_;
  std::size_t offset_ = 0;
  std::uint32_t line_ = 1;
  std::uint32_t column_ = 1;
};

}  // namespace cohort::frontend
