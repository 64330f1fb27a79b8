// From a flat program to an answer: simplify, let engines check, and believe nothing: the run of an UNSAFE verdict is
// lifted back to the flat program and executed on the interpreter before anyone sees it.
//
// `auto` gives the program to all engines of the plan (strategy/plan.hpp), each in a process of its own; what one of
// them sends that does not hold is its failure and not the others'.  A named engine works in this process, and a run of
// it that does not replay is an internal error.
#pragma once

#include "base/env.hpp"
#include "result/answer.hpp"
#include "strategy/question.hpp"

namespace cohort::strategy {

// Throws InternalError when a named engine's run does not replay or, with env.self_check, a certificate of SAFE does
// not hold: a bug of Cohort, never a verdict.
result::Answer verify(Env& env, const model::Program& flat, const Options& options);

}  // namespace cohort::strategy
