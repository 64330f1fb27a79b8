// A part of a state: the shared variables and some of the processes, its *members*, with what is known of the rest.
//
// A pointer to a member is its number (from 1 on), NULL is 0, and every other process is `outside`.  Beside the cells
// stand the members' *ranks* in queues.  A shared pointer is a queue's tail if all that is ever stored in it is NULL or
// the process that stores; a process is enqueued when it stores itself, and the ranks say in which order members were
// enqueued last (0: not yet).  A local pointer is a *predecessor* in the queue if it is only ever set to NULL, or to
// the tail in a step that enqueues right after.
//
// What is true of ranks in every state, whatever the program does (is_ordered()):
//   1. The tail, if it is not NULL, is the process that was enqueued last of all.
//   2. If the predecessor of b is a, and a has not been enqueued again since, nobody ranks between a and b: when b was
//      enqueued, a was the last of all, and whoever comes later ranks behind b.
// So an order of events that no variable holds tells neighbours from others.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "engine/pointer/layout.hpp"

namespace cohort::engine::pointer {

constexpr Cell outside = UINT16_MAX;

// A shared pointer that is the tail of a queue, and the local pointers that are predecessors in it.
struct Queue {
  std::size_t tail = 0;
  std::vector<std::size_t> predecessors;
};

std::vector<Queue> find_queues(const Layout& layout);

// The cells as in the layout, of so many processes as there are members; then for each member its rank in each queue.
using Part = Cells;

// Reads and rearranges parts; `layout` is of a program with at least as many processes as any part has members.
class Parts {
 public:
  Parts(const Layout& layout, std::vector<Queue> queues) : layout_(layout), queues_(std::move(queues)) {}

  const Layout& layout() const { return layout_; }
  const std::vector<Queue>& queues() const { return queues_; }

  std::size_t size(std::size_t members) const { return rank_cell(members, members, 0); }
  std::size_t rank_cell(std::size_t members, std::size_t member, std::size_t queue) const {
    return layout_.shared_count() + members * layout_.block() + member * queues_.size() + queue;
  }
  // Is the cell, of shared variables and processes, a pointer?
  bool is_pointer(std::size_t cell) const { return layout_.type(cell).pointer; }

  // Part `members` has so many; what is left are the chosen ones, in this order.
  Part project(const Part& part, std::size_t members, const std::vector<std::uint32_t>& chosen) const;
  // The least of all arrangements of the members.
  Part canonical(const Part& part, std::size_t members) const;
  // Facts 1 and 2, as far as the members show.
  bool is_ordered(const Part& part, std::size_t members) const;
  // The member stores itself in the tail of the queue.
  void enqueue(Part& part, std::size_t members, std::size_t member, std::size_t queue) const;

  // Calls visit(joined) for all parts whose members are those of `one` and the last of `other`, where both have the
  // same members before their last and agree on them.
  template <class Visit>
  void join(const Part& one, const Part& other, std::size_t members, Visit&& visit) const {
    const auto base = combine(one, other, members);
    if (!base) return;
    std::vector<std::size_t> open = open_pointers(*base, members + 1);
    for (const Part& ranked : merge_ranks(*base, one, other, members)) {
      for (std::uint64_t choice = 0; choice < (std::uint64_t{1} << open.size()); ++choice) {
        Part joined = ranked;
        for (std::size_t i = 0; i < open.size(); ++i) {
          const bool of_last = open[i] >= layout_.location_cell(members);
          if ((choice >> i & 1U) != 0) joined[open[i]] = static_cast<Cell>(of_last ? members : members + 1);
        }
        if (is_ordered(joined, members + 1)) visit(joined);
      }
    }
  }

 private:
  void compress_ranks(Part& part, std::size_t members) const;
  std::optional<Part> combine(const Part& one, const Part& other, std::size_t members) const;
  std::vector<std::size_t> open_pointers(const Part& joined, std::size_t members) const;
  std::vector<Part> merge_ranks(const Part& base, const Part& one, const Part& other, std::size_t members) const;

  const Layout& layout_;
  std::vector<Queue> queues_;
};

}  // namespace cohort::engine::pointer
