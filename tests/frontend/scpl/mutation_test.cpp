// Damaged programs: whatever the bytes, the front end either accepts them, and then the model is valid, or throws
// InputError with a place.  The seeds are the examples; damage is to bytes and to words; the random numbers are fixed.
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "frontend/scpl/lexer.hpp"
#include "frontend/scpl/scpl_text.hpp"
#include "model/validate.hpp"
#include "support/benchmarks.hpp"
#include "support/mutate.hpp"

namespace cohort::frontend::scpl {
namespace {

std::vector<std::string> seeds() {
  std::vector<std::string> texts;
  for (const auto& path : test::files_below(std::string(COHORT_SOURCE_DIR) + "/examples/scpl", ".scpl")) {
    texts.push_back(read_source_file(path.string())->text());
  }
  return texts;
}

// One word of the text replaced by a word of any of the texts: most damage of this kind gets past the lexer.
std::string exchange_word(std::string text, const std::vector<std::string>& texts, std::mt19937_64& random) {
  const auto file = test::text_file("t.scpl", text);
  const auto donor = test::text_file("t.scpl", texts[random() % texts.size()]);
  const std::vector<Token> words = tokenize(file);
  const std::vector<Token> others = tokenize(donor);
  const Token& word = words[random() % words.size()];
  const std::string other(others[random() % others.size()].text);
  return text.replace(word.offset, word.text.size(), other);
}

TEST(Mutation, OnlyInputErrorsComeOut) {
  constexpr int rounds = 6000;
  const std::vector<std::string> texts = seeds();
  ASSERT_GE(texts.size(), 15U);
  std::mt19937_64 random(20261116);
  int accepted = 0;
  for (int i = 0; i < rounds; ++i) {
    std::string text = texts[random() % texts.size()];
    text = random() % 2 == 0 ? exchange_word(text, texts, random) : test::mutate(text, random);
    try {
      model::validate(load_text(text));
      ++accepted;
    } catch (const InputError& error) {
      ASSERT_TRUE(error.span().known()) << text << "\n" << error.what();
    } catch (const std::exception& error) {
      FAIL() << error.what() << " on:\n" << text;
    }
  }
  // Both outcomes must be exercised, or the mutations are too timid or too wild.
  EXPECT_GT(accepted, rounds / 20);
  EXPECT_LT(accepted, rounds / 2);
}

TEST(Mutation, RandomBytesAreRefused) {
  std::mt19937 random(7);
  for (int i = 0; i < 2000; ++i) {
    std::string text(1 + random() % 200, '\0');
    for (char& c : text) c = static_cast<char>(random() % 256);
    EXPECT_THROW(load_text(text), InputError);
  }
}

}  // namespace
}  // namespace cohort::frontend::scpl
