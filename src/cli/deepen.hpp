// Bounds of a front end that raise themselves.
//
// What C programs have any number of (objects of one malloc, elements of an array, threads that are told apart, nested
// calls) is followed to a bound, and an execution that exceeds it is cut, which the answer says.  A bound that nobody
// gave on the command line is a first guess: where an execution exceeds it, the program is read again with twice as
// much, until no execution asks for more, a violation is found, or the bound is so large that states would be, too.
// A bound never makes a verdict: SAFE means that no cut is reached, and a run to a violation has none on its way.
// Once a violation below a bound has been looked for in vain as long as it took to reach the cut, the next bound is
// more promising.  Recursion of Boolean programs has another way out, which is tried first: calls beyond the bound that
// may do more than they can (see model/passes/inline.hpp), for which the program is safe or nothing is said.  Without a
// time limit the whole search with raised bounds has a minute.
#pragma once

#include <cstdint>
#include <optional>

#include "base/env.hpp"
#include "base/watchdog.hpp"
#include "cli/input_arguments.hpp"
#include "model/program.hpp"
#include "result/answer.hpp"
#include "strategy/question.hpp"

namespace cohort::cli {

// Reads the program and answers; afterwards `program` is what the answer speaks of, and `input` says how it was read.
// Throws what reading it the first time throws; `unheard` ends the run where a limit is met in there and nobody asks.
result::Answer verify_deepening(Env& env, InputArguments& input, strategy::Options options, model::Program& program,
                                const Watchdog::GiveUp& unheard);

}  // namespace cohort::cli
