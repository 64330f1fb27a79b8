#include "frontend/tokens.hpp"

#include <algorithm>

#include <fmt/core.h>

#include "base/contract.hpp"
#include "frontend/cursor.hpp"
#include "frontend/text.hpp"

namespace cohort::frontend {

namespace {

bool starts_name(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

void skip_blanks(Cursor& cursor, std::string_view text) {
  while (!cursor.at_end()) {
    if (is_blank(cursor.peek())) {
      cursor.advance();
      continue;
    }
    const std::size_t end = comment_end(text, cursor.offset());
    if (end == std::string_view::npos) return;
    if (end > text.size()) throw_malformed(cursor.span(), "this comment is not closed; expected '*/'");
    while (cursor.offset() < end) cursor.advance();
  }
}

TokenKind take_token(Cursor& cursor, const Vocabulary& vocabulary) {
  const std::size_t begin = cursor.offset();
  if (starts_name(cursor.peek())) {
    while (starts_name(cursor.peek()) || cursor.at_digit()) cursor.advance();
    const std::string_view name = cursor.text_from(begin);
    const auto& words = vocabulary.reserved_words;
    const bool reserved = std::find(words.begin(), words.end(), name) != words.end();
    return reserved ? TokenKind::Reserved : TokenKind::Name;
  }
  if (cursor.at_digit()) {
    const SourceSpan start = cursor.span();
    while (cursor.at_digit()) cursor.advance();
    if (starts_name(cursor.peek())) {
      throw_malformed(start, "a number runs into a name here; a name starts with a letter or '_'");
    }
    return TokenKind::Number;
  }
  for (const std::string_view sign : vocabulary.signs) {
    if (cursor.accept(sign)) return TokenKind::Sign;
  }
  throw_malformed(cursor.span(), fmt::format("unexpected {}", cursor.describe_here()));
}

}  // namespace

std::vector<Token> tokenize(const SourceFilePtr& file, const Vocabulary& vocabulary) {
  COHORT_EXPECT(file != nullptr, "there is a file to read");
  Cursor cursor(file);
  std::vector<Token> tokens;
  while (true) {
    skip_blanks(cursor, file->text());
    const SourceSpan span = cursor.span();
    Token token{TokenKind::EndOfFile, {}, cursor.offset(), span.line, span.column};
    if (!cursor.at_end()) {
      token.kind = take_token(cursor, vocabulary);
      token.text = cursor.text_from(token.offset);
    }
    tokens.push_back(token);
    if (token.kind == TokenKind::EndOfFile) return tokens;
  }
}

std::string describe(const Token& token) {
  if (token.kind == TokenKind::EndOfFile) return "the end of the file";
  constexpr std::size_t longest_quote = 60;
  if (token.text.size() <= longest_quote) return fmt::format("'{}'", token.text);
  return fmt::format("'{}...'", token.text.substr(0, longest_quote));
}

}  // namespace cohort::frontend
