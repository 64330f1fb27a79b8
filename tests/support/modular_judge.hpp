// Does an invariant of a few threads hold of a state?  Told from the JSON of a certificate alone, without a solver:
// formulas are evaluated with the values of the state.  So what the checker accepts can be compared with what is
// reachable.
#pragma once

#include <nlohmann/json.hpp>

#include "model/program.hpp"
#include "model/state.hpp"

namespace cohort::test {

// Every choice of threads of the state that makes a view is listed, and satisfies the formula of the view, in every
// order of threads at equal places.  Views with threads that have ended, or are not there yet, are not looked at.
bool views_hold(const model::Program& program, const nlohmann::json& certificate, const model::State& state);

}  // namespace cohort::test
