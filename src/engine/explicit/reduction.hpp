// Partial-order reduction for explicit states: is there a thread whose next steps commute with everything the others
// may ever do?  Then its steps alone are explored.  The conditions and the cycle proviso are static
// (model/dependence.hpp), and are looked up by the location of a local state, which is found once; what is left to see
// in a state is that the thread can move.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "engine/explicit/violation_check.hpp"
#include "model/analysis/dependence.hpp"
#include "model/thread_system.hpp"

namespace cohort::engine::explicit_ {

class Reduction {
 public:
  explicit Reduction(model::ThreadSystem& system) : system_(system), dependence_(system.program()) {}

  // The index in `cells` of the one that may be expanded alone; no thread is inside an atomic section.  Several cells
  // may have the same local state.
  std::optional<std::size_t> alone(model::SharedId shared, std::span<const Cell> cells) {
    for (std::size_t i = 0; i < cells.size(); ++i) {
      if (dependence_.candidate(node(cells[i].local)) && commutes(cells, i) &&
          !system_.successors(shared, cells[i].local).empty()) {
        return i;
      }
    }
    return std::nullopt;
  }

 private:
  using Node = model::Dependence::Node;
  static constexpr Node unknown = UINT32_MAX;

  // Does the next step of a thread of cells[mover] commute with all that the other threads may do?
  bool commutes(std::span<const Cell> cells, std::size_t mover) {
    const Node own = node(cells[mover].local);
    for (std::size_t i = 0; i < cells.size(); ++i) {
      if (i == mover && cells[i].count == 1) continue;
      if (!dependence_.commutes(own, node(cells[i].local))) return false;
    }
    return true;
  }

  Node node(model::LocalId local) {
    if (nodes_.size() <= local) nodes_.resize(local + 1, unknown);
    if (nodes_[local] == unknown) {
      const model::ThreadState& thread = system_.local(local);
      nodes_[local] = dependence_.node(thread.templ, thread.location);
    }
    return nodes_[local];
  }

  model::ThreadSystem& system_;
  model::Dependence dependence_;
  std::vector<Node> nodes_;  // by local state
};

}  // namespace cohort::engine::explicit_
