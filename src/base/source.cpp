#include "base/source.hpp"

#include <cerrno>
#include <cstring>
#include <fstream>
#include <sstream>
#include <system_error>

#include <fmt/core.h>

#include "base/contract.hpp"

namespace cohort {

SourceFile::SourceFile(std::string name, std::string text) : name_(std::move(name)), text_(std::move(text)) {
  line_starts_.push_back(0);
  for (std::size_t i = 0; i < text_.size(); ++i) {
    if (text_[i] == '\n') line_starts_.push_back(i + 1);
  }
}

std::string_view SourceFile::line(std::uint32_t number) const {
  if (number == 0 || number > line_starts_.size()) return {};
  const std::size_t begin = line_starts_[number - 1];
  std::size_t end = number < line_starts_.size() ? line_starts_[number] - 1 : text_.size();
  if (end > begin && text_[end - 1] == '\r') --end;
  return std::string_view(text_).substr(begin, end - begin);
}

SourceFilePtr read_source_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  // A directory opens but cannot be read; both failures end here.
  if (in) text << in.rdbuf();
  if (!in || (text.str().empty() && in.bad())) {
    const std::string reason = errno != 0 ? std::generic_category().message(errno) : "cannot be read";
    throw_malformed({}, fmt::format("{}: {}", path, reason));
  }
  return std::make_shared<const SourceFile>(path, std::move(text).str());
}

std::string to_string(const SourceSpan& span) {
  if (!span.known()) return span.file != nullptr ? span.file->name() : std::string();
  return fmt::format("{}:{}:{}", span.file->name(), span.line, span.column);
}

InputError::InputError(Kind kind, SourceSpan span, const std::string& message)
    : std::runtime_error(message), kind_(kind), span_(std::move(span)) {}

std::string InputError::render() const {
  const std::string place = to_string(span_);
  const char* word = kind_ == Kind::Malformed ? "error" : "unsupported";
  std::string text =
      place.empty() ? fmt::format("{}: {}", word, what()) : fmt::format("{}: {}: {}", place, word, what());
  if (!span_.known()) return text;
  const std::string_view line = span_.file->line(span_.line);
  text += "\n  ";
  text += line;
  text += "\n  ";
  // Tabs are kept so that the caret stands below its column on any terminal.
  for (std::uint32_t i = 1; i < span_.column && i <= line.size(); ++i) text += line[i - 1] == '\t' ? '\t' : ' ';
  text += '^';
  return text;
}

void throw_malformed(const SourceSpan& span, const std::string& message) {
  throw InputError(InputError::Kind::Malformed, span, message);
}

void throw_unsupported(const SourceSpan& span, const std::string& message) {
  throw InputError(InputError::Kind::Unsupported, span, message);
}

}  // namespace cohort
