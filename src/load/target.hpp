// A question about a thread state by values, for every language: `--target 's == 1 && l == 2'` asks whether a thread
// whose local variable l is 2 can exist while the shared variable s is 1.  See target.cpp.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "load/load.hpp"
#include "model/program.hpp"

namespace cohort::load {

// Is it written by values, and not in the notation of a format that has configurations of its own?
bool is_by_values(const std::string& target);

// The target that is written by values, which asking_for() makes a question about the flat program; none: there is
// none, or the front end for `path` has taken it.
std::optional<std::string> target_by_values(std::string_view path, const Options& options);

// The flat program that asks this and nothing else: it has what else stood in the file for the model's own ends (cuts)
// only.  Throws InputError with a place in the text of the target.  With `only_read`, a variable that nothing in the
// program reads is refused: what is stored there may have been left out.
model::Program asking_for(model::Program flat, const std::string& target, bool only_read = false);

}  // namespace cohort::load
