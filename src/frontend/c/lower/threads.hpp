// How often a body runs, and the numbers of threads.
#pragma once

#include <vector>

#include "frontend/c/lower/inline.hpp"
#include "frontend/c/lower/thread_groups.hpp"

namespace cohort::frontend::c::lower {

// A handle that is 0 is nobody's.
constexpr std::int64_t main_number = 1;

// However large an array of handles is, not more of them are followed.
constexpr std::uint64_t most_handles = 256;

// Nodes that can be executed again after they were executed.
std::vector<bool> nodes_in_loops(const Body& body);

// May the Spawn node start a thread of the body?
bool may_start(const Flat& flat, const Node& spawn, const Body& body);

// For each body: can it be executed by more than one thread, at a time or one after the other?
std::vector<bool> bodies_of_many(const Flat& flat);

// Does the program look at numbers of threads that it creates at one place several times, other than to hand them on?
bool reads_handles(const Flat& flat);

// Gives threads numbers and keeps the table of threads that have ended, as far as something looks at it, in terms of
// ordinary nodes and objects; the threads of a group share one number.  Afterwards no Spawn node has a result any more.
// Returns how many numbers there are.
std::uint64_t number_threads(Flat& flat, const ThreadTable& table, const std::vector<ThreadGroup>& groups);

}  // namespace cohort::frontend::c::lower
