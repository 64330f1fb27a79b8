// What the tests of this folder share: programs from text.
#pragma once

#include <string>

#include "frontend/scpl/scpl.hpp"
#include "support/diagnostics.hpp"

namespace cohort::frontend::scpl {

inline model::Program load_text(const std::string& text) {
  return load(test::text_file("t.scpl", text));
}

// The paper's form with this body, in the fourth line, and the variables that the tests use.
inline std::string body(const std::string& statements) {
  return "shared x = 0, y = 0;\nshared bool p = false, q = false;\nlocal uint8 a = 3; local bool b = true;\n" +
         statements + "\n";
}

}  // namespace cohort::frontend::scpl
