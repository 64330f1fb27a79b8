// Murphi for Rumur and CMurphi.  Threads are the elements of a scalarset, so that both reduce by symmetry.
#pragma once

#include <cstdint>
#include <string>

#include "model/program.hpp"

namespace cohort::convert {

// The program with at most `threads` threads alive, as the text of a `.m` file.  Takes flat programs of Booleans,
// ranges and fixed-width integers without arithmetic; refuses everything else by name.
std::string to_murphi(const model::Program& program, std::uint32_t threads);

}  // namespace cohort::convert
