// From a finished Karp-Miller tree to an answer.
#pragma once

#include "base/env.hpp"
#include "engine/unbounded/karp_miller.hpp"
#include "result/result.hpp"

namespace cohort::engine::unbounded {

// After Violation: UNSAFE with an execution of few threads, or UNKNOWN where every one that is found is too long.
result::Result violation(Env& env, CounterSystem& system, const KarpMiller& tree);
// After Covered: SAFE, with the number of threads that reach everything where finding it costs little.
result::Result covered(Env& env, CounterSystem& system, const KarpMiller& tree);

}  // namespace cohort::engine::unbounded
