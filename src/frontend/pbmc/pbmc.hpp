// The front end for process programs, the language of the PBMC paper: text in, model out.  docs/pbmc-language.md
// describes the language.
#pragma once

#include <cstdint>

#include "base/env.hpp"
#include "base/source.hpp"
#include "model/program.hpp"

namespace cohort::frontend::pbmc {

inline constexpr std::uint32_t max_processes = 1024;
inline constexpr std::uint32_t max_array_size = 65536;

struct Options {
  // Variables without an initial value start as 0 or false instead of nondeterministic.
  bool zero_init = false;
};

// Throws InputError when the program is malformed or uses what is not supported.
model::Program load(const SourceFilePtr& file, const Options& options = {}, Env* env = nullptr);

}  // namespace cohort::frontend::pbmc
