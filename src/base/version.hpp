// The version of this build, as in the project's CMakeLists.txt.
#pragma once

#include <string_view>

namespace cohort {

std::string_view version();

}  // namespace cohort
