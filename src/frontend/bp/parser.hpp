// Text of a Boolean program to its syntax tree.  Recursive descent with one token of look-ahead (two at the start of a
// statement, to tell labels, calls and assignments apart).  The language is boppo's, with what STAR, BOOM and ijit
// write differently: procedures without a type, `{ }` for `begin end`, integer labels, initialisers in declarations.
//
// Precedence, loosest first: `?:`, then `=> = !=` (one level, right associative), `^`, `|`, `&`, prefix `! ~`.
// Recursion is bounded by the two limits on nesting, so that no input can exhaust the stack, in builds with sanitizers
// (whose frames are several times larger) neither.
#pragma once

#include <cstddef>

#include "frontend/bp/ast.hpp"

namespace cohort::frontend::bp {

inline constexpr std::size_t max_block_nesting = 200;
inline constexpr std::size_t max_expression_nesting = 1000;
inline constexpr std::size_t max_results = 1024;

// Throws InputError at the first place where the text is not a Boolean program.
Program parse(const SourceFilePtr& file);

}  // namespace cohort::frontend::bp
