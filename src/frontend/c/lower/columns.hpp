// Columns: arrays of which each thread of a group has an element of its own while it lives.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "frontend/c/lower/points_to.hpp"
#include "frontend/c/lower/sharing.hpp"

namespace cohort::frontend::c::lower {

// A scalar of the elements that the threads work on.
struct Field {
  ir::TypeId type;
  std::optional<std::int64_t> start;  // what each thread begins with; none: it stores before it reads
};

struct Column {
  InstId array;
  std::map<std::int64_t, Field> fields{};  // by offset in the element
  InstId own{};                            // the thread's own element
  InstId answer{};                         // what the thread that was met last had in it
};

// The number of an element: a constant, or what a term comes to.
struct ElementNumber {
  std::optional<std::int64_t> constant;
  TermId term{};
};

// Where the element of a new thread is chosen.
struct SlotChoice {
  NodeId site;    // the creation
  NodeId chosen;  // the store of the argument to the temporary that hands it over, or the creation itself
  ElementNumber element{};
};

struct Columns {
  std::vector<Column> columns;
  bool by_pointer = false;  // threads are given the address of their element, else its number
  std::uint64_t count = 0;  // elements, of the shortest
  std::vector<SlotChoice> choices;
  std::map<NodeId, std::vector<ElementNumber>> looks{};  // nodes of the creator that access fields, and the elements
  InstId taken{};                                        // _Bool [count + 1]: elements of threads that nobody has met
  InstId slots{};                                        // by the number of the creation
  std::optional<InstId> created{};                       // counts creations, where they are in a loop
};

// The columns of threads that `creator` starts with `routine` at `sites`; none: their arguments tell them apart.
// `resolved` is the program with its allocations resolved, of which `points_to` and `sharing` speak.
std::optional<Columns> find_columns(const Flat& flat, const Flat& resolved, const PointsTo& points_to,
                                    const Sharing& sharing, BodyId creator, BodyId routine,
                                    const std::vector<NodeId>& sites, bool results_matter);

// Is the access one to a column, which is the creator's while no thread has it?
bool is_of_columns(const Flat& flat, const Columns& columns, AccessId access);

// Gives the threads elements of their own.  `capacity` is how many creations are followed.  Returns where the threads
// are created now, in the order of the sites.
std::vector<NodeId> separate_columns(Flat& flat, Columns& columns, BodyId creator, BodyId routine,
                                     const std::vector<NodeId>& sites, bool repeated, bool results_matter,
                                     std::uint64_t capacity);

}  // namespace cohort::frontend::c::lower
