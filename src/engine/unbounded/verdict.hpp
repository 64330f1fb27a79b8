// The results of the engines for any number of threads.
#pragma once

#include <optional>

#include "engine/unbounded/realize.hpp"
#include "result/result.hpp"

namespace cohort::engine::unbounded {

// SAFE, with the number of threads that suffice left open.
result::Result safe();
// UNSAFE, for an execution that ends in a violation.  Throws Stopped at the limits.
result::Result unsafe(Env& env, CounterSystem& system, const Execution& execution, const std::vector<Tokens>& goals);
// The same where a broadcast may block; none: one does.
std::optional<result::Result> try_unsafe(Env& env, CounterSystem& system, const Execution& execution,
                                         const std::vector<Tokens>& goals);

}  // namespace cohort::engine::unbounded
