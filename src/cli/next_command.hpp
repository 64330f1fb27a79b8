// The command line to try next, after an answer that advises an option.
#pragma once

#include <string>
#include <vector>

namespace cohort::cli {

// `arguments` of `cohort verify`, with the option that `advice` begins with ("--time-limit 80 gives more time") in
// place of any that was given, quoted for a shell, and what it is for after it; empty where the advice begins with
// none.
std::string next_command(const std::vector<std::string>& arguments, const std::string& advice);

}  // namespace cohort::cli
