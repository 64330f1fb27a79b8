#include "frontend/bp/lexer.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/core.h>

#include "base/contract.hpp"
#include "frontend/text.hpp"

namespace cohort::frontend::bp {

namespace {

using Spelling = std::pair<std::string_view, TokenKind>;

constexpr std::array reserved_words = {
    Spelling{"F", TokenKind::False},
    Spelling{"T", TokenKind::True},
    Spelling{"abortif", TokenKind::AbortIf},
    Spelling{"assert", TokenKind::Assert},
    Spelling{"assume", TokenKind::Assume},
    Spelling{"atomic_begin", TokenKind::AtomicBegin},
    Spelling{"atomic_end", TokenKind::AtomicEnd},
    Spelling{"begin", TokenKind::Begin},
    Spelling{"bool", TokenKind::Bool},
    Spelling{"constrain", TokenKind::Constrain},
    Spelling{"dead", TokenKind::Dead},
    Spelling{"decl", TokenKind::Decl},
    Spelling{"dfs", TokenKind::Dfs},
    Spelling{"do", TokenKind::Do},
    Spelling{"else", TokenKind::Else},
    Spelling{"elsif", TokenKind::Elsif},
    Spelling{"end", TokenKind::End},
    Spelling{"end_thread", TokenKind::EndThread},
    Spelling{"enforce", TokenKind::Enforce},
    Spelling{"false", TokenKind::False},
    Spelling{"fi", TokenKind::Fi},
    Spelling{"goto", TokenKind::Goto},
    Spelling{"if", TokenKind::If},
    Spelling{"od", TokenKind::Od},
    Spelling{"return", TokenKind::Return},
    Spelling{"schoose", TokenKind::Schoose},
    Spelling{"skip", TokenKind::Skip},
    Spelling{"start_thread", TokenKind::StartThread},
    Spelling{"then", TokenKind::Then},
    Spelling{"thread_local", TokenKind::ThreadLocal},
    Spelling{"true", TokenKind::True},
    Spelling{"void", TokenKind::Void},
    Spelling{"while", TokenKind::While},
};

// Longer signs come before their prefixes.
constexpr std::array signs = {
    Spelling{"&&", TokenKind::And},
    Spelling{"||", TokenKind::Or},
    Spelling{":=", TokenKind::Assign},
    Spelling{"==", TokenKind::Equal},
    Spelling{"=>", TokenKind::Implies},
    Spelling{"!=", TokenKind::NotEqual},
    Spelling{"&", TokenKind::And},
    Spelling{"|", TokenKind::Or},
    Spelling{":", TokenKind::Colon},
    Spelling{",", TokenKind::Comma},
    Spelling{"=", TokenKind::Equal},
    Spelling{">", TokenKind::Greater},
    Spelling{"{", TokenKind::LeftBrace},
    Spelling{"[", TokenKind::LeftBracket},
    Spelling{"(", TokenKind::LeftParenthesis},
    Spelling{"<", TokenKind::Less},
    Spelling{"!", TokenKind::Not},
    Spelling{"~", TokenKind::Not},
    Spelling{"?", TokenKind::Question},
    Spelling{"'", TokenKind::Quote},
    Spelling{"}", TokenKind::RightBrace},
    Spelling{"]", TokenKind::RightBracket},
    Spelling{")", TokenKind::RightParenthesis},
    Spelling{";", TokenKind::Semicolon},
    Spelling{"*", TokenKind::Star},
    Spelling{"^", TokenKind::Xor},
};

// As is_blank: those of <cctype> depend on the locale and are undefined for negative characters.
bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
bool starts_name(char c) {
  return is_letter(c) || c == '_' || c == '$';
}
bool continues_name(char c) {
  return starts_name(c) || is_digit(c) || c == '#' || c == '-';
}

class Lexer {
 public:
  explicit Lexer(const SourceFilePtr& file) : file_(file), text_(file->text()) {}

  std::vector<Token> run() {
    while (true) {
      skip_blanks();
      tokens_.push_back({TokenKind::EndOfFile, position_, position_, line_, column_});
      if (position_ == text_.size()) return std::move(tokens_);
      Token& token = tokens_.back();
      token.kind = take_token();
      token.end = position_;
      COHORT_EXPECT(token.end > token.begin, "every token takes at least one character");
    }
  }

 private:
  SourceSpan here() const { return {file_, line_, column_}; }

  void advance(std::size_t count) {
    for (; count > 0; --count, ++position_) {
      ++column_;
      if (text_[position_] == '\n') {
        ++line_;
        column_ = 1;
      }
    }
  }

  void skip_blanks() {
    while (position_ < text_.size()) {
      if (is_blank(text_[position_])) {
        advance(1);
        continue;
      }
      const std::size_t end = comment_end(text_, position_);
      if (end == std::string_view::npos) return;
      if (end > text_.size()) throw_malformed(here(), "this comment is not closed; expected '*/'");
      advance(end - position_);
    }
  }

  TokenKind take_token() {
    const char first = text_[position_];
    if (starts_name(first)) return take_name();
    if (is_digit(first)) return take_number();
    for (const auto& [spelling, kind] : signs) {
      if (text_.substr(position_, spelling.size()) != spelling) continue;
      advance(spelling.size());
      return kind;
    }
    const auto code = static_cast<unsigned>(static_cast<unsigned char>(first));
    if (code > ' ' && code < 0x7f) throw_malformed(here(), fmt::format("unexpected character '{}'", first));
    throw_malformed(here(), fmt::format("unexpected byte 0x{:02x}", code));
  }

  TokenKind take_name() {
    const std::size_t begin = position_;
    while (position_ < text_.size() && (continues_name(text_[position_]) || is_inner_dot())) advance(1);
    const std::string_view name = text_.substr(begin, position_ - begin);
    const auto word = std::find_if(reserved_words.begin(), reserved_words.end(),
                                   [name](const Spelling& entry) { return entry.first == name; });
    return word == reserved_words.end() ? TokenKind::Name : word->second;
  }

  // A dot belongs to a name only when the name goes on behind it.
  bool is_inner_dot() const {
    return text_[position_] == '.' && position_ + 1 < text_.size() && continues_name(text_[position_ + 1]);
  }

  TokenKind take_number() {
    const SourceSpan start = here();
    while (position_ < text_.size() && is_digit(text_[position_])) advance(1);
    if (position_ < text_.size() && starts_name(text_[position_])) {
      throw_malformed(start, "a number runs into a name here; a name starts with a letter, '_' or '$'");
    }
    return TokenKind::Number;
  }

  SourceFilePtr file_;
  std::string_view text_;
  std::vector<Token> tokens_;
  std::size_t position_ = 0;
  std::uint32_t line_ = 1;
  std::uint32_t column_ = 1;
};

}  // namespace

std::vector<Token> tokenize(const SourceFilePtr& file) {
  COHORT_EXPECT(file != nullptr, "there is a file to read");
  return Lexer(file).run();
}

std::string_view text_of(const SourceFile& file, const Token& token) {
  COHORT_EXPECT(token.end <= file.text().size(), "the token belongs to this file");
  return std::string_view(file.text()).substr(token.begin, token.end - token.begin);
}

std::string describe(TokenKind kind) {
  switch (kind) {
    case TokenKind::EndOfFile: return "the end of the file";
    case TokenKind::Name: return "a name";
    case TokenKind::Number: return "a number";
    default: break;
  }
  const auto has_kind = [kind](const Spelling& entry) { return entry.second == kind; };
  if (const auto word = std::find_if(reserved_words.begin(), reserved_words.end(), has_kind);
      word != reserved_words.end()) {
    return fmt::format("'{}'", word->first);
  }
  const auto sign = std::find_if(signs.begin(), signs.end(), has_kind);
  COHORT_EXPECT(sign != signs.end(), "every kind has a spelling");
  return fmt::format("'{}'", sign->first);
}

std::string describe(const SourceFile& file, const Token& token) {
  if (token.kind == TokenKind::EndOfFile) return describe(token.kind);
  constexpr std::size_t longest_quote = 60;
  const std::string_view text = text_of(file, token);
  if (text.size() <= longest_quote) return fmt::format("'{}'", text);
  return fmt::format("'{}...'", text.substr(0, longest_quote));
}

}  // namespace cohort::frontend::bp
