#include "frontend/pbmc/lexer.hpp"

namespace cohort::frontend::pbmc {

namespace {

constexpr std::string_view reserved_words[] = {"assert",   "assume", "atomic", "bool", "choose", "const",   "else",
                                               "false",    "faults", "if",     "init", "int",    "process", "processes",
                                               "property", "skip",   "true",   "when", "while"};

// Longer signs come before their prefixes.
constexpr std::string_view signs[] = {"==", "!=", "<=", ">=", "=>", "&&", "||", ":=", "..", "=",
                                      "<",  ">",  "+",  "-",  ".",  "*",  "/",  "%",  "!",  "?",
                                      ":",  ",",  ";",  "(",  ")",  "[",  "]",  "{",  "}"};

}  // namespace

std::vector<Token> tokenize(const SourceFilePtr& file) {
  return frontend::tokenize(file, {.reserved_words = reserved_words, .signs = signs});
}

}  // namespace cohort::frontend::pbmc
