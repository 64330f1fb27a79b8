// The front end for Boolean programs: text in, model out.  docs/boolean-programs.md describes the language.
#pragma once

#include <string>
#include <vector>

#include "base/env.hpp"
#include "base/source.hpp"
#include "model/program.hpp"

namespace cohort::frontend::bp {

struct Options {
  // Labels that must not be reached, besides SLIC_ERROR, which always is one.
  std::vector<std::string> error_labels;
  // Variables without an initial value start false instead of nondeterministic.
  bool zero_init = false;
};

// The program as written, calls not yet inlined.  Throws InputError when it is malformed or uses what is not supported.
model::Program load(const SourceFilePtr& file, const Options& options = {}, Env* env = nullptr);

}  // namespace cohort::frontend::bp
