// From a finished Karp-Miller tree to an answer.
#pragma once

#include <optional>

#include "base/env.hpp"
#include "engine/unbounded/karp_miller.hpp"
#include "engine/unbounded/possible.hpp"
#include "result/result.hpp"

namespace cohort::engine::unbounded {

// After Violation: UNSAFE with an execution of few threads, or UNKNOWN where every one that is found is too long.
result::Result violation(Env& env, CounterSystem& system, const KarpMiller& tree);
// The same where an execution by the rules on the tree's path is found soon; else none.
std::optional<result::Result> quick_violation(Env& env, CounterSystem& system, const Possible& possible,
                                              const KarpMiller& tree);
// After Covered: SAFE, with the number of threads that reach everything where finding it costs little.
result::Result covered(Env& env, CounterSystem& system, const KarpMiller& tree);

}  // namespace cohort::engine::unbounded
