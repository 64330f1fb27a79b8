// Proofs after the answer, for those who want to show them.
#pragma once

#include "base/env.hpp"
#include "result/answer.hpp"
#include "strategy/question.hpp"

namespace cohort::strategy {

// For SAFE without a certificate: looks for one, for at most as long as the answer took, or a little while.  The answer
// stays as it is where none is found.
void add_certificate(const Env& env, const model::Program& flat, const Options& options, result::Answer& answer);

}  // namespace cohort::strategy
