// What becomes of an engine's result: nothing is believed that can be checked.
#pragma once

#include <optional>
#include <string>

#include "base/env.hpp"
#include "model/passes/simplify.hpp"
#include "result/answer.hpp"
#include "strategy/plan.hpp"

namespace cohort::strategy {

// The program that engines see, and the one that is asked about.
struct Programs {
  const model::Program& flat;
  const model::Simplified* simplified = nullptr;  // none: engines see the flat program

  const model::Program& seen() const { return simplified != nullptr ? simplified->program : flat; }
};

// A result that does not hold: a bug of the engine that gave it.
class WrongResult : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// The answer that a job's result gives to the question about `threads`.  A run is replayed, on what the engine saw and,
// lifted, on the flat program.  SAFE with a bound that nobody asked for is UNKNOWN
// with what was established, unless no execution has more threads; and so is UNSAFE where a run needs the bound.
// Throws WrongResult.
result::Answer judge(Env& env, const Programs& programs, const Threads& threads, const Job& job, result::Result result);

// Gives the certificate of a SAFE answer to its checker; where that is stopped by a limit, the answer is UNKNOWN.
// Throws WrongResult.
void check_proof(Env& env, const Programs& programs, result::Answer& answer);

}  // namespace cohort::strategy
