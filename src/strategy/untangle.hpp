// Runs that people can read: as few context switches as easy reordering gives.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "model/run.hpp"

namespace cohort::strategy {

// How often a step is made by another thread than the one before.
std::size_t context_switches(const model::Run& run);

// A run with the same steps in another order, which starts and ends in the same states and has no more context
// switches.
model::Run untangle(const model::Program& program, std::optional<std::uint32_t> bound, model::Run run,
                    Env* env = nullptr);

}  // namespace cohort::strategy
