// The tokens of a `.spec` file: names, numbers, the few operators and the keywords, which are reserved.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/source.hpp"
#include "frontend/cursor.hpp"

namespace cohort::frontend::spec {

enum class TokenKind : std::uint8_t {
  Name,
  Number,
  Vars,
  Rules,
  Init,
  Target,
  Invariants,
  True,
  In,
  AtLeast,
  Equal,
  Arrow,
  Prime,
  Comma,
  Semicolon,
  Plus,
  Minus,
  Open,
  Close,
  End,
};

struct Token {
  TokenKind kind = TokenKind::End;
  std::string_view text;
  std::uint64_t number = 0;
  SourceSpan span;
};

// "'>='", "a name", ...: for messages.
const char* describe(TokenKind kind);

class Lexer {
 public:
  explicit Lexer(const SourceFilePtr& file) : cursor_(file) { next(); }

  const Token& token() const { return token_; }
  bool at(TokenKind kind) const { return token_.kind == kind; }
  // Returns the current token and goes to the next one.
  Token take();
  bool accept(TokenKind kind);
  Token expect(TokenKind kind);
  // Offsets in the text, to quote a rule as it was written.
  std::size_t token_offset() const { return token_offset_; }

 private:
  void next();
  TokenKind scan();

  Cursor cursor_;
  Token token_;
  std::size_t token_offset_ = 0;
};

}  // namespace cohort::frontend::spec
