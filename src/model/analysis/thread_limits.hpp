// How many threads of each template there can ever be, as far as control flow tells.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "model/commands.hpp"

namespace cohort::model {

// By template, those at the start included; none: any number, or many.
std::vector<std::optional<std::uint64_t>> thread_limits(const Commands& commands);

}  // namespace cohort::model
