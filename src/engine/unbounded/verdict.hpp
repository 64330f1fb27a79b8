// The result for an execution that ends in a violation.
#pragma once

#include "engine/unbounded/realize.hpp"
#include "result/result.hpp"

namespace cohort::engine::unbounded {

result::Result unsafe(CounterSystem& system, const Execution& execution, const std::vector<Tokens>& goals);

}  // namespace cohort::engine::unbounded
