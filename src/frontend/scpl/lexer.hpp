// The words of a symmetric concurrent program.
#pragma once

#include <vector>

#include "frontend/tokens.hpp"

namespace cohort::frontend::scpl {

std::vector<Token> tokenize(const SourceFilePtr& file);

}  // namespace cohort::frontend::scpl
