// Rows of handles: arrays in which the k-th creation of a group stores its handle in element k, and which are waited
// for from the first element on.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "frontend/c/lower/inline.hpp"
#include "frontend/c/lower/points_to.hpp"
#include "frontend/c/lower/sharing.hpp"

namespace cohort::frontend::c::lower {

struct HandleRow {
  // A node of the creator that takes a handle out of the row, and the number of its element: `index` + `plus`.
  struct Look {
    NodeId node;
    TermId index;
    std::int64_t plus = 0;
  };
  // A node of the creator that stores the newest handle, and for how many there is room, where that is a constant.
  struct Store {
    NodeId node;
    std::optional<std::int64_t> room;
  };
  std::vector<Store> stores;
  std::vector<Look> looks;
  std::vector<NodeId> waits;  // for what was taken out, in the order of the elements
};

// The row that the threads created at `sites` are waited for from, where nothing else is done with their handles.
// `resolved` is the program with its allocations resolved, of which `points_to` and `sharing` speak.
std::optional<HandleRow> find_row(const Flat& flat, const Flat& resolved, const PointsTo& points_to,
                                  const Sharing& sharing, const ThreadTable& table, BodyId creator,
                                  const std::vector<NodeId>& sites);

}  // namespace cohort::frontend::c::lower
