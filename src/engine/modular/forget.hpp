// Large arrays, such as one of ten thousand handles, are no matter for invariants of a few threads: no candidate speaks
// of them, and each of their elements would be a term in every query.  So they are hidden, and what is computed from
// them with them (model/passes/hide.hpp): more behaviour, of which a proof holds for the program, too.
#pragma once

#include <optional>

#include "base/env.hpp"
#include "model/program.hpp"

namespace cohort::engine::modular {

// The program without its large arrays, which become Booleans that nobody reads; the numbers of places and variables
// stay, those of slots do not.  None: there are no such arrays, or something that a property sees depends on them.
std::optional<model::Program> without_large_arrays(Env& env, const model::Program& program);

}  // namespace cohort::engine::modular
