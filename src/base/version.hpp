// The version of this build, as in the project's CMakeLists.txt.
#pragma once

#include <string_view>

namespace cohort {

std::string_view version();

// What this build was made of, a `key: value` line each without a line break at the end: commit, compiler, libraries.
std::string_view build_facts();

}  // namespace cohort
