// Pointer algorithms from text.
#pragma once

#include <string>

#include "frontend/red/red.hpp"

namespace cohort::frontend::red {

inline model::Program load_text(const std::string& text, const Options& options = {}) {
  return load(std::make_shared<SourceFile>("test.red", text), options);
}

}  // namespace cohort::frontend::red
