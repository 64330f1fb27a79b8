// Words, numbers and signs, as the languages with C's way of writing have them.  A token is a piece of the file's text;
// signs and reserved words are told apart by that text, so that parsers read like the grammar.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/source.hpp"

namespace cohort::frontend {

enum class TokenKind : std::uint8_t { EndOfFile, Name, Reserved, Number, Sign };

struct Token {
  TokenKind kind = TokenKind::EndOfFile;
  std::string_view text;   // lies in the file
  std::size_t offset = 0;  // where in the file it starts
  std::uint32_t line = 1;
  std::uint32_t column = 1;

  // Is it this sign or reserved word?
  bool is(std::string_view word) const {
    return (kind == TokenKind::Reserved || kind == TokenKind::Sign) && text == word;
  }
};

// A word of the program and its place.
struct Name {
  std::string text;
  SourceSpan span;
};

// What tells one language from another.
struct Vocabulary {
  std::span<const std::string_view> reserved_words;
  std::span<const std::string_view> signs;  // longer ones before their prefixes
};

// The last token is the end of the file.  Throws InputError on characters that no token starts with, on unterminated
// comments and on numbers glued to letters.
std::vector<Token> tokenize(const SourceFilePtr& file, const Vocabulary& vocabulary);

// How a message speaks of a token that was found: `'foo'`, `the end of the file`.
std::string describe(const Token& token);

}  // namespace cohort::frontend
