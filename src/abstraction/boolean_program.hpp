// The Boolean broadcast program of the SymmPA paper (its figures 2 and 4), as text: one Boolean for each predicate,
// shared or local, and for each command which of them it havocs under which constraint.  A mixed predicate over a
// shared variable that the command assigns is havocked in all threads.
//
// The constraint is the Cartesian abstraction with cubes: for a predicate that the command affects, each minimal cube
// over the predicates before the step that implies its value after it, and for a guard each minimal cube that excludes
// it.  Cubes of the active thread have at most `cube_length` literals (0: only where the value is constant or that of
// one predicate); for a passive thread, one literal of each of the two threads at most, which is what the broadcast
// s = l with s == l needs.
#pragma once

#include <string>

#include "abstraction/oracle.hpp"
#include "abstraction/predicates.hpp"

namespace cohort::abstraction {

// Empty where a limit stopped it; the oracle says why.
std::string boolean_program(Oracle& oracle, const Predicates& predicates, std::uint32_t cube_length);

}  // namespace cohort::abstraction
