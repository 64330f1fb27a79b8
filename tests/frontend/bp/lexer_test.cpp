#include "frontend/bp/lexer.hpp"
#include "frontend/text.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "frontend/bp/bp_text.hpp"

namespace cohort::frontend::bp {
namespace {

using testing::ElementsAre;

std::vector<std::string> words(const std::string& text) {
  const SourceFilePtr file = source(text);
  std::vector<std::string> result;
  for (const Token& token : tokenize(file)) result.emplace_back(text_of(*file, token));
  EXPECT_EQ(result.back(), "");
  result.pop_back();
  return result;
}

TEST(Lexer, TakesTheLongestSign) {
  EXPECT_THAT(words("a:=b&&c||d=>e==f!=g"),
              ElementsAre("a", ":=", "b", "&&", "c", "||", "d", "=>", "e", "==", "f", "!=", "g"));
  EXPECT_THAT(words("!='x"), ElementsAre("!=", "'", "x"));
  EXPECT_THAT(words("l1:assume(!*)"), ElementsAre("l1", ":", "assume", "(", "!", "*", ")"));
}

TEST(Lexer, KeepsDollarsDashesHashesAndInnerDotsInNames) {
  EXPECT_THAT(words("c$$thr1 $x x$ queueSize-equ-0 a#1 status.eq.SRV_DEAD"),
              ElementsAre("c$$thr1", "$x", "x$", "queueSize-equ-0", "a#1", "status.eq.SRV_DEAD"));
}

TEST(Lexer, TellsReservedWordsFromNamesThatStartWithThem) {
  const std::vector<Token> tokens = tokenize(source("T Tx end end_thread ending skip"));
  ASSERT_EQ(tokens.size(), 7U);
  EXPECT_EQ(tokens[0].kind, TokenKind::True);
  EXPECT_EQ(tokens[1].kind, TokenKind::Name);
  EXPECT_EQ(tokens[2].kind, TokenKind::End);
  EXPECT_EQ(tokens[3].kind, TokenKind::EndThread);
  EXPECT_EQ(tokens[4].kind, TokenKind::Name);
  EXPECT_EQ(tokens[5].kind, TokenKind::Skip);
}

TEST(Lexer, SkipsBothKindsOfComments) {
  EXPECT_THAT(words("a // b\nc /* d\n * e */ f//"), ElementsAre("a", "c", "f"));
  EXPECT_THAT(words("/**/a/***/b"), ElementsAre("a", "b"));
}

TEST(Lexer, CountsLinesAndColumnsFromOne) {
  const std::vector<Token> tokens = tokenize(source("a\r\n\tb /*\n*/ c"));
  ASSERT_EQ(tokens.size(), 4U);
  EXPECT_EQ(tokens[0].line, 1U);
  EXPECT_EQ(tokens[0].column, 1U);
  EXPECT_EQ(tokens[1].line, 2U);
  EXPECT_EQ(tokens[1].column, 2U);
  EXPECT_EQ(tokens[2].line, 3U);
  EXPECT_EQ(tokens[2].column, 4U);
}

TEST(Lexer, PutsAStatementOnOneLineWithoutComments) {
  EXPECT_EQ(normalized_text("  x,\ty :=\n y, // swap\n x /* both */ constrain\r\n 'x"), "x, y := y, x constrain 'x");
  EXPECT_EQ(normalized_text("a/*b*/c"), "a c");
}

}  // namespace
}  // namespace cohort::frontend::bp
