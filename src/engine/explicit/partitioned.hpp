// The explicit engine with several workers (see partitioned_search.hpp): threads of this process, or the processes that
// `options.ranks` connects.
#pragma once

#include <optional>
#include <string>

#include "engine/engine.hpp"

namespace cohort::engine::explicit_ {

// Is the task to be divided among workers?
bool is_divided(const Task& task);
// What cannot be divided, in one sentence.
std::optional<std::string> refuses_to_divide(const Task& task);
// In each process that takes part; all of them get the same answer.
result::Result check_divided(Env& env, const Task& task);

}  // namespace cohort::engine::explicit_
