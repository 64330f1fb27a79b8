// From text to the syntax tree of a symmetric concurrent program; docs/symmpa.md has the grammar.
#pragma once

#include <cstddef>

#include "frontend/scpl/ast.hpp"

namespace cohort::frontend::scpl {

inline constexpr std::size_t max_expression_depth = 400;
inline constexpr std::size_t max_block_depth = 200;

// Throws InputError.
Program parse(const SourceFilePtr& file);

}  // namespace cohort::frontend::scpl
