// Threads that need no names: groups of threads that nobody can tell apart when they begin.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "frontend/c/lower/columns.hpp"
#include "frontend/c/lower/handle_rows.hpp"
#include "frontend/c/lower/inline.hpp"

namespace cohort::frontend::c::lower {

// Threads of one routine that one thread creates at some places, with the same argument and with nothing in between
// that others could observe.
struct ThreadGroup {
  BodyId creator;
  BodyId routine;               // what its threads execute
  std::vector<NodeId> sites;    // Spawn nodes of the creator
  bool repeated = false;        // a site is in a loop: how many threads there are is known at run time only
  bool drops_argument = false;  // the routine does not look at it
  std::uint64_t handles = 0;    // how many the program has room for, where that can be seen
  std::optional<Columns> columns{};
  std::optional<HandleRow> row{};
  bool meets = false;  // its threads keep what they return until somebody waits for one of them
};

// Do all threads of the routine belong to the group?
bool is_only_source(const Flat& flat, const ThreadGroup& group);

// The handle that a node waits for the end of; none if it does something else.
std::optional<TermId> awaited_handle(const Flat& flat, const Node& node, const ThreadTable& table);

// How many handles of threads that one place creates the program has room for, as far as that can be seen.
std::uint64_t room_for_handles(const Flat& flat);

// Takes away looks at the table of ended threads whose outcome nobody uses: a wait looks for itself.
void drop_idle_looks(Flat& flat, const ThreadTable& table);

// How many threads of the group can be told apart afterwards, where a place creates several.
std::uint64_t handles_followed(const Flat& flat, const ThreadGroup& group);

// All groups, if the program looks at threads only by waiting for their ends; else none.
std::vector<ThreadGroup> find_groups(const Flat& flat, const ThreadTable& table);

// Gives threads of groups with columns elements of their own.
void separate_columns(Flat& flat, const ThreadTable& table, std::vector<ThreadGroup>& groups);

}  // namespace cohort::frontend::c::lower
