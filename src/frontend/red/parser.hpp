// Recursive descent over the tokens of a pointer algorithm; docs/pointer.md has the grammar.
#pragma once

#include "frontend/red/ast.hpp"

namespace cohort::frontend::red {

// Throws InputError (malformed) with the place and what was expected.
Algorithm parse(const SourceFilePtr& file);

}  // namespace cohort::frontend::red
