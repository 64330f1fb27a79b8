// The stopping points: names of all places where a run looks at its limits (see base/env.hpp).  A place whose name is
// missing here, or that no test stops at, fails the test `cli.stop_points`.
#pragma once

#include <span>
#include <string_view>

namespace cohort {

// In the order of the alphabet.
std::span<const std::string_view> stop_points();
bool is_stop_point(std::string_view name);

}  // namespace cohort
