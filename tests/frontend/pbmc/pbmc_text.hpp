// What the tests of this folder share: programs from text.
#pragma once

#include <string>

#include "frontend/pbmc/pbmc.hpp"
#include "support/diagnostics.hpp"

namespace cohort::frontend::pbmc {

inline model::Program load_text(const std::string& text, const Options& options = {}) {
  return load(test::text_file("t.pbmc", text), options);
}

// One process with this body, and the variables that the tests use.
inline std::string one_process(const std::string& body) {
  return "int x = 0, y = 0, a[3] = 0;\nbool p = false, q = false;\nprocesses 1;\nprocess P {\n " + body + "\n}\n";
}

}  // namespace cohort::frontend::pbmc
