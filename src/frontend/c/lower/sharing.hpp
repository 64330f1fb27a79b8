// Which objects are seen by one thread only, which cells are never written, and which are certainly written before they
// are read.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <vector>

#include "frontend/c/lower/layout.hpp"
#include "frontend/c/lower/points_to.hpp"

namespace cohort::frontend::c::lower {

class Sharing {
 public:
  Sharing(const Flat& flat, const PointsTo& points_to);

  // The body whose threads keep the instance among their locals; none: it is shared.
  std::optional<BodyId> owner(InstId inst) const { return owner_[inst.value]; }
  bool is_accessed(InstId inst) const { return !accessors_[inst.value].empty(); }
  // Collapsed places that some node may write.
  bool is_written(InstId inst, std::int64_t offset) const { return written_.contains({inst, offset}); }
  // Automatic objects of routines that many threads run and whose address gets where other threads can see it.
  const std::vector<InstId>& escaped() const { return escaped_; }

 private:
  void find_accessors();
  void begin(BodyId body, const Node& node);
  void change_from_outside(BodyId body, const Node& node);
  void find_escaped();

  const Flat& flat_;
  const PointsTo& points_to_;
  std::vector<bool> many_;
  std::vector<std::set<BodyId>> accessors_;
  std::set<std::pair<InstId, std::int64_t>> written_;
  std::vector<std::optional<BodyId>> owner_;
  std::vector<InstId> escaped_;
};

}  // namespace cohort::frontend::c::lower
