// The words of a pointer algorithm (.red).  The whole text becomes one vector of tokens that ends with
// TokenKind::EndOfFile.  Comments run from `//` to the end of the line or stand between `/*` and `*/`.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/source.hpp"

namespace cohort::frontend::red {

enum class TokenKind : std::uint8_t { EndOfFile, Name, Number, Word, Sign };

// Reserved words and signs are told apart by their text.
struct Token {
  TokenKind kind = TokenKind::EndOfFile;
  std::string text;
  std::int64_t number = 0;
  SourceSpan span;

  bool is(std::string_view word) const { return (kind == TokenKind::Word || kind == TokenKind::Sign) && text == word; }
};

// Throws InputError on characters that no token starts with, unterminated comments and numbers that are too large.
std::vector<Token> tokenize(const SourceFilePtr& file);

// How a message speaks of a token that was found: `'foo'`, `the end of the file`.
std::string describe(const Token& token);

}  // namespace cohort::frontend::red
