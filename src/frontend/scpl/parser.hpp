// From text to the syntax tree of a symmetric concurrent program; docs/symmpa.md has the grammar.
#pragma once

#include "frontend/scpl/ast.hpp"

namespace cohort::frontend::scpl {

// Throws InputError.
Program parse(const SourceFilePtr& file);

}  // namespace cohort::frontend::scpl
