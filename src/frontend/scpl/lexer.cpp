#include "frontend/scpl/lexer.hpp"

namespace cohort::frontend::scpl {

namespace {

constexpr std::string_view reserved_words[] = {"assert", "assume", "atomic", "else",   "false", "goto", "if",   "local",
                                               "shared", "skip",   "start",  "thread", "true",  "when", "while"};

// Longer signs come before their prefixes.
constexpr std::string_view signs[] = {"==", "!=", "<=", ">=", "&&", "||", ":=", "=", "<", ">", "+", "-", "*",
                                      "/",  "%",  "!",  "?",  ":",  ",",  ";",  "(", ")", "[", "]", "{", "}"};

}  // namespace

std::vector<Token> tokenize(const SourceFilePtr& file) {
  return frontend::tokenize(file, {.reserved_words = reserved_words, .signs = signs});
}

}  // namespace cohort::frontend::scpl
