// Executes a violation witness: looks for a run of the program that passes its segments one by one and ends in the
// violation at the target.  What comes out has been executed on the interpreter, so it holds whoever wrote the witness.
//
// Problem: a witness leaves out most steps of the run that it stands for.  Method: a search over pairs of a state and
// the number of segments passed, best first: those that have passed more come first, then those with fewer steps of
// threads that the next waypoint does not speak of, then shorter runs.  So a witness that says enough is followed
// without search, and one that says little is still followed in the end.  A constraint that cannot be evaluated (a name
// that the model does not have) restricts nothing, and is named in the remarks.
//
// Cost: states that have to be kept, at worst all of the program for each number of segments passed.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/env.hpp"
#include "witness/witness.hpp"

namespace cohort::witness {

struct Followed {
  std::optional<model::Run> run;
  std::optional<model::PropertyId> property;  // that the run violates; none with a run: it ends in a fault
  std::size_t passed = 0;                     // the most segments that a run passes
  std::vector<std::string> remarks;           // what was not heeded
};

// Throws Stopped at the limits of `env`.
Followed follow(Env& env, const model::Program& program, const Witness& witness);

}  // namespace cohort::witness
