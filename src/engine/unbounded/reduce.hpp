// A smaller net for the same question: can a target be covered?  See reduce.cpp.
#pragma once

#include <cstddef>
#include <optional>

#include "base/env.hpp"
#include "engine/unbounded/net.hpp"

namespace cohort::engine::unbounded {

struct Reduction {
  std::size_t transitions_before = 0;
  std::size_t transitions_after = 0;
  std::size_t controls_merged = 0;
  std::size_t places_merged = 0;
  std::size_t places_dropped = 0;
};

// None where a limit of the run was reached.
std::optional<Net> reduce(Env& env, const Net& net, Reduction& reduction);

}  // namespace cohort::engine::unbounded
