// From a node of a Karp-Miller tree to an execution: how many threads to start with, and which rules to fire.
#pragma once

#include <optional>
#include <vector>

#include "engine/unbounded/counter_system.hpp"
#include "engine/unbounded/karp_miller.hpp"

namespace cohort::engine::unbounded {

// A finite initial configuration and the rules fired from it.
struct Execution {
  Configuration start;
  std::vector<RuleId> rules;
};

// An execution that reaches at least `wanted` (finite, covered by the node's label) in the node's control state; none
// when it would take more than `max_steps` steps.
std::optional<Execution> unroll(const KarpMiller& tree, std::uint32_t node, const Tokens& wanted,
                                std::size_t max_steps);

// The threads of a violating configuration that are enough to violate: finite, covered by `tokens`.
Tokens violating_part(const CounterSystem& system, ControlId control, TokenView tokens, model::PropertyId property);

// The part of `start`'s initial configuration that is asked for, completed by the threads that must be there.
Configuration complete_start(const CounterSystem& system, const Configuration& initial, const Tokens& wanted);

}  // namespace cohort::engine::unbounded
