#include "frontend/red/lexer.hpp"

#include <algorithm>
#include <array>

#include <fmt/core.h>

#include "base/contract.hpp"
#include "frontend/cursor.hpp"

namespace cohort::frontend::red {

namespace {

// `count` is not among them: it stands after `process` only, and is a name elsewhere.
constexpr std::array reserved_words = {
    std::string_view{"NULL"},     std::string_view{"P"},        std::string_view{"and"},
    std::string_view{"constant"}, std::string_view{"discrete"}, std::string_view{"exists"},
    std::string_view{"false"},    std::string_view{"forall"},   std::string_view{"global"},
    std::string_view{"goto"},     std::string_view{"implies"},  std::string_view{"initially"},
    std::string_view{"local"},    std::string_view{"may"},      std::string_view{"mode"},
    std::string_view{"not"},      std::string_view{"or"},       std::string_view{"pointer"},
    std::string_view{"process"},  std::string_view{"risk"},     std::string_view{"safe"},
    std::string_view{"true"},     std::string_view{"when"},
};

// Longer signs come before their prefixes.
constexpr std::array signs = {
    std::string_view{"->"}, std::string_view{"=="}, std::string_view{"!="}, std::string_view{"<="},
    std::string_view{">="}, std::string_view{"=>"}, std::string_view{"&&"}, std::string_view{"||"},
    std::string_view{":="}, std::string_view{".."}, std::string_view{"="},  std::string_view{"<"},
    std::string_view{">"},  std::string_view{"!"},  std::string_view{"+"},  std::string_view{"-"},
    std::string_view{"*"},  std::string_view{"/"},  std::string_view{"("},  std::string_view{")"},
    std::string_view{"["},  std::string_view{"]"},  std::string_view{"{"},  std::string_view{"}"},
    std::string_view{","},  std::string_view{";"},  std::string_view{":"},
};

// More than any range or number of processes that could be explored, and far from where sums leave 64 bits.
constexpr std::uint64_t largest_number = 1'000'000'000;

bool starts_name(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

void skip_blanks(Cursor& cursor) {
  while (!cursor.at_end()) {
    const char here = cursor.peek();
    if (here == ' ' || (here >= '\t' && here <= '\r')) {
      cursor.advance();
    } else if (here == '/' && cursor.peek(1) == '/') {
      while (!cursor.at_line_end()) cursor.advance();
    } else if (here == '/' && cursor.peek(1) == '*') {
      const SourceSpan start = cursor.span();
      cursor.accept("/*");
      while (!cursor.accept("*/")) {
        if (cursor.at_end()) throw_malformed(start, "this comment is not closed; expected '*/'");
        cursor.advance();
      }
    } else {
      return;
    }
  }
}

Token take_token(Cursor& cursor) {
  Token token{.span = cursor.span()};
  if (starts_name(cursor.peek())) {
    for (; starts_name(cursor.peek()) || cursor.at_digit(); cursor.advance()) token.text += cursor.peek();
    const bool reserved = std::find(reserved_words.begin(), reserved_words.end(), token.text) != reserved_words.end();
    token.kind = reserved ? TokenKind::Word : TokenKind::Name;
    return token;
  }
  if (cursor.at_digit()) {
    token.kind = TokenKind::Number;
    token.number = static_cast<std::int64_t>(cursor.number("a number", largest_number));
    token.text = std::to_string(token.number);
    if (starts_name(cursor.peek())) throw_malformed(token.span, "a number runs into a name here");
    return token;
  }
  for (const std::string_view sign : signs) {
    if (!cursor.accept(sign)) continue;
    token.kind = TokenKind::Sign;
    token.text = sign;
    return token;
  }
  throw_malformed(cursor.span(), fmt::format("unexpected {}", cursor.describe_here()));
}

}  // namespace

std::vector<Token> tokenize(const SourceFilePtr& file) {
  Cursor cursor(file);
  std::vector<Token> tokens;
  for (skip_blanks(cursor); !cursor.at_end(); skip_blanks(cursor)) tokens.push_back(take_token(cursor));
  tokens.push_back({.span = cursor.span()});
  return tokens;
}

std::string describe(const Token& token) {
  if (token.kind == TokenKind::EndOfFile) return "the end of the file";
  return fmt::format("'{}'", token.text.substr(0, 60));
}

}  // namespace cohort::frontend::red
