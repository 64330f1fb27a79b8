// A first try in a process of its own: what a library may not survive (Spacer, when its budget is used up) costs an
// answer there and nothing here.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "base/env.hpp"

namespace cohort::engine::modular {

// What `work` returns, from 0 to 100, in a copy of this process that ends then.  None: the copy crashed, could not be
// made, or was ended because the run must.
std::optional<std::uint8_t> in_own_process(Env& env, const std::function<std::uint8_t()>& work);

}  // namespace cohort::engine::modular
