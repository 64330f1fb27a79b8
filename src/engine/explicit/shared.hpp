// The explicit engine with threads that share memory (see shared_search.hpp).
#pragma once

#include <optional>
#include <string>

#include "engine/engine.hpp"

namespace cohort::engine::explicit_ {

// Do threads of this process search together, in one store?  Where checkpoints are kept, and between processes, workers
// send each other messages instead (partitioned.hpp).  One thread is a team, too, for full breadth-first searches: to
// look states up in batches is faster.
bool shares_memory(const Task& task);
// What threads cannot search together, in one sentence.
std::optional<std::string> refuses_to_share(const Task& task);
result::Result check_shared(Env& env, const Task& task);

}  // namespace cohort::engine::explicit_
