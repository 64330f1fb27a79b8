// The front end for symmetric concurrent programs, the language of the SymmPA paper with what makes it pleasant to
// write: text in, model out.  docs/symmpa.md describes the language.
#pragma once

#include "base/source.hpp"
#include "model/program.hpp"

namespace cohort::frontend::scpl {

inline constexpr std::uint32_t max_threads = 1024;

// Throws InputError when the program is malformed or uses what is not supported.
model::Program load(const SourceFilePtr& file);

}  // namespace cohort::frontend::scpl
