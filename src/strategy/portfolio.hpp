// All engines of a plan at work side by side, and the first answer that holds.
#pragma once

#include "base/env.hpp"
#include "result/answer.hpp"
#include "strategy/judge.hpp"
#include "strategy/plan.hpp"

namespace cohort::strategy {

// An engine that crashes, hangs, exhausts its memory or sends what does not hold is a line in the report of an UNKNOWN
// answer; the others go on.
result::Answer ask_all(Env& env, const Programs& programs, const Options& options, const Plan& plan);

}  // namespace cohort::strategy
