// Partial-order reduction for explicit states: is there a thread whose next steps commute with everything the others
// may ever do?  Then its steps alone are explored.  The conditions and the cycle proviso are static
// (model/dependence.hpp); what is left to see in a state is that the thread can move.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "engine/explicit/cover.hpp"
#include "model/dependence.hpp"
#include "model/thread_system.hpp"

namespace cohort::engine::explicit_ {

class Reduction {
 public:
  explicit Reduction(model::ThreadSystem& system) : system_(system), dependence_(system.program()) {}

  // The index in `cells` of the one that may be expanded alone; no thread is inside an atomic section.  Several cells
  // may have the same local state.
  std::optional<std::size_t> alone(model::SharedId shared, std::span<const Cell> cells) {
    for (std::size_t i = 0; i < cells.size(); ++i) {
      const model::ThreadState& thread = system_.local(cells[i].local);
      if (!dependence_.candidate(thread.templ, thread.location)) continue;
      auto others = dependence_.nothing();
      for (std::size_t j = 0; j < cells.size(); ++j) {
        if (j == i && cells[i].count == 1) continue;
        const model::ThreadState& other = system_.local(cells[j].local);
        model::Dependence::add(others, dependence_.future(other.templ, other.location));
      }
      if (!dependence_.independent(thread.templ, thread.location, others)) continue;
      if (!system_.successors(shared, cells[i].local).empty()) return i;
    }
    return std::nullopt;
  }

 private:
  model::ThreadSystem& system_;
  model::Dependence dependence_;
};

}  // namespace cohort::engine::explicit_
