#include "frontend/token_reader.hpp"

#include <charconv>

#include <fmt/core.h>

#include "base/contract.hpp"
#include "frontend/text.hpp"

namespace cohort::frontend {

TokenReader::Level::Level(const TokenReader& reader, std::size_t& depth, std::size_t limit, std::string_view what)
    : depth_(depth) {
  if (depth_ == limit) throw_unsupported(reader.here(), fmt::format("{} nested more than {} levels deep", what, limit));
  ++depth_;
}

TokenReader::TokenReader(SourceFilePtr file, std::vector<Token> tokens)
    : file_(std::move(file)), tokens_(std::move(tokens)) {
  COHORT_EXPECT(file_ != nullptr, "there is a file to parse");
  COHORT_EXPECT(!tokens_.empty() && tokens_.back().kind == TokenKind::EndOfFile, "the tokens end with their mark");
}

void TokenReader::advance() {
  COHORT_EXPECT(!at_end(), "nothing is read behind the end");
  ++next_;
}

bool TokenReader::accept(std::string_view word) {
  if (!at(word)) return false;
  advance();
  return true;
}

void TokenReader::expect(std::string_view word, std::string_view where) {
  if (!accept(word)) fail(fmt::format("'{}' {}", word, where));
}

void TokenReader::fail(std::string_view expected) const {
  throw_malformed(here(), fmt::format("expected {}, found {}", expected, describe(token())));
}

Name TokenReader::take(std::string_view what, bool is_such) {
  if (!is_such) fail(what);
  Name name{std::string(token().text), here()};
  advance();
  return name;
}

model::Value TokenReader::take_number() {
  COHORT_EXPECT(at_number(), "a number stands here");
  model::Value value = 0;
  const std::string_view digits = token().text;
  const auto outcome = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (outcome.ec != std::errc())
    throw_unsupported(here(), "a number above 9223372036854775807 does not fit into 64 bits");
  advance();
  return value;
}

std::string TokenReader::text_since(std::size_t first) const {
  COHORT_EXPECT(next_ > first, "something was taken since");
  const std::size_t begin = tokens_[first].offset;
  const std::size_t end = tokens_[next_ - 1].offset + tokens_[next_ - 1].text.size();
  return normalized_text(std::string_view(file_->text()).substr(begin, end - begin));
}

std::string TokenReader::count_of(std::size_t count, std::string_view what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

void TokenReader::throw_too_deep(const SourceSpan& span) {
  throw_unsupported(span, fmt::format("expression nested more than {} levels deep", max_expression_depth));
}

}  // namespace cohort::frontend
