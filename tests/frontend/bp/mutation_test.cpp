// Damaged programs: whatever the bytes, the front end either accepts them or throws InputError.  Mutations work on
// bytes and on tokens of small programs that together use the whole language; the seed is fixed, so a failure is
// reproducible.
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "frontend/bp/bp.hpp"
#include "frontend/bp/bp_text.hpp"
#include "frontend/bp/lexer.hpp"

namespace cohort::frontend::bp {
namespace {

const std::vector<std::string> seeds = {
    "decl g, h := 1;\nvoid main() begin\n decl x, y := *;\n L: x, y := y, x constrain 'x = !y;\n"
    " if x & g then goto L, M; elsif !y then h := schoose[x, g] else skip fi;\n M: start_thread goto L;\n"
    " x, x$ := 1, 0 constrain !'x$ | g;\n assert(!x | *);\nend\n",
    "decl thread_local t;\nbool<2> f(a, b) begin enforce a | b; return b ^ a, a => b end\n"
    "void main() begin decl u, v; u, _ := f(T, *); while u != v do dead v; abortif ~u; od ASYNC_1: w(u); end_thread "
    "end\n"
    "dfs void w(z) begin atomic_begin; assume z ? 0 : 1; atomic_end; SLIC_ERROR: return end\n",
    "main() { decl i.lt.n, c$$d; 1: i.lt.n := true; // one\n 2: goto 1, 3; /* two */ 3: start_thread 2; w() }\n"
    "void w() begin end",
};

// Pieces of the language, to be spliced in anywhere.
const std::vector<std::string> pieces = {
    "decl",       "void",
    "bool",       "<",
    ">",          "begin",
    "end",        "if",
    "then",       "elsif",
    "else",       "fi",
    "while",      "do",
    "od",         "goto",
    ":=",         "constrain",
    "schoose",    "[",
    "]",          "(",
    ")",          "{",
    "}",          ",",
    ";",          ":",
    "'",          "$",
    "x$",         "*",
    "!",          "&",
    "|",          "^",
    "=",          "=>",
    "!=",         "?",
    "_",          "0",
    "1",          "2",
    "T",          "F",
    "x",          "g",
    "f",          "main",
    "L",          "start_thread",
    "end_thread", "atomic_begin",
    "ASYNC_1",    "return",
    "assume",     "assert",
    "enforce",    "dead",
    "abortif",    "sync e",
    "wait",       "thread_local",
    "//",         "/*",
    "*/",         "\n",
    "\x80",       "@",
};

class Mutator {
 public:
  explicit Mutator(std::uint32_t seed) : random_(seed) {}

  std::string mutate(std::string text) {
    for (std::size_t rounds = 1 + below(3) / 2 * below(5); rounds > 0; --rounds) {
      switch (below(6)) {
        case 0: flip_byte(text); break;
        case 1: text.erase(below(text.size() + 1), 1 + below(3)); break;
        case 2: text.insert(below(text.size() + 1), pieces[below(pieces.size())]); break;
        case 3: replace_token(text); break;
        case 4: text.resize(below(text.size() + 1)); break;
        default: duplicate_part(text); break;
      }
    }
    return text;
  }

 private:
  std::size_t below(std::size_t bound) { return random_() % bound; }

  void flip_byte(std::string& text) {
    if (!text.empty()) text[below(text.size())] = static_cast<char>(below(256));
  }

  void replace_token(std::string& text) {
    try {
      const std::vector<Token> tokens = tokenize(source(text));
      const Token& token = tokens[below(tokens.size())];
      text.replace(token.begin, token.end - token.begin, " " + pieces[below(pieces.size())] + " ");
    } catch (const InputError&) {
      flip_byte(text);
    }
  }

  void duplicate_part(std::string& text) {
    const std::size_t from = below(text.size() + 1);
    const std::string part = text.substr(from, below(40));
    text.insert(below(text.size() + 1), part);
  }

  std::mt19937 random_;
};

TEST(Mutation, SeedsAreAccepted) {
  for (const std::string& seed : seeds) EXPECT_NO_THROW(load(source(seed))) << seed;
}

TEST(Mutation, OnlyInputErrorsComeOut) {
  constexpr int rounds = 20000;
  Mutator mutator(20240607);
  int accepted = 0;
  int refused = 0;
  for (int i = 0; i < rounds; ++i) {
    const std::string text = mutator.mutate(seeds[static_cast<std::size_t>(i) % seeds.size()]);
    try {
      load(source(text));
      ++accepted;
    } catch (const InputError& error) {
      ++refused;
      ASSERT_TRUE(error.span().known()) << text << "\n" << error.what();
      ASSERT_FALSE(error.render().empty());
    } catch (const std::exception& error) {
      FAIL() << error.what() << " on:\n" << text;
    }
  }
  // Both outcomes must be exercised, or the mutations are too timid or too wild.
  EXPECT_GT(accepted, rounds / 50);
  EXPECT_GT(refused, rounds / 2);
}

TEST(Mutation, RandomBytesAreRefused) {
  std::mt19937 random(7);
  for (int i = 0; i < 2000; ++i) {
    std::string text(1 + random() % 200, '\0');
    for (char& c : text) c = static_cast<char>(random() % 256);
    EXPECT_THROW(load(source(text)), InputError);
  }
}

}  // namespace
}  // namespace cohort::frontend::bp
