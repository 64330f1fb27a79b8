// From text to the syntax tree of a process program; docs/pbmc-language.md has the grammar.
#pragma once

#include "frontend/pbmc/ast.hpp"

namespace cohort::frontend::pbmc {

// Throws InputError.
Program parse(const SourceFilePtr& file);

}  // namespace cohort::frontend::pbmc
