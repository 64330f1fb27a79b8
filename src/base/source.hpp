// Places in the user's input, and the two exceptions that speak of them.  A SourceFile owns the text it was read from,
// so a diagnostic can show the offending line long after parsing.
#pragma once

#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace cohort {

class SourceFile {
 public:
  SourceFile(std::string name, std::string text);

  const std::string& name() const { return name_; }
  const std::string& text() const { return text_; }
  // Line `number` (from 1) without its line ending; empty past the end.
  std::string_view line(std::uint32_t number) const;

 private:
  std::string name_;
  std::string text_;
  std::vector<std::size_t> line_starts_;
};

using SourceFilePtr = std::shared_ptr<const SourceFile>;

// Reads a whole file; throws InputError (malformed) with the system's reason when it cannot be read.
SourceFilePtr read_source_file(const std::string& path);

// A place in a source file; line and column count from 1, line 0 means "no place known".
struct SourceSpan {
  SourceFilePtr file;
  std::uint32_t line = 0;
  std::uint32_t column = 0;

  bool known() const { return file != nullptr && line != 0; }
};

// "file:line:column", or "" when the place is unknown.
std::string to_string(const SourceSpan& span);

// The input cannot be taken: it is malformed (exit code 2), or well formed but outside what Cohort models (exit code
// 5).
class InputError : public std::runtime_error {
 public:
  enum class Kind { Malformed, Unsupported };

  InputError(Kind kind, SourceSpan span, const std::string& message);

  Kind kind() const { return kind_; }
  const SourceSpan& span() const { return span_; }
  // file:line:column: error: message, then the line and a caret below the column.
  std::string render() const;

 private:
  Kind kind_;
  SourceSpan span_;
};

[[noreturn]] void throw_malformed(const SourceSpan& span, const std::string& message);
[[noreturn]] void throw_unsupported(const SourceSpan& span, const std::string& message);

}  // namespace cohort
