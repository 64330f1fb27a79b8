// How many threads a program can have, as far as its control flow tells.
#pragma once

#include <cstdint>
#include <optional>

#include "model/program.hpp"

namespace cohort::model {

// At least as many threads as any execution creates, those at the start included; none where a thread is created in a
// loop or any number exists at the start.
std::optional<std::uint32_t> most_threads(const Program& program);

}  // namespace cohort::model
