// The Boolean broadcast program of the SymmPA paper (its figures 2 and 4), as text: one Boolean for each predicate,
// shared or local, and for each command which of them it havocs under which constraint.  A mixed predicate over a
// shared variable that the command assigns is havocked in all threads.  Constraints are those of cartesian.hpp.
#pragma once

#include <string>
#include <vector>

#include "abstraction/cartesian.hpp"
#include "abstraction/oracle.hpp"
#include "abstraction/predicates.hpp"

namespace cohort::abstraction {

// `steps` by command.  Empty where a limit stopped it; the oracle says why.
std::string boolean_program(Oracle& oracle, const Predicates& predicates, const std::vector<BroadcastStep>& steps);

}  // namespace cohort::abstraction
