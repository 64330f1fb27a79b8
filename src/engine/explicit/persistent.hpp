// Stubborn sets for explicit states: a set of threads such that nothing that the other threads can do while these stand
// still has anything to do with their next steps.  Then only they need to move.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/explicit/footprint.hpp"
#include "engine/explicit/violation_check.hpp"

namespace cohort::engine::explicit_ {

class Persistent {
 public:
  Persistent(model::ThreadSystem& system, std::uint32_t bound)
      : system_(system),
        footprints_(system),
        bound_(bound),
        blocks_at_bound_(model::looks_for_deadlocks(system.program())) {}

  // Were sets found in enough states that it pays to look for more?
  bool pays() const;
  // Marks the cells whose threads move; false if all must.  No thread is inside an atomic section.  The same for the
  // same state, whenever it is asked.
  bool choose(model::SharedId shared, std::span<const Cell> cells, std::vector<bool>& chosen);

 private:
  struct Thread {
    const Footprint* next = nullptr;
    const Future* future = nullptr;
    bool moves = false;  // if nothing but the bound on threads prevents it
    bool steps = false;  // has a successor
  };

  bool conflict(std::size_t next, std::size_t other) const {
    return Footprints::conflict(*threads_[next].next, *threads_[other].future, full_);
  }
  bool steps(std::span<const model::ThreadSystem::Transition> transitions, std::uint32_t alive) const;
  void look(model::SharedId shared, std::span<const Cell> cells);
  std::size_t close(std::vector<bool>& inside, std::size_t best);
  void find_stuck(const std::vector<bool>& inside);

  model::ThreadSystem& system_;
  Footprints footprints_;
  const std::uint32_t bound_;
  const bool blocks_at_bound_;
  bool full_ = false;
  std::vector<Thread> threads_;  // by cell
  std::vector<bool> stuck_;
  std::uint64_t asked_ = 0;
  std::uint64_t answered_ = 0;
};

}  // namespace cohort::engine::explicit_
