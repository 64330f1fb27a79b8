#include "frontend/spec/lexer.hpp"

#include <limits>
#include <utility>

#include <fmt/core.h>

namespace cohort::frontend::spec {

namespace {

bool starts_name(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
bool continues_name(char c) {
  return starts_name(c) || (c >= '0' && c <= '9');
}

TokenKind keyword_or_name(std::string_view text) {
  using enum TokenKind;
  static constexpr std::pair<std::string_view, TokenKind> keywords[] = {
      {"vars", Vars}, {"rules", Rules}, {"init", Init}, {"target", Target}, {"invariants", Invariants},
      {"true", True}, {"in", In},
  };
  for (const auto& [word, kind] : keywords) {
    if (word == text) return kind;
  }
  return Name;
}

}  // namespace

const char* describe(TokenKind kind) {
  switch (kind) {
    case TokenKind::Name: return "a variable";
    case TokenKind::Number: return "a number";
    case TokenKind::Vars: return "'vars'";
    case TokenKind::Rules: return "'rules'";
    case TokenKind::Init: return "'init'";
    case TokenKind::Target: return "'target'";
    case TokenKind::Invariants: return "'invariants'";
    case TokenKind::True: return "'true'";
    case TokenKind::In: return "'in'";
    case TokenKind::AtLeast: return "'>='";
    case TokenKind::Equal: return "'='";
    case TokenKind::Arrow: return "'->'";
    case TokenKind::Prime: return "\"'\"";
    case TokenKind::Comma: return "','";
    case TokenKind::Semicolon: return "';'";
    case TokenKind::Plus: return "'+'";
    case TokenKind::Minus: return "'-'";
    case TokenKind::Open: return "'['";
    case TokenKind::Close: return "']'";
    case TokenKind::End: return "the end of the file";
  }
  return "";
}

Token Lexer::take() {
  Token taken = token_;
  next();
  return taken;
}

bool Lexer::accept(TokenKind kind) {
  if (!at(kind)) return false;
  next();
  return true;
}

Token Lexer::expect(TokenKind kind) {
  if (!at(kind)) {
    throw_malformed(token_.span,
                    fmt::format("expected {}, found {}", describe(kind),
                                at(TokenKind::End) ? "the end of the file" : fmt::format("'{}'", token_.text)));
  }
  return take();
}

void Lexer::next() {
  cursor_.skip_blanks(true);
  token_offset_ = cursor_.offset();
  token_.span = cursor_.span();
  token_.number = 0;
  token_.kind = cursor_.at_end() ? TokenKind::End : scan();
  token_.text = cursor_.text_from(token_offset_);
}

TokenKind Lexer::scan() {
  if (cursor_.at_digit()) {
    token_.number = cursor_.number("a number", std::numeric_limits<std::uint32_t>::max() - 1);
    return TokenKind::Number;
  }
  if (starts_name(cursor_.peek())) {
    const std::size_t start = cursor_.offset();
    while (!cursor_.at_end() && continues_name(cursor_.peek())) cursor_.advance();
    return keyword_or_name(cursor_.text_from(start));
  }
  static constexpr std::pair<std::string_view, TokenKind> operators[] = {
      {">=", TokenKind::AtLeast}, {"->", TokenKind::Arrow},    {"=", TokenKind::Equal}, {"'", TokenKind::Prime},
      {",", TokenKind::Comma},    {";", TokenKind::Semicolon}, {"+", TokenKind::Plus},  {"-", TokenKind::Minus},
      {"[", TokenKind::Open},     {"]", TokenKind::Close},
  };
  for (const auto& [text, kind] : operators) {
    if (cursor_.accept(text)) return kind;
  }
  throw_malformed(cursor_.span(), fmt::format("{} has no meaning here", cursor_.describe_here()));
}

}  // namespace cohort::frontend::spec
