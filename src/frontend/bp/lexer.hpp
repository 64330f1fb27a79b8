// The words of a Boolean program.  The whole text becomes one vector of tokens that ends with TokenKind::EndOfFile, so
// the parser can look ahead freely.  Names follow boppo, [$A-Za-z_][A-Za-z0-9_$#-]*, and may in addition carry dots
// inside, as in the BOOM paper's `status.eq.SRV_DEAD`; there is no minus operator, so `-` in a name is harmless.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/source.hpp"

namespace cohort::frontend::bp {

enum class TokenKind {
  EndOfFile,
  Name,
  Number,
  // Reserved words.
  AbortIf,
  Assert,
  Assume,
  AtomicBegin,
  AtomicEnd,
  Begin,
  Bool,
  Constrain,
  Dead,
  Decl,
  Dfs,
  Do,
  Else,
  Elsif,
  End,
  EndThread,
  Enforce,
  False,
  Fi,
  Goto,
  If,
  Od,
  Return,
  Schoose,
  Skip,
  StartThread,
  Then,
  ThreadLocal,
  True,
  Void,
  While,
  // Signs.
  And,
  Assign,
  Colon,
  Comma,
  Equal,
  Greater,
  Implies,
  LeftBrace,
  LeftBracket,
  LeftParenthesis,
  Less,
  Not,
  NotEqual,
  Or,
  Question,
  Quote,
  RightBrace,
  RightBracket,
  RightParenthesis,
  Semicolon,
  Star,
  Xor,
};

// A token is text_of(file)[begin, end); line and column count from 1.
struct Token {
  TokenKind kind = TokenKind::EndOfFile;
  std::size_t begin = 0;
  std::size_t end = 0;
  std::uint32_t line = 1;
  std::uint32_t column = 1;
};

// Throws InputError on characters that no token starts with, on unterminated comments and on numbers glued to letters.
std::vector<Token> tokenize(const SourceFilePtr& file);

std::string_view text_of(const SourceFile& file, const Token& token);

// How a message speaks of a kind: `';'`, `a name`, `the end of the file`.
std::string describe(TokenKind kind);
// How a message speaks of a token that was found: `'foo'`, `the end of the file`.
std::string describe(const SourceFile& file, const Token& token);

}  // namespace cohort::frontend::bp
