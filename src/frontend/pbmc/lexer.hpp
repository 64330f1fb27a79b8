// The words of a process program.
#pragma once

#include <vector>

#include "frontend/tokens.hpp"

namespace cohort::frontend::pbmc {

std::vector<Token> tokenize(const SourceFilePtr& file);

}  // namespace cohort::frontend::pbmc
