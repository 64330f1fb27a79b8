// Programs without choices, as input for tools that have none and for experiments.
#pragma once

#include <cstdint>

#include "model/program.hpp"

namespace cohort::convert {

// Each `*` becomes one value of its type, drawn by `seed`; the same seed gives the same program.  A choice that several
// edges share (the two ways of an `if (*)`) becomes one value.  Uninitialised variables keep their freedom, and so does
// a `goto` with several targets.
model::Program determinize(model::Program program, std::uint64_t seed);

}  // namespace cohort::convert
